/**
 * Reads a deal record from its JSON form (docs/rules.md §9) into a fixed order. Whether it can be right is not looked
 * at here, only whether it is written as a record is.
 */

import { FEWEST_SEATS, FOUR_SEATS, LETTER_SEATS, compareCards, compareTexts, seatOrder } from "./engine_cards.js";
import { fault } from "./engine_faults.js";

export const MODES = Object.freeze(["individual", "partnership", "pig_sheep"]);
export const EXPOSURE_KINDS = Object.freeze(["exposed", "first", "dark"]);

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isNothing = (value) => value === null || value === undefined;

/**
 * {record, faults}: as much as can be read, and every fault of form.
 * A record: {captures: Map seat → cards, exposed: [{card, seat, kind}], held: Map card → seats, mode, partial, swap}.
 */
export function readRecord(json) {
  if (!isObject(json)) {
    return { record: inOrder({}), faults: [fault("not_an_object")] };
  }
  const faults = [];
  const record = {
    captures: readCaptures(json, faults),
    exposed: readExposed(json, faults),
    held: readHeld(json, faults),
    mode: readText(json, "mode", "individual", faults),
  };
  readText(json, "ruleset", null, faults);
  record.partial = readFlag(json, "partial", faults);
  record.swap = readFlag(json, "swap_pig_sheep", faults);
  return { record: inOrder(record), faults };
}

function inOrder({ captures = new Map(), exposed = [], held = new Map(), mode = "individual", partial, swap }) {
  const seats = [...captures.keys()];
  return {
    captures: new Map(
      seats.sort(seatOrder(seats)).map((seat) => [seat, [...captures.get(seat)].sort(compareCards)]),
    ),
    exposed: [...exposed].sort(
      (one, other) =>
        compareCards(one.card, other.card) ||
        compareTexts(one.seat, other.seat) ||
        compareTexts(one.kind, other.kind),
    ),
    held: new Map([...held].sort(([one], [other]) => compareCards(one, other))),
    mode,
    partial: Boolean(partial),
    swap: Boolean(swap),
  };
}

function wrong(faults, field, expected) {
  faults.push(fault("wrong_type", null, null, { field, expected }));
}

function readFlag(json, name, faults) {
  const value = json[name];
  if (!isNothing(value) && typeof value !== "boolean") {
    wrong(faults, name, "true or false");
    return false;
  }
  return Boolean(value);
}

function readText(json, name, otherwise, faults) {
  const value = json[name];
  if (!isNothing(value) && !isText(value)) {
    wrong(faults, name, "a text");
  }
  return isText(value) ? value : otherwise;
}

function readTexts(value, name, faults) {
  if (Array.isArray(value) && value.every(isText)) {
    return value;
  }
  wrong(faults, name, "a list of texts");
  return [];
}

function readTable(json, name, faults) {
  const value = json[name];
  if (isObject(value)) {
    return Object.entries(value);
  }
  if (!isNothing(value)) {
    wrong(faults, name, "an object");
  }
  return [];
}

function readCaptures(json, faults) {
  if (isNothing(json.captures)) {
    faults.push(fault("missing_field", null, null, { field: "captures" }));
  }
  return new Map(
    readTable(json, "captures", faults).map(([seat, cards]) => [
      seat,
      readTexts(cards, `captures.${seat}`, faults),
    ]),
  );
}

function readHeld(json, faults) {
  return new Map(
    readTable(json, "held", faults)
      .filter(([, seats]) => !isNothing(seats))
      .map(([card, seats]) => [card, isText(seats) ? [seats] : readTexts(seats, `held.${card}`, faults)]),
  );
}

function readExposed(json, faults) {
  if (isNothing(json.exposed)) {
    return [];
  }
  if (!Array.isArray(json.exposed)) {
    wrong(faults, "exposed", "a list");
    return [];
  }
  const found = [];
  for (const [place, one] of json.exposed.entries()) {
    if (!isObject(one)) {
      wrong(faults, `exposed[${place}]`, "an object");
      continue;
    }
    const parts = { card: one.card, seat: one.seat, kind: one.kind === undefined ? "exposed" : one.kind };
    const bad = Object.keys(parts).filter((name) => !isText(parts[name]));
    for (const name of bad) {
      wrong(faults, `exposed[${place}].${name}`, "a text");
    }
    if (!bad.length) {
      found.push(parts);
    }
  }
  return found;
}

/**
 * {seats, faults}: the table that seats with captures are of. N W S E mean a table of four, where a seat that took
 * nothing may be left out; a lettered table lists every seat, as nothing else tells how many sat there.
 */
export function tableSeats(named) {
  const strangers = (known) =>
    named.filter((seat) => !known.includes(seat)).map((seat) => fault("unknown_seat", null, seat));
  const lettered = named.some((seat) => LETTER_SEATS.includes(seat) && !FOUR_SEATS.includes(seat));
  if (named.some((seat) => ["N", "W", "S"].includes(seat)) || !lettered) {
    return { seats: FOUR_SEATS, faults: strangers(FOUR_SEATS) };
  }
  const count = 1 + Math.max(...named.map((seat) => LETTER_SEATS.indexOf(seat)));
  const seats = LETTER_SEATS.slice(0, count);
  const faults = strangers(LETTER_SEATS);
  for (const seat of seats) {
    if (!named.includes(seat)) {
      faults.push(fault("missing_seat", null, seat));
    }
  }
  if (count < FEWEST_SEATS || count === FOUR_SEATS.length) {
    faults.push(fault("table_size", null, null, { fewest: FEWEST_SEATS, most: LETTER_SEATS.length }));
  }
  return { seats, faults };
}
