/**
 * The table as it will be once the server has what this tablet still holds: the same shape as the server's, so that the
 * page shows and continues play without network. Says what referee/queries/play.py says.
 *
 * Pure: no DOM, no network, no storage, no clock of its own; nothing passed in is changed. Only what bears on the next deal is worked
 * out (record, check, sign-off, undo, void), and penalties and rulings are listed; everything else that waits changes nothing here before the server has it.
 */

import { credited, scoreDeal } from "./engine.js";
import { say } from "./dom.js";
import { roundState, showAmount } from "./game.js";
import { timeNow } from "./hall_clock.js";
import { nextProcedure, pigToAsk } from "./procedure.js";
import { penaltiesWith, rulingsWith } from "./unsent_lines.js";

const COMMAND = /\/deals\/(\d+)\/(record|correct|check|sign|second|undo|void)\/$/;

/**
 * `table`: as the server last told it, and when (hall_clock.js); `entries`: what waits for it, in order (outbox.js);
 * `rules`: {plan, ruleset, now: the tablet's clock in seconds}; `texts`: of the page.
 */
export function project(table, entries, rules, texts) {
  const served = { ...table, penalties: penaltiesWith(table, entries), rulings: rulingsWith(table, entries, texts) };
  const mine = entries.filter((entry) => COMMAND.test(entry.path));
  const time = timeNow(served, served.offline.deals, rules.now);
  if (!mine.length && (!time?.up || served.time.up)) {
    return { ...served, time };
  }
  const context = { served, rules, texts };
  let lines = served.offline.deals.map((line) => ({
    ...line,
    shown: served.deals.find((deal) => deal.number === line.number) ?? null,
  }));
  for (const entry of mine) {
    lines = applied(lines, entry, context);
  }
  return shownTable(lines, context);
}

// -- what a command does

function applied(lines, entry, context) {
  const [, digits, action] = COMMAND.exec(entry.path);
  const number = Number(digits);
  const known = lines.find((line) => line.number === number);
  const fresh = { version: 0, shown: null, amounts: null, state: "withdrawn", begun: Date.parse(entry.at) / 1000 };
  const line = known ?? { number, segment: derive(lines, context).segment, ...fresh };
  const changed = { ...line, entry, ...CHANGES[action](line, entry.body, context) };
  return known ? lines.map((one) => (one === known ? changed : one)) : [...lines, changed];
}

const CHANGES = {
  record: (line, body, context) => recorded(line, body, context),
  correct: (line, body, context) => recorded(line, { ...body, based_on: body.version }, context),
  // Whether a second entry agrees is the server's to say.
  second: () => ({ second: true }),
  sign: (line, body, { served }) => {
    const verdicts = { ...(line.verdicts ?? line.shown?.signoff?.verdicts), [body.seat]: body.verdict };
    const seats = served.offline.seats[line.segment].map((one) => one.seat);
    const agreed = served.offline.policy === "all" && seats.every((seat) => verdicts[seat] === "agree");
    const said = (line.said ?? []).filter((one) => one.seat !== body.seat);
    return { verdicts, said: body.verdict === "dispute" ? [...said, body] : said, state: agreed ? "checked" : line.state };
  },
  check: (line, body) => ({ state: "checked", check: { relation: body.relation, seat: body.seat } }),
  undo: (line, body) => ({ state: "withdrawn", version: body.version + 1, amounts: null, reason: body.reason }),
  void: (line, body) => ({ state: "void", version: line.version + 1, amounts: null, record: null, answer: null, reason: body.reason }),
};

function recorded(line, body, { served, rules }) {
  const answer = scoreDeal({ ...body.record, mode: served.layout.mode }, rules.ruleset);
  const whole = !answer.errors;
  const counts = whole && credited(answer);
  const amounts = Object.fromEntries(
    served.offline.columns.map(({ key, places }) => [key, whole ? counts[places[line.segment][0]] : 0]),
  );
  return {
    state: "recorded",
    version: body.based_on + 1,
    record: body.record,
    answer: whole ? answer : null,
    entered: body.entered_seat,
    amounts,
    check: null,
    verdicts: {},
    said: [],
    second: false,
    reason: body.reason ?? "",
  };
}

// -- what follows from the deals

