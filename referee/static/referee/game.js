/**
 * Games 局, sets 盘 and timed play on the tablet: when they end, who is made pig or wins (docs/rules.md §5). Says what
 * scoring/engine/game.py says; tests/browser/test_tablet_game.py holds both together.
 *
 * Pure. Amounts go in and come out as the server writes them: whole numbers, or texts such as "-880/3".
 */

/**
 * The state of a round from its valid deals in the order played. `deals`: [{side: amount}]; `plan`: all fields of a
 * GamePlan; `penalties`: [{side, points, after_deal}], after_deal null for the round as a whole.
 *
 * Gives {games: [{first_deal, last_deal, totals, ended_by, pigs, winners, ranking}], totals, finished, surplus}.
 */
export function roundState(deals, plan, { sides, penalties = [], stopped = false }) {
  const scale = commonDenominator([
    ...deals.flatMap((deal) => sides.map((side) => deal[side])),
    ...penalties.map((one) => one.points),
  ]);
  const input = {
    deals: deals.map((deal) => Object.fromEntries(sides.map((side) => [side, scaled(deal[side], scale)]))),
    penalties: penalties.map((one) => ({ ...one, points: scaled(one.points, scale) })),
    lose: plan.lose_line === null ? null : BigInt(plan.lose_line) * scale,
    win: plan.win_line === null ? null : BigInt(plan.win_line) * scale,
    plan,
    sides,
    stopped,
  };
  const games = allGames(input);
  addLatePenalties(games, input);
  const counted = games.at(-1).last_deal;
  const totals = zero(sides);
  for (const game of games) {
    for (const side of sides) {
      totals[side] += game.totals[side];
    }
  }
  return {
    games: games.map((game) => ({ ...game, totals: written(game.totals, scale) })),
    totals: written(totals, scale),
    finished:
      games.at(-1).ended_by !== null && ((stopped && counted === deals.length) || decided(games, input, false)),
    surplus: deals.length - counted,
  };
}

function allGames(input) {
  const { deals, stopped } = input;
  const games = [];
  for (let first = 1; ; first = games.at(-1).last_deal + 1) {
    if (stopped && games.length && first > deals.length) {
      return games;
    }
    const game = oneGame(first, input);
    games.push(game);
    if (game.ended_by === null || game.last_deal < game.first_deal) {
      return games;
    }
    if (decided(games, input, stopped && game.last_deal === deals.length)) {
      return games;
    }
  }
}

/** Plays through the deals from number `first` until a game's end. */
function oneGame(first, input) {
  const { deals, plan, sides, stopped } = input;
  const played = zero(sides);
  let last = first - 1;
  let endedBy = null;
  for (let number = first; number <= deals.length && endedBy === null; number += 1) {
    last = number;
    for (const side of sides) {
      played[side] += deals[number - 1][side];
    }
    const counted = plan.penalties_count ? withPenalties(played, input, first, number) : played;
    endedBy = ending(counted, number - first + 1, input);
  }
  if (endedBy === null && stopped) {
    endedBy = "time";
  }
  return judged(first, last, withPenalties(played, input, first, last), endedBy, input);
}

function withPenalties(amounts, { penalties }, first, last) {
  const totals = { ...amounts };
  for (const one of penalties) {
    if (one.after_deal && first <= one.after_deal && one.after_deal <= last) {
      totals[one.side] += one.points;
    }
  }
  return totals;
}

function ending(amounts, dealsPlayed, input) {
  if (input.plan.kind === "set") {
    return dealsPlayed >= input.plan.deals ? "deals" : null;
  }
  const values = Object.values(amounts);
  const low = values.some((value) => atLow(value, input));
  const high = values.some((value) => atHigh(value, input));
  if (low && high) {
    return "both_lines";
  }
  return low ? "lose_line" : high ? "win_line" : null;
}

function atLow(value, { plan, lose }) {
  return lose !== null && (plan.inclusive ? value <= lose : value < lose);
}

function atHigh(value, { plan, win }) {
  return win !== null && (plan.inclusive ? value >= win : value > win);
}

