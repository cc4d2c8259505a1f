/**
 * Judges a record under a ruleset: every fault at once (docs/rules.md §3), in the order in which the server tells them.
 *
 * Knows nothing of scores.
 */

import {
  HEARTS,
  KEY_CARDS,
  PIG,
  SCORING_CARDS,
  SHEEP,
  isCard,
  isKeyCard,
  isScoring,
  splitCopy,
} from "./engine_cards.js";
import { fault } from "./engine_faults.js";
import { EXPOSURE_KINDS, MODES, readRecord, tableSeats } from "./engine_record.js";

/**
 * What is to know of a record (JSON) under rules (of readRules):
 *   faults    every one of them; where there is any, the rest only says what could be understood
 *   record    as engine_record.js reads it
 *   seats     the seats of the table, in the order of play
 *   captured  Map scoring card → [[seat that took it, seat it was dealt to or null], …]
 *   holders   Map key card → Count of the copies each seat was dealt, where that is known
 */
export function examine(json, rules) {
  const { record, faults } = readRecord(json);
  const table = tableSeats([...record.captures.keys()]);
  const deal = {
    record,
    rules,
    faults,
    // Whether what the record names as captured, and as exposed, is all that it says of that.
    capturesRead: !isUnread(faults, ["captures", "partial"]),
    exposuresRead: !isUnread(faults, ["exposed", "mode"]),
    seats: table.seats,
    captured: new Map(SCORING_CARDS.map((card) => [card, []])),
    holders: new Map(),
    add: (...parts) => faults.push(fault(...parts)),
  };
  faults.push(...table.faults);
  checkTable(deal);
  collectCards(deal);
  checkCards(deal);
  checkHeld(deal);
  checkExposures(deal);
  checkPrescribed(deal);
  deduceHeld(deal);
  checkCopies(deal);
  checkSwap(deal);
  return deal;
}

