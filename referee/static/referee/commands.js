/** From what is entered to the command that is sent, and back: knows no page and no network. */

import { fromRecord, toRecord } from "./deal.js";
import { tricksOf } from "./trick_log.js";

/**
 * The command of a finished entry, as { action, body }.
 *
 * `shown` is the score as this tablet worked it out, `seating` names who sat there: the server compares both. `tablet_at` is
 * this tablet's clock: entries may be sent long after they were made.
 */
export function entryCommand(draft, { layout, shown, seating }) {
  const record = toRecord(layout, draft.state);
  const body = { record, entered_seat: draft.state.enteredSeat, shown };
  const tablet_at = new Date().toISOString();
  const version = draft.basedOn;
  const { purpose = "record", seat, reason } = draft.correcting ?? {};
  const [action, whole] = {
    record: ["record", { ...body, based_on: version, seating, tablet_at }],
    correct: ["correct", { ...body, version, reason }],
    second: ["second", { ...body, version }],
    dispute: ["sign", { record, version, seat, verdict: "dispute", reason }],
  }[purpose];
  return { action, body: whole };
}

/** The command that keeps the log of a deal's tricks, as { action, body }; null where nothing is logged. */
export function logCommand({ state, log }, layout) {
  if (!log?.moves.length) {
    return null;
  }
  const { exposed } = toRecord(layout, state, { partial: true });
  return { action: "tricks", body: { tricks: tricksOf(layout, log), exposed } };
}

/**
 * The commands of a finished entry in their order, each {path, label, body}: the record and its log of tricks, or one of both;
 * none where a log was to be kept and is empty. `path`: the deal's address; `label`: what people call it, `logTitle`: its log.
 */
export function entryCommands(draft, { path, label, logTitle, ...shown }) {
  const made = [];
  if (draft.correcting?.purpose !== "log") {
    made.push({ ...entryCommand(draft, shown), label });
  }
  const log = logCommand(draft, shown.layout);
  if (log) {
    made.push({ ...log, label: `${label}: ${logTitle}` });
  }
  return made.map(({ action, ...command }) => ({ path: `${path}${action}/`, ...command }));
}

/** The draft to which an entry that waits, or was refused, goes back; it keeps its place in the order. */
export function draftOfWaiting(entry, layout) {
  const correcting = /\/correct\/$/.test(entry.path);
  return {
    number: Number(/\/deals\/(\d+)\//.exec(entry.path)[1]),
    basedOn: correcting ? entry.body.version : entry.body.based_on,
    correcting: correcting ? { purpose: "correct", seat: "", reason: entry.body.reason } : null,
    state: fromRecord(layout, entry.body.record, entry.body.entered_seat),
    log: null,
    replaces: entry.seq,
  };
}
