/**
 * Tricks 圈: who takes one, and what a log of them tells (docs/rules.md §6). Says what scoring/engine/tricks.py says.
 *
 * Pure. A play is {seat, cards}, a trick a list of plays in the order played; with two decks a play has one card or two.
 */

const STRENGTH = new Map(["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"].map((rank, place) => [rank, place]));
const suitOf = (card) => card[0];
const strengthOf = (card) => STRENGTH.get(card.slice(1));
const isRed = (card) => "HD".includes(suitOf(card));

const DISCARD = 0;
const LOWER = 1;
const UPPER = 2;

/** What a play is worth in a trick led in a suit: [class, strength]; discards are worth least, all alike. */
function worthOf(cards, led) {
  if (cards.some((card) => suitOf(card) !== led)) {
    return [DISCARD, 0];
  }
  const highest = Math.max(...cards.map(strengthOf));
  if (cards.length === 1) {
    return [LOWER, highest];
  }
  // A pair of diamonds beats two single ones; in the other suits it is beaten by them.
  return [(cards[0] === cards[1]) === (led === "D") ? UPPER : LOWER, highest];
}

/** The seat that takes a trick; of equal plays the earlier one does. */
export function trickWinner(plays) {
  const led = suitOf(plays[0].cards[0]);
  let best = plays[0];
  let worth = worthOf(best.cards, led);
  for (const play of plays.slice(1)) {
    const [kind, strength] = worthOf(play.cards, led);
    if (kind > worth[0] || (kind === worth[0] && strength > worth[1])) {
      [best, worth] = [play, [kind, strength]];
    }
  }
  return best.seat;
}

const count = (cards, card) => cards.filter((one) => one === card).length;

/** The copies held back, by card: exposed, of a suit not led yet, and not the only card of it. */
function boundOf(hand, shown, suitsLed) {
  const bound = new Map();
  for (const card of shown) {
    if (!suitsLed.has(suitOf(card)) && hand.filter((one) => suitOf(one) === suitOf(card)).length > 1) {
      bound.set(card, (bound.get(card) ?? 0) + 1);
    }
  }
  return bound;
}

/** `cards` without the bound copies; all of them where nothing else is left. */
function freeOf(cards, bound) {
  const held = new Map(bound);
  const left = cards.filter((card) => {
    const back = held.get(card) ?? 0;
    held.set(card, back - 1);
    return back <= 0;
  });
  return left.length ? left : cards;
}

/** The cards of a play that were bound though free ones were there, each named once. */
function tooEarly(cards, play, bound) {
  const free = freeOf(cards, bound);
  return [...new Set(play)].filter((card) => count(play, card) > count(free, card)).map((card) => ["exposed_too_early", card]);
}

/** [code, card] of everything wrong with one play from this hand; `lead` is null for the play that leads. */
function judge(hand, shown, play, lead, rules, suitsLed) {
  if (play.length !== (lead ?? play).length || play.length < 1 || play.length > rules.decks) {
    return [["wrong_number", null]];
  }
  const bound = boundOf(hand, shown, suitsLed);
  if (lead === null) {
    const uneven = play.length === 2 && play[0] !== play[1] ? [["wrong_number", null]] : [];
    return [...uneven, ...tooEarly(hand, play, rules.exposed_lead ? new Map() : bound)];
  }
  const found = [];
  const led = suitOf(lead[0]);
  const ofSuit = hand.filter((card) => suitOf(card) === led);
  const strangers = play.filter((card) => suitOf(card) !== led);
  if (strangers.length && ofSuit.length > play.length - strangers.length) {
    found.push(["revoke", strangers[0]]);
  }
  const free = ofSuit.length ? freeOf(ofSuit, bound) : [];
  const hasPair = free.some((card) => count(free, card) > 1);
  if (play.length === 2 && hasPair && !(play[0] === play[1] && suitOf(play[0]) === led)) {
    found.push(["pair_not_followed", null]);
  }
  if (free.length >= play.length - strangers.length) {
    const following = play.filter((card) => suitOf(card) === led);
    found.push(...tooEarly(ofSuit, following, bound));
  }
  const others = hand.filter((card) => suitOf(card) !== led);
  if (!rules.exposed_discard && strangers.length) {
    found.push(...tooEarly(others, strangers, bound));
  }
  if (rules.discard_colour && strangers.length && !ofSuit.length) {
    const red = "HD".includes(led);
    const right = others.filter((card) => isRed(card) === red);
    const wrong = strangers.filter((card) => isRed(card) !== red);
    if (wrong.length > Math.max(0, strangers.length - right.length)) {
      found.push(["wrong_colour", wrong[0]]);
    }
  }
  return found;
}

/**
 * Judges a log as far as it goes: {captures: {seat: cards}, winners, takers, irregularities: [{code, trick, seat, card}]}.
 *
 * `order`: the seats in the order of play; `shown`: {seat: the key cards it exposed plainly}. A trick's taker is its
 * winner but for the discard-colour rule; the winner leads all the same. A seat's hand is what it plays from a trick on
 * to the end of the log, so a revoke shows once the card that could have followed is played.
 */
export function reviewLog(tricks, rules, order, shown = {}) {
  const irregularities = [];
  const captures = Object.fromEntries(order.map((seat) => [seat, []]));
  const left = Object.fromEntries(
    order.map((seat) => [seat, tricks.flatMap((plays) => plays.filter((play) => play.seat === seat).flatMap((play) => play.cards))]),
  );
  const winners = [];
  const takers = [];
  const played = [];
  const suitsLed = new Set();
  tricks.forEach((plays, place) => {
    const trick = place + 1;
    const note = (code, seat, card = null) => irregularities.push({ code, trick, seat, card });
    const leader = plays[0].seat;
    const lead = plays[0].cards;
    let taker = null;
    if (winners.length && leader !== winners.at(-1)) {
      note("lead_out_of_turn", leader);
    }
    plays.forEach(({ seat, cards }, turn) => {
      if (seat !== order[(order.indexOf(leader) + turn) % order.length]) {
        note("wrong_order", seat);
      }
      played.push(...cards);
      for (const card of new Set(cards)) {
        if (count(played, card) > rules.decks) {
          note("card_played_twice", seat, card);
        }
      }
      const faults = judge(left[seat], shown[seat] ?? [], cards, turn ? lead : null, rules, suitsLed);
      faults.forEach(([code, card]) => note(code, seat, card));
      if (faults.some(([code]) => code === "wrong_colour")) {
        taker = seat;
      }
      for (const card of cards) {
        left[seat].splice(left[seat].indexOf(card), 1);
      }
    });
    const winner = trickWinner(plays);
    winners.push(winner);
    takers.push(taker ?? winner);
    captures[taker ?? winner].push(...plays.flatMap((play) => play.cards));
    suitsLed.add(suitOf(lead[0]));
  });
  return { captures, winners, takers, irregularities };
}