/** Whether a fault of form is in one of these fields, or in the record as a whole. */
function isUnread(faults, fields) {
  return faults.some(({ params }) => fields.includes((params.field ?? fields[0]).split(/[.[]/)[0]));
}

/** How many of each: a Map to whole numbers in which everything not named counts 0. */
class Count extends Map {
  static of(values) {
    const count = new Count();
    for (const value of values) {
      count.more(value);
    }
    return count;
  }

  number(key) {
    return this.get(key) ?? 0;
  }

  more(key, number = 1) {
    this.set(key, this.number(key) + number);
  }

  total() {
    return [...this.values()].reduce((sum, number) => sum + number, 0);
  }

  /** The keys of which there are more here than in the other. */
  beyond(other) {
    return [...this.keys()].filter((key) => this.number(key) > other.number(key));
  }

  /** Of each key the larger number of both. */
  larger(other) {
    const found = new Count(this);
    for (const [key, number] of other) {
      found.set(key, Math.max(this.number(key), number));
    }
    return found;
  }
}

// -- the table and its cards

function checkTable({ record, rules, seats, add }) {
  if (!MODES.includes(record.mode)) {
    add("unknown_mode", null, null, { mode: record.mode });
  }
  if (record.mode === "partnership" && seats.length !== 4) {
    add("partnership_needs_four");
  }
  if (record.mode === "pig_sheep" && rules.decks !== 1) {
    add("pig_sheep_one_deck");
  }
}

function collectCards({ record, seats, captured, add }) {
  for (const [seat, codes] of record.captures) {
    for (const code of codes) {
      const [card, copy] = splitCopy(code);
      if (!isCard(card)) {
        add("unknown_card", code, seat);
      } else if (copy !== null && !isKeyCard(card)) {
        add("copy_not_key_card", card, seat);
      } else if (copy !== null && !seats.includes(copy)) {
        add("unknown_seat_of_card", card, copy);
      } else if (isScoring(card)) {
        captured.get(card).push([seat, copy]);
      }
    }
  }
}

function checkCards({ record, rules, captured, capturesRead, add }) {
  const needed = rules.decks;
  for (const [card, takers] of captured) {
    const found = takers.length;
    if (found > needed) {
      const seats = [...new Set(takers.map(([seat]) => seat))].join(", ");
      add("card_captured_twice", card, takers.at(-1)[0], { seats });
    } else if (found < needed && capturesRead && !record.partial) {
      // Where what was captured could not be read, what it lacks is not told again card by card.
      if (needed === 1) {
        add("card_missing", card);
      } else {
        add("card_missing_copies", card, null, { found, needed });
      }
    }
  }
}

// -- who was dealt what

function checkHeld({ record, rules, seats, holders, add }) {
  const needed = rules.decks;
  for (const [card, dealt] of record.held) {
    if (!isKeyCard(card)) {
      add("held_not_key_card", card);
      continue;
    }
    const strangers = dealt.filter((seat) => !seats.includes(seat));
    for (const seat of strangers) {
      add("unknown_seat_of_card", card, seat);
    }
    if (dealt.length !== needed) {
      add("held_count", card, null, { needed, found: dealt.length });
    } else if (!strangers.length) {
      holders.set(card, Count.of(dealt));
    }
  }
}

/** Exposures and written copies tell who was dealt a card that `held` does not name. */
function deduceHeld(deal) {
  const { record, rules, holders, add } = deal;
  for (const card of KEY_CARDS) {
    if (record.held.has(card)) {
      continue;
    }
    const written = writtenCopies(deal, card);
    const shown = exposedBy(deal, card);
    const known = written.larger(shown);
    if (known.total() > rules.decks) {
      for (const seat of written.beyond(shown)) {
        add("copy_not_held", card, seat);
      }
    } else if (known.total() === rules.decks) {
      holders.set(card, known);
    }
  }
  for (const card of KEY_CARDS) {
    if (holderCounts(deal, card) && !holders.has(card) && !record.held.has(card)) {
      add("held_missing", card);
    }
  }
}

function holderCounts({ record, rules, captured }, card) {
  if (record.mode === "pig_sheep" && rules.pig_sheep_sides === "dealt" && (card === PIG || card === SHEEP)) {
    return true;
  }
  // A card nobody has taken yet concerns nobody yet.
  return rules.self_capture !== "off" && (captured.get(card).length > 0 || !record.partial);
}

function writtenCopies({ captured }, card) {
  return Count.of(
    captured
      .get(card)
      .map(([, copy]) => copy)
      .filter((copy) => copy !== null),
  );
}

function exposedBy({ record, seats }, card) {
  return Count.of(
    record.exposed
      .filter((one) => splitCopy(one.card)[0] === card && seats.includes(one.seat))
      .map((one) => one.seat),
  );
}

// -- exposures

function checkExposures(deal) {
  const { record, rules, seats, holders, add } = deal;
  const count = new Count();
  const first = new Map();
  for (const one of record.exposed) {
    const [card, copy] = splitCopy(one.card);
    if (!isKeyCard(card)) {
      add("exposure_not_key_card", one.card, one.seat);
      continue;
    }
    count.more(card);
    if (!seats.includes(one.seat)) {
      add("unknown_seat_of_card", card, one.seat);
    } else if (copy !== null && copy !== one.seat) {
      add("exposure_not_held", card, one.seat);
    }
    checkManner(deal, card, one);
    if (one.kind === "first") {
      first.set(one.seat, [...(first.get(one.seat) ?? []), card]);
    }
  }
  for (const [card, times] of count) {
    if (times > rules.decks) {
      add("exposure_twice", card);
    }
  }
  for (const [seat, cards] of first) {
    if (cards.length > 1) {
      add("first_exposed_twice", cards.at(-1), seat, { cards: cards.join(", ") });
    }
  }
  for (const card of KEY_CARDS) {
    const shown = exposedBy(deal, card);
    for (const seat of shown.beyond(holders.get(card) ?? shown)) {
      add("exposure_not_held", card, seat);
    }
  }
}

/** Whether this card may be shown at all, and in this way. */
function checkManner({ record, rules, add }, card, { seat, kind }) {
  if (rules.exposure === "none" || record.mode === "pig_sheep") {
    add("exposure_not_allowed", card, seat);
  } else if (rules.exposure === "all_but_sheep" && card === SHEEP) {
    add("exposure_sheep_not_allowed", card, seat);
  }
  if (!EXPOSURE_KINDS.includes(kind)) {
    add("exposure_kind_unknown", card, seat, { kind });
  } else if (kind === "first" && rules.prescribed) {
    add("first_not_allowed_forced", card, seat);
  } else if (!(kind in rules.factors)) {
    add("exposure_kind_not_allowed", card, seat, { kind });
  }
}

/** What the ruleset makes the seats expose. */
function checkPrescribed({ record, rules, exposuresRead, add }) {
  if (record.mode === "pig_sheep" || !exposuresRead) {
    return;
  }
  const shown = Count.of(record.exposed.map((one) => splitCopy(one.card)[0]));
  if (rules.prescribed) {
    for (const card of rules.prescribed) {
      if (shown.number(card) < rules.decks) {
        add("exposure_required", card);
      }
    }
  } else if (rules.exposure === "forced_fourth") {
    const hidden = KEY_CARDS.filter((card) => !shown.number(card));
    if (hidden.length === 1) {
      add("exposure_fourth_required", hidden[0]);
    }
  }
}

// -- copies of two decks, and the exchange of pig and sheep

function checkCopies(deal) {
  const { record, rules, captured, holders, add } = deal;
  for (const card of KEY_CARDS) {
    if (!holders.has(card)) {
      continue;
    }
    if (record.held.has(card)) {
      for (const seat of writtenCopies(deal, card).beyond(holders.get(card))) {
        add("copy_not_held", card, seat);
      }
    }
    if (rules.self_capture !== "off" && captured.get(card).length <= 2) {
      for (const seat of unclearTakers(captured.get(card), holders.get(card))) {
        add("copy_needed", card, seat, { example: `${card}:${seat}` });
      }
    }
  }
}

/** Seats of which nothing tells whether they took their own copy or the other one. */
function unclearTakers(takers, holders) {
  const unnamed = takers.filter(([, copy]) => copy === null).map(([seat]) => seat);
  if (holders.size === 1 || !unnamed.length || (takers.length === 2 && unnamed.length === 1)) {
    return [];
  }
  if (unnamed.length === 2 && unnamed[0] === unnamed[1]) {
    return [];
  }
  return unnamed.filter((seat) => holders.has(seat));
}

/** Count of the copies of a key card each seat captured that it was dealt itself. For a deal without faults. */
export function ownCopies({ captured, holders }, card) {
  const own = new Count();
  if (!holders.has(card)) {
    return own;
  }
  const left = new Count(holders.get(card));
  const unnamed = [];
  for (const [seat, copy] of captured.get(card)) {
    if (copy === null) {
      unnamed.push(seat);
    } else {
      left.more(copy, -1);
      own.more(seat, copy === seat ? 1 : 0);
    }
  }
  for (const seat of unnamed) {
    if (left.number(seat) > 0) {
      left.more(seat, -1);
      own.more(seat);
    }
  }
  return own;
}

/** The seat that captured every heart, or null. */
export function allHeartsSeat({ seats, captured, rules }) {
  const has = (seat, card) => captured.get(card).filter(([taker]) => taker === seat).length === rules.decks;
  return seats.find((seat) => HEARTS.every((card) => has(seat, card))) ?? null;
}

function checkSwap(deal) {
  const { record, rules, add } = deal;
  if (!record.swap) {
    return;
  }
  if (rules.swap === "never") {
    add("swap_not_allowed");
  } else if (!record.partial && allHeartsSeat(deal) === null) {
    add("swap_without_all_hearts");
  }
}