/** Who is made pig and who wins, from the totals with penalties. */
function judged(first, last, totals, endedBy, input) {
  const { plan } = input;
  const sides = Object.keys(totals);
  const values = [...new Set(Object.values(totals))].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  const ranking = values.map((value) => input.sides.filter((side) => sides.includes(side) && totals[side] === value));
  let pigs = [];
  let winners = [];
  if (endedBy !== null && ranking.length) {
    if (plan.kind !== "set" && atLow(values.at(-1), input)) {
      pigs = ranking.at(-1);
    }
    if (plan.kind !== "set" && plan.double_pig && endedBy !== "time" && ranking.length > 2) {
      pigs = [...ranking[0], ...ranking.at(-1)];
    }
    winners = ranking.find((group) => !group.some((side) => pigs.includes(side))) ?? ranking[0];
  }
  return { first_deal: first, last_deal: last, totals, ended_by: endedBy, pigs, winners, ranking };
}

/** Penalties that belong to no deal of these games count in the last. */
function addLatePenalties(games, input) {
  const last = games.at(-1);
  const late = input.penalties.filter((one) => !one.after_deal || one.after_deal > last.last_deal);
  if (!late.length) {
    return;
  }
  const totals = { ...last.totals };
  for (const one of late) {
    totals[one.side] += one.points;
  }
  let endedBy = last.ended_by;
  if (endedBy === null && input.plan.penalties_count && input.plan.kind !== "set") {
    endedBy = ending(totals, last.last_deal - last.first_deal + 1, input);
  }
  games[games.length - 1] = judged(last.first_deal, last.last_deal, totals, endedBy, input);
}

/** Whether no further game is to be played: all are, or the leader cannot be caught. */
function decided(games, { plan, sides }, outOfTime) {
  if (outOfTime || plan.kind === "set") {
    return true;
  }
  if (plan.kind === "time") {
    return false;
  }
  // A shared win counts in equal parts: counted in parts small enough for all.
  const parts = games.reduce((product, game) => product * BigInt(game.winners.length || 1), 1n);
  const wins = Object.fromEntries(sides.map((side) => [side, 0n]));
  for (const game of games) {
    for (const side of game.winners) {
      wins[side] += parts / BigInt(game.winners.length);
    }
  }
  const sorted = Object.values(wins).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  const lead = sorted.length > 1 ? sorted[0] - sorted[1] : 0n;
  const finished = games.filter((game) => game.ended_by !== null).length;
  return finished >= plan.best_of || lead > BigInt(plan.best_of - finished) * parts;
}

// -- amounts

function zero(sides) {
  return Object.fromEntries(sides.map((side) => [side, 0n]));
}

function parts(amount) {
  const [numerator, denominator = "1"] = String(amount).split("/");
  return [BigInt(numerator), BigInt(denominator)];
}

function commonDenominator(amounts) {
  return amounts.reduce((scale, amount) => {
    const denominator = parts(amount)[1];
    return (scale * denominator) / divisor(scale, denominator);
  }, 1n);
}

function scaled(amount, scale) {
  const [numerator, denominator] = parts(amount);
  return (numerator * scale) / denominator;
}

function written(amounts, scale) {
  return Object.fromEntries(Object.entries(amounts).map(([side, value]) => [side, asAmount(value, scale)]));
}

function asAmount(value, scale) {
  const common = divisor(value < 0n ? -value : value, scale) || 1n;
  const [numerator, denominator] = [value / common, scale / common];
  if (denominator !== 1n) {
    return `${numerator}/${denominator}`;
  }
  const number = Number(numerator);
  return Number.isSafeInteger(number) ? number : String(numerator);
}

function divisor(one, other) {
  return other === 0n ? one : divisor(other, one % other);
}

const GLYPHS = { "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾" };

/** An amount for people, as the server shows it: a true minus sign, thirds as mixed numbers (−293⅓). */
export function showAmount(amount) {
  const [numerator, denominator] = parts(amount);
  const size = numerator < 0n ? -numerator : numerator;
  const sign = numerator < 0n ? "−" : "";
  const [whole, rest] = [size / denominator, size % denominator];
  if (rest === 0n) {
    return `${sign}${whole}`;
  }
  const part = GLYPHS[`${rest}/${denominator}`] ?? ` ${rest}/${denominator}`;
  return `${sign}${whole || ""}${part}`.replace("− ", "−");
}
