/**
 * What can be wrong with a record, and its sentence. The sentences come from the page in the reader's language:
 * nothing here is meant to be read by anybody but programs.
 *
 * A fault: {code, card, seat, params}; card and seat are null where the fault is of neither, params are texts.
 */

import { symbol } from "./engine_cards.js";

const LONGEST_ECHO = 40;
/** Params that do not repeat the input. */
const OWN_WORDS = new Set(["expected"]);

/** Makes a fault; whatever it repeats of the input is cut to a length that can be read. */
export function fault(code, card = null, seat = null, params = {}) {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    OWN_WORDS.has(name) ? String(value) : shorten(String(value)),
  ]);
  return { code, card: card && shorten(card), seat: seat && shorten(seat), params: Object.fromEntries(texts) };
}

function shorten(text) {
  const letters = [...text];
  return letters.length <= LONGEST_ECHO ? text : `${letters.slice(0, LONGEST_ECHO - 1).join("")}…`;
}

/**
 * The fault as a sentence. `words`: {faults: {code: sentence with {places}}, seats: {N: name}, kinds: {exposed: name},
 * expected: {"a text": the same in the reader's language}, between: what stands between two names}. What is not there is shown as it is written in the record.
 */
export function faultText({ code, card, seat, params }, words) {
  const named = (table, key) => (Object.hasOwn(table ?? {}, key) ? table[key] : key);
  const each = (listed, reword) => listed.split(", ").map(reword).join(words.between ?? ", ");
  const places = { ...params, card: symbol(card ?? ""), seat: named(words.seats, seat ?? "") };
  if (params.seats !== undefined) {
    places.seats = each(params.seats, (one) => named(words.seats, one));
  }
  if (params.cards !== undefined) {
    places.cards = each(params.cards, symbol);
  }
  if (params.kind !== undefined) {
    places.kind = named(words.kinds, params.kind);
  }
  if (params.expected !== undefined) {
    places.expected = named(words.expected, params.expected);
  }
  return named(words.faults, code).replace(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole);
}