/** As `_play` of referee/queries/play.py. */
function derive(lines, { served, rules }) {
  const { offline } = served;
  const sides = offline.columns.map(({ key }) => key);
  const counting = lines.filter((line) => line.amounts !== null);
  const places = new Map(counting.map((line, place) => [line.number, place + 1]));
  const time = timeNow(served, lines, rules.now);
  const stopped = served.stopped !== null || time?.left === 0;
  const penalties = rules.plan.penalties_count
    ? offline.penalties
        .filter((one) => places.has(one.deal))
        .map((one) => ({ side: one.side, points: one.points, after_deal: places.get(one.deal) }))
    : [];
  const round = roundState(counting.map((line) => line.amounts), rules.plan, { sides, penalties, stopped });
  const gameOf = (line) => {
    const place = places.get(line.number);
    const found = place ? round.games.findIndex((game) => game.first_deal <= place && place <= game.last_deal) : -1;
    return found < 0 ? null : found + 1;
  };
  const last = lines.findLastIndex((line) => gameOf(line) !== null);
  const over = round.finished || stopped;
  // What was begun in time is replayed after it.
  const mayReplay = !over || (stopped && served.stopped === null);
  const outstanding = lines
    .filter((line, place) => line.amounts === null && (place < last || (line.state === "void" && mayReplay)))
    .map((line) => line.number);
  const segment = segmentNow(counting, round, served, rules.plan);
  return { round, time, gameOf, outstanding, over, segment, open: openNumbers(counting, outstanding, over, segment, offline) };
}

function segmentNow(counting, round, { offline }, plan) {
  if (plan.kind === "time") {
    return offline.segment;
  }
  if (plan.kind === "game") {
    const ended = round.games.filter((game) => game.ended_by !== null).length;
    return Math.min(offline.segments, round.finished ? ended : ended + 1);
  }
  const used = new Set(counting.map((line) => line.number));
  const numbers = Object.entries(offline.numbers);
  const next = numbers.find(([, those]) => those.some((number) => !used.has(number)));
  return Number((next ?? numbers.at(-1))[0]);
}

function openNumbers(counting, outstanding, over, segment, { numbers }) {
  const first = [...outstanding].sort((a, b) => a - b);
  if (over) {
    return first;
  }
  const used = new Set(counting.map((line) => line.number));
  let free = numbers && numbers[segment].filter((number) => !used.has(number));
  if (!free) {
    let number = 1;
    while (used.has(number)) {
      number += 1;
    }
    free = [number];
  }
  return [...first, ...free.filter((number) => !first.includes(number))];
}

// -- the page's shape

function shownTable(lines, context) {
  const { served, rules, texts } = context;
  const now = derive(lines, context);
  const next = now.open[0] ?? null;
  const nextLine = lines.find((line) => line.number === next);
  const segment = nextLine?.segment ?? now.segment;
  const seats = served.offline.seats[segment];
  // A total would tell what a deal still to be entered a second time gave.
  const blind = lines.some((line) => hidden(line, served.offline));
  const waits = now.outstanding.length > 0 || lines.some((line) => line.state === "recorded");
  const state = waits ? "waiting" : now.over ? "done" : "playing";
  return {
    ...served,
    seats,
    layout: { ...served.layout, seats: seats.map((one) => one.seat) },
    time: now.time,
    state: served.playing ? state : served.state,
    state_text: served.playing ? texts.tableStates[state] : served.state_text,
    next: served.playing ? next : null,
    next_based_on: nextLine?.version ?? 0,
    open_numbers: now.open,
    ...(next === null ? { procedure: [], pig_choices: [] } : procedureAfter(lastThatCounted(lines), seats, context)),
    games: now.round.games.flatMap((game, place) => (game.last_deal < game.first_deal ? [] : [shownGame(game, place + 1, { blind, replay: now.outstanding.length > 0 }, context)])),
    deals: lines.filter((line) => line.state !== "withdrawn").map((line) => shownDeal(line, now, context)),
  };
}

/** Where the deal before is hidden (a blind second entry waits) only the server knows who took what. */
function procedureAfter(before, seats, { served, rules, texts }) {
  if (before && !(before.record && before.scores)) {
    return { procedure: served.procedure, pig_choices: served.pig_choices };
  }
  const given = { seats, ruleset: rules.ruleset, before, texts: texts.procedure };
  return {
    procedure: nextProcedure(given),
    pig_choices: pigToAsk(given).map((seat) => ({
      seat,
      name: seats.find((one) => one.seat === seat).name,
      procedure: nextProcedure({ ...given, firstPig: seat }),
    })),
  };
}

function lastThatCounted(lines) {
  const line = lines.findLast((one) => one.amounts !== null);
  if (!line) {
    return null;
  }
  return { record: line.record ?? line.shown?.record ?? null, scores: line.answer?.scores ?? line.scores ?? null };
}

