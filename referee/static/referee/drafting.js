/**
 * The draft of an entry: which deal it is of, what it is for, what is tapped so far. Pure: no page, no storage, no network.
 *
 * A draft: {number, basedOn, correcting: null | {purpose, seat, reason}, state (deal.js), log (trick_log.js) or null,
 * firstPig: who took the first ♠Q of the deal before, replaces: the waiting entry whose place it takes}. purpose: correct, second, dispute, log.
 */

import { act, fromRecord, hasEntries, isStateOf, newDeal, toRecord } from "./deal.js";
import { followsLog, isLogOf, newLog, readLog } from "./trick_log.js";

/** A draft of the deal to be recorded next, with nothing in it yet. */
export function freshDraft(table, enteredSeat = "") {
  return {
    number: table.next,
    basedOn: table.next_based_on,
    correcting: null,
    state: newDeal(table.layout, enteredSeat),
    log: null,
    firstPig: null,
  };
}

/** What was kept in the browser, or null where that is no draft of this table. */
export function restoredDraft(table, kept) {
  if (!kept || !isStateOf(table.layout, kept.state)) {
    return null;
  }
  return { ...kept, log: isLogOf(table.layout, kept.log) ? kept.log : null };
}

/** The entry of another record of a deal on record: a correction, a second entry (blind), what a seat says is right; or its log. */
export function contestDraft(table, deal, correcting, enteredSeat) {
  return {
    number: deal.number,
    basedOn: deal.version,
    correcting,
    state: correcting.purpose === "second" ? newDeal(table.layout) : fromRecord(table.layout, deal.record, enteredSeat),
    log: correcting.purpose === "log" ? newLog() : null,
  };
}

/**
 * The draft when the table has been told anew. With nothing in it, it turns to the deal that is next by now; while that is
 * the same deal it stays as it is: the seat that was just tapped and the taps undone are still meant. One that takes the place of
 * a waiting entry stays with that.
 */
export function followTable(table, draft) {
  const same = draft.number === table.next && draft.basedOn === table.next_based_on;
  if (same || draft.replaces || isWorthKeeping(table, draft)) {
    return draft;
  }
  return freshDraft(table, draft.state.enteredSeat);
}

/** Whether a draft would be missed. */
export function isWorthKeeping(table, draft) {
  return Boolean(draft.correcting) || hasEntries(table.layout, draft.state) || Boolean(draft.log?.moves.length) || Boolean(draft.firstPig);
}

/** Exposures as far as they are entered, as a record has them. */
export const exposedSoFar = (layout, draft) => toRecord(layout, draft.state, { partial: true }).exposed;

/** What the draft's log tells so far; null where none is kept. */
export function logOf(layout, draft, ruleset) {
  return draft.log && readLog(layout, draft.log, ruleset, exposedSoFar(layout, draft));
}

/**
 * The draft with another log. The captured cards follow it by themselves as long as nobody has entered others; those of a
 * deal on record stay, to be compared.
 */
export function withLog(layout, draft, log, ruleset) {
  const before = logOf(layout, draft, ruleset)?.taken ?? [];
  const changed = { ...draft, log };
  const taken = logOf(layout, changed, ruleset)?.taken ?? [];
  const follows = draft.correcting?.purpose !== "log" && followsLog(layout, draft.state.facts.owners, before);
  const state = follows && taken.length !== before.length ? act(layout, draft.state, { type: "log", taken }) : draft.state;
  return { ...changed, state };
}

/** Whether a deal waits for whoever has this page: one that is disputed waits for the desk. */
export const waitsHere = ({ offline }, deal) => deal.state === "recorded" && (offline.directing || !deal.signoff?.disputed);

/**
 * The deal to show at first: the one the address asks for; else one that waits for its check, unless an entry was begun.
 * Null shows the entry.
 */
export function dealToShow(table, draft, asked) {
  if (table.deals.some((deal) => deal.number === asked && deal.state !== "withdrawn")) {
    return asked;
  }
  if (isWorthKeeping(table, draft)) {
    return null;
  }
  const waiting = table.deals.find((deal) => waitsHere(table, deal));
  return waiting?.number ?? (table.next === null ? (table.deals.at(-1)?.number ?? null) : null);
}

/** Who sits at the table as it is shown, for the server to notice when that has changed. */
export function seatingShown(table, { seats, seating }) {
  const same = (those) => those.every((one, place) => one.player === table.seats[place].player);
  return seating[Object.keys(seats).find((segment) => same(seats[segment])) ?? 0] ?? "";
}
