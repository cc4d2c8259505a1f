/**
 * The log of a deal's tricks 逐圈记录 as a state machine: what was tapped, whose turn it is, who took what.
 *
 * Pure: no DOM, no network, no storage, no clock. A log is {moves, undone}, plain JSON that is kept with the draft of the
 * deal; everything else is worked out from the moves. Layout: see deal.js.
 *
 * A move is {seat, cards}: that seat played those cards. Which trick it belongs to follows from how many have played.
 */

import { reviewLog, trickWinner } from "./engine_tricks.js";

const PACK_SIZE = 52;

/** A log in which nothing has been played. */
export const newLog = () => Object.freeze({ moves: [], undone: [], turn: null, pair: false, half: null });

/**
 * The log after an action; one that changes nothing gives the same log.
 *
 *   {type: "turn", seat}    that seat plays next: who leads the first trick, or a play out of turn
 *   {type: "pair", value}   two decks: the next trick is led by a pair
 *   {type: "card", card}    the seat whose turn it is plays this card
 *   {type: "undo"}, {type: "redo"}
 */
export function actOnLog(layout, log, action) {
  return Object.freeze(STEPS[action.type](layout, log, action));
}

const STEPS = {
  turn: (layout, log, { seat }) =>
    layout.seats.includes(seat) && !currentTrick(layout, log).some((play) => play.seat === seat)
      ? { ...log, turn: seat, half: null }
      : log,
  pair: (layout, log, { value }) =>
    layout.decks === 2 && currentTrick(layout, log).length === 0 ? { ...log, pair: value, half: null } : log,
  card: (layout, log, { card }) => {
    const seat = turnOf(layout, log);
    if (seat === null || isWhole(layout, log) || copiesLeft(layout, log, card) === 0) {
      return log;
    }
    const size = playSize(layout, log);
    // A lead of two is a pair: one tap names it.
    const leading = currentTrick(layout, log).length === 0;
    const cards = size === 1 ? [card] : leading ? [card, card] : log.half ? [log.half, card] : null;
    if (cards === null) {
      return { ...log, half: card, undone: [] };
    }
    if (leading && size === 2 && copiesLeft(layout, log, card) < 2) {
      return log;
    }
    return { moves: [...log.moves, { seat, cards }], undone: [], turn: null, pair: false, half: null };
  },
  undo: (_layout, log) => {
    if (log.half) {
      return { ...log, half: null };
    }
    return log.moves.length
      ? { moves: log.moves.slice(0, -1), undone: [log.moves.at(-1), ...log.undone], turn: log.moves.at(-1).seat, pair: false, half: null }
      : log;
  },
  redo: (_layout, log) =>
    log.undone.length
      ? { moves: [...log.moves, log.undone[0]], undone: log.undone.slice(1), turn: null, pair: false, half: null }
      : log,
};

/** The tricks so far, the last one perhaps not complete. */
export function tricksOf(layout, log) {
  const tricks = [];
  for (const [place, move] of log.moves.entries()) {
    if (place % layout.seats.length === 0) {
      tricks.push([]);
    }
    tricks.at(-1).push(move);
  }
  return tricks;
}

/** The plays of the trick that is being played; none between two tricks. */
export function currentTrick(layout, log) {
  const seats = layout.seats.length;
  return log.moves.slice(log.moves.length - (log.moves.length % seats));
}

/** Whose turn it is; null where nobody has said who leads the first trick. */
export function turnOf(layout, log) {
  if (log.turn !== null) {
    return log.turn;
  }
  if (!log.moves.length) {
    return null;
  }
  const plays = currentTrick(layout, log);
  if (!plays.length) {
    return trickWinner(log.moves.slice(-layout.seats.length));
  }
  const from = layout.seats.indexOf(plays.at(-1).seat);
  const around = [...layout.seats.slice(from + 1), ...layout.seats.slice(0, from)];
  return around.find((seat) => !plays.some((play) => play.seat === seat));
}

/** How many cards the next play has. */
export function playSize(layout, log) {
  const plays = currentTrick(layout, log);
  return plays.length ? plays[0].cards.length : log.pair ? 2 : 1;
}

/** How many copies of a card nobody has played yet. */
export function copiesLeft(layout, log, card) {
  const gone = log.moves.flatMap((move) => move.cards).filter((one) => one === card).length;
  return layout.decks - gone - (log.half === card ? 1 : 0);
}

/** Whether all cards are played. */
export function isWhole(layout, log) {
  const hand = Math.floor((PACK_SIZE * layout.decks) / layout.seats.length);
  return log.moves.flatMap((move) => move.cards).length >= hand * layout.seats.length;
}

/**
 * What the log tells: as reviewLog of engine_tricks.js, and `taken`, [{card, from, by}] of the complete tricks: who
 * played each card and who has it now. `exposed` as in a record.
 */
export function readLog(layout, log, rules, exposed) {
  const shown = {};
  for (const { card, seat, kind } of exposed) {
    if (kind === "exposed") {
      shown[seat] = [...(shown[seat] ?? []), card];
    }
  }
  const tricks = tricksOf(layout, log);
  const review = reviewLog(tricks, rules, layout.seats, shown);
  const taken = tricks
    .map((plays, place) => ({ plays, by: review.takers[place] }))
    .filter(({ plays }) => plays.length === layout.seats.length)
    .flatMap(({ plays, by }) => plays.flatMap(({ seat, cards }) => cards.map((card) => ({ card, from: seat, by }))));
  return { ...review, tricks, taken };
}

/**
 * Where captured cards as entered differ from the log: [{card, entered: seats, logged: seats}]. A copy not played yet is no
 * difference.
 */
export function differencesOf(layout, owners, taken) {
  return layout.cards
    .map((card) => ({
      card,
      entered: Object.keys(owners).filter((copy) => copy.startsWith(`${card}#`)).map((copy) => owners[copy]).sort(),
      logged: taken.filter((one) => one.card === card).map((one) => one.by).sort(),
    }))
    .filter(({ logged, entered }) => logged.some((seat) => count(logged, seat) > count(entered, seat)));
}

const count = (seats, seat) => seats.filter((one) => one === seat).length;

/** Whether the captured cards as entered are what the log gives and nothing else: then they may follow it by themselves. */
export function followsLog(layout, owners, taken) {
  const logged = taken.filter((one) => layout.cards.includes(one.card)).length;
  return Object.keys(owners).length === logged && differencesOf(layout, owners, taken).length === 0;
}

/** Whether a value read back from storage is a log of this layout. */
export function isLogOf(layout, value) {
  return Boolean(
    value &&
      [value.moves, value.undone].every(
        (moves) =>
          Array.isArray(moves) &&
          moves.every((one) => layout.seats.includes(one?.seat) && Array.isArray(one.cards) && one.cards.length <= layout.decks),
      ) &&
      (value.turn === null || layout.seats.includes(value.turn)),
  );
}