function shownGame(game, number, { blind, replay }, { served, texts }) {
  const names = (keys) =>
    keys.map((key) => served.offline.columns.find((column) => column.key === key).players).join(texts.betweenNames);
  const drawn = game.winners.length === served.offline.columns.length;
  const words = drawn ? texts.gameDrawn : game.pigs.length ? texts.gameWonPigs : texts.gameWon;
  return {
    number,
    title: say(texts.gameTitle, { number }),
    finished: game.ended_by !== null,
    totals: shownAmounts(game.totals, blind),
    result: game.ended_by === null || blind || replay ? "" : say(words, { winners: names(game.winners), pigs: names(game.pigs) }),
  };
}

function shownAmounts(amounts, blind = false) {
  return Object.fromEntries(Object.entries(amounts).map(([key, value]) => [key, blind ? "—" : showAmount(value)]));
}

function shownDeal(line, now, context) {
  const game = now.gameOf(line);
  if (!line.entry) {
    return { ...line.shown, game, place: "server" };
  }
  const { served, texts } = context;
  const seats = served.offline.seats[line.segment];
  const person = (letter) => seats.find((one) => one.seat === letter);
  const stored = line.shown && line.record === undefined;
  const signed = signoff(line, served.offline, { person, texts });
  return {
    ...(line.shown ?? {}),
    number: line.number,
    version: line.version,
    state: line.state,
    game,
    segment: line.segment,
    reason: line.reason ?? "",
    columns: line.amounts && shownAmounts(line.amounts),
    ...(stored ? {} : shownRecord(line, seats, person, served, texts)),
    check: line.check ? { text: checkedBy(line.check, person, served, texts), time: timeOf(line.entry) } : null,
    checkers: line.state === "recorded" && served.offline.policy === "one" && !signed.disputed ? checkers(line, seats, served, texts) : [],
    signoff: signed,
    actions: { recorded: ["check", "undo", "void", "log"], checked: ["log"], void: ["enter"] }[line.state] ?? [],
    ...(hidden(line, served.offline) ? { hidden: true, record: null, scores: [], columns: null, actions: ["check", "undo", "void"] } : {}),
    place: "tablet",
  };
}

/** Whether the record must not be seen yet: whoever enters it a second time does so blind. */
function hidden(line, { policy, directing }) {
  return policy === "second" && line.state === "recorded" && !directing;
}

function shownRecord(line, seats, person, { offline }, texts) {
  const entered = person(line.entered);
  return {
    deal: line.shown?.deal ?? null,
    record: line.record,
    scores: line.answer
      ? seats.map(({ seat, player }) => ({
          seat,
          player,
          score: showAmount(line.answer.scores[seat]),
          credited: showAmount((line.answer.adjusted ?? line.answer.scores)[seat]),
          formula: line.answer.formula[seat],
        }))
      : [],
    entered: entered ? `${entered.name} ${entered.player}` : offline.me || texts.thisTablet,
    entered_time: timeOf(line.entry),
  };
}

/** As `signoff_json` of referee/presenting_signoff.py; a dispute not at the server yet `waits`, and what differs is for the server to say. */
function signoff(line, { policy }, { person, texts }) {
  const known = line.record === undefined ? line.shown?.signoff : null;
  const waits = line.state === "recorded";
  const told = { dispute: null, title: texts.dispute, differences: [], open: true, waits: true, rulings: [] };
  const said = (line.said ?? []).map(({ seat, reason }) => ({ ...told, seat: person(seat)?.name ?? seat, reason }));
  return {
    policy,
    all: policy === "all" && waits,
    second: policy === "second" && waits && !line.second && (known?.second ?? true),
    verdicts: line.verdicts ?? known?.verdicts ?? {},
    disputed: (known?.disputed ?? false) || said.length > 0,
    disputes: [...(known?.disputes ?? []), ...said],
  };
}

/** Hours and minutes of the tablet's clock; the server notes its own when it gets the entry. */
function timeOf(entry) {
  const at = new Date(entry.at);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

function checkedBy({ relation, seat }, person, { offline }, texts) {
  const found = person(seat);
  return found ? `${texts.relations[relation]} ${found.name} ${found.player}` : offline.me || texts.relations[relation];
}

/** Who may check: as `checking_seats` of referee/queries/deals.py, and the referee logged in. */
function checkers(line, seats, { offline }, texts) {
  const place = seats.findIndex((one) => one.seat === line.entered);
  const around = (step) => seats[(place + step + seats.length) % seats.length];
  const found =
    place < 0
      ? seats.map((one) => ["player", one])
      : [["previous", around(-1)], ["next", around(1)], ...(seats.length === 4 ? [["partner", around(2)]] : [])];
  const listed = found.map(([relation, { seat, name, player }]) => ({
    relation,
    seat,
    label: relation === "player" ? name : `${texts.relations[relation]} ${name}`,
    player,
  }));
  if (offline.me && line.entered) {
    listed.push({ relation: "referee", seat: "", label: texts.relations.referee, player: offline.me });
  }
  return listed;
}
