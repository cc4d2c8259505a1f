/**
 * The referee's page of one table: holds what is shown (screen.js draws it) and what waits to be sent, and wires the parts together.
 *
 * A command is kept on the tablet, shown, and sent (sending.js); until the server has it, what is shown is the server's last
 * word with what waits here applied to it (project.js). A reload, a dead network or an empty battery in between loses
 * nothing and doubles nothing.
 */

import { buildActions } from "./actions.js";
import { NotSent, Refusal, request } from "./api.js";
import { act, questions, toRecord } from "./deal.js";
import { draftOfWaiting, entryCommands } from "./commands.js";
import { settleConflict } from "./conflict.js";
import { askConflict, askForm, showFaults } from "./dialogs.js";
import { say } from "./dom.js";
import { contestDraft, dealToShow, followTable, freshDraft, isWorthKeeping, logOf, restoredDraft, seatingShown, waitsHere, withLog } from "./drafting.js";
import { buildScorer } from "./live.js";
import { installWorker, isConflict, openSending } from "./sending.js";
import { project } from "./project.js";
import { buildPenaltyForm } from "./penalty.js";
import { askRuling, buildRulingForm, exposureAction } from "./ruling.js";
import { buildScreen } from "./screen.js";
import { newLog } from "./trick_log.js";
import { heardNow, tabletTime } from "./hall_clock.js";

const REFRESH = 15000;

const boot = JSON.parse(document.getElementById("boot").textContent);
const texts = JSON.parse(document.getElementById("texts").textContent);
const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
const part = (id) => document.getElementById(id);

let ready = false;
const sending = await openSending({
  table: boot.table.id,
  bound: boot.tablet !== "",
  token,
  texts,
  changed: () => ready && settle(),
  answered,
  refused,
  edit: editWaiting,
  decide: resolveConflict,
  restore: restoreDraft,
});
let served = await latestKnown();
let table = projected();
let draft = restoredDraft(table, await sending.drafts.read()) ?? freshDraft(table);
let selected = dealToShow(table, draft, Number(new URLSearchParams(location.search).get("deal")));
let live = null;
let heard = 0;
/** Number of the last question to the server: the answer to an earlier one, come late, says nothing of now. */
let asking = 0;
/** What is being kept on the tablet right now: see sendAll. */
const keeping = new Set();

const scorer = buildScorer({ path: `${boot.api}score/`, token, ruleset: boot.ruleset, words: texts.words });
const run = buildActions({ api: boot.api, texts, articles: boot.articles, ask: askForm, send, correct: startCorrection, contest: startContest, ruling: giveRuling, replay: startReplay, log: (deal) => startContest(deal, { purpose: "log", seat: "", reason: "" }) });
const screen = buildScreen(part, {
  boot,
  texts,
  run,
  dispatch,
  changeLog,
  takeLog: () => dispatch({ type: "log", taken: logOf(table.layout, draft, boot.ruleset).taken }),
  choosePig: (seat) => (changeDraft({ ...draft, firstPig: seat }), draw()),
  open: show,
  timeIsUp: settle,
});

// -- what is entered

/** A draft of the next deal, with the score kept by the same seat as before. */
const emptyDraft = () => freshDraft(table, draft.state.enteredSeat);

function keep() {
  if (!isWorthKeeping(table, draft)) {
    sending.drafts.drop();
  } else {
    sending.drafts.keep(draft);
  }
}

function dispatch(action) {
  changeDraft({ ...draft, state: act(table.layout, draft.state, action) });
}

function changeLog(log) {
  changeDraft(withLog(table.layout, draft, log, boot.ruleset));
}

function changeDraft(changed) {
  draft = changed;
  keep();
  showFaults(part("faults"), []);
  screen.drawEntry({ table, draft, live });
  askScore();
}

/** Asks for the score of what is entered so far. */
function askScore() {
  const asked = draft.state.facts;
  scorer.ask(toRecord(table.layout, draft.state, { partial: true }), (answer) => {
    if (asked === draft.state.facts) {
      live = answer;
      screen.drawLive({ table, draft, live });
    }
  });
}

// -- commands

/** Keeps a command, shows the table as it will be, and sends; false where the tablet cannot keep it. */
function send(path, body, label) {
  return sendAll([{ path, body, label }]);
}

/** What commands say, whenever they were made. */
const meaningOf = (commands) => JSON.stringify(commands.map(({ path, body: { tablet_at: _at, ...body } }) => [path, body]));

/** The same for several that belong together. `fromDraft`: they are what was being entered; `instead`: see outbox.js. */
async function sendAll(commands, how = {}) {
  // A finger that taps twice, before the tablet has kept what the first tap asked for, asks for it once.
  const meant = meaningOf(commands);
  if (keeping.has(meant)) {
    return false;
  }
  keeping.add(meant);
  try {
    return await keepAndSend(commands, how);
  } finally {
    keeping.delete(meant);
  }
}

async function keepAndSend(commands, { fromDraft = false, instead = null }) {
  // A deal declared void takes along what was being entered of it.
  const isVoid = commands[0].path.endsWith(`/deals/${draft.number}/void/`) && !draft.correcting && !draft.replaces;
  if (!(await sending.add({ commands, fromDraft: fromDraft || isVoid, instead }))) {
    return false;
  }
  draft = isVoid ? emptyDraft() : draft;
  afterwards(commands[0].path, fromDraft);
  sending.send();
  return true;
}

/** What the page shows after a command has been kept. */
function afterwards(path, fromDraft) {
  table = projected();
  const [, number, action] = /\/deals\/(\d+)\/(\w+)\/$/.exec(path) ?? [];
  if (fromDraft) {
    draft = emptyDraft();
    live = null;
    selected = Number(number);
    part("page-top").scrollIntoView({ block: "start" });
  } else if (["check", "sign", "undo", "void"].includes(action)) {
    const next = table.deals.find((deal) => deal.number === Number(number) ? deal.state === "recorded" : waitsHere(table, deal));
    selected = next?.number ?? (table.next === null ? Number(number) : null);
    if (!isWorthKeeping(table, draft)) {
      draft = emptyDraft();
    }
  }
  draw();
}

/** The server has it: its word on the table counts. */
function answered(entry, answer) {
  if (entry.table === served.id) {
    take(answer.table);
  }
}

/** The server does not take it. It stays here until a person decides. */
function refused(entry) {
  if (entry.table !== served.id) {
    return;
  }
  if (entry.data?.table) {
    take(entry.data.table);
  }
  if (isConflict(entry)) {
    resolveConflict(entry);
  }
}

function take(told) {
  heard += 1;
  served = heardNow(told);
  sending.keepKnown(served);
  settle();
}

/** What follows from another state of the server, or from something else waiting. */
function settle() {
  table = projected();
  draft = followTable(table, draft);
  draw();
}

function projected() {
  return project(served, sending.waiting(), { plan: boot.plan, ruleset: boot.ruleset, now: tabletTime() }, texts);
}

/** The page may have been kept for days: whichever of it and what was kept here is the server's later word. */
async function latestKnown() {
  const kept = await sending.lastKnown();
  if (kept?.got && kept.at >= boot.table.at) {
    return kept;
  }
  const told = heardNow(boot.table);
  sending.keepKnown(told);
  return told;
}

/** Somebody else's record came first: a person sees both and decides; neither is dropped. */
function resolveConflict(entry) {
  return settleConflict(entry, {
    sending,
    ask: (current, mayReplace) =>
      askConflict(part("conflict"), { table, current, offered: entry.body.record, texts, mayReplace }),
    shown: (number) => {
      selected = isWorthKeeping(table, draft) ? selected : number;
      settle();
    },
  });
}

/** Takes an entry that waits, or was refused, back into the entry page; its place in the order stays. */
function editWaiting(entry) {
  enter(draftOfWaiting(entry, table.layout));
}

/** Goes on with what another tablet's file holds of this table's entry; false where it is of no such table. */
function restoreDraft(kept) {
  const found = restoredDraft(table, kept);
  if (found) {
    enter(found);
  }
  return found !== null;
}

/** Opens the entry page with another draft. */
function enter(other) {
  draft = other;
  live = null;
  selected = null;
  keep();
  askScore();
  draw();
}

async function submit() {
  const open = questions(table.layout, draft.state);
  if (open.length) {
    showFaults(part("faults"), [texts.stillMissing]);
    part("entry-missing").scrollIntoView({ block: "center" });
    return;
  }
  const { number, replaces } = draft;
  const shown = { layout: table.layout, shown: live?.points ?? null, seating: seatingShown(table, served.offline) };
  const commands = entryCommands(draft, { ...shown, path: `${boot.api}deals/${number}/`, label: dealLabel(), logTitle: texts.trickLog.title });
  showFaults(part("faults"), commands.length ? [] : [texts.trickLog.empty]);
  if (!commands.length) {
    return;
  }
  // As a new one where the server has the entry by now.
  await sendAll(commands, { fromDraft: true, instead: sending.waiting().find((one) => one.seq === replaces) });
}

const dealLabel = () => say(texts.dealNumber, { deal: draft.number });

function startCorrection(deal, reason) {
  startContest(deal, { purpose: "correct", seat: "", reason });
}

function startContest(deal, correcting) {
  enter(contestDraft(table, deal, correcting, draft.state.enteredSeat));
}

function giveRuling(deal, ruled) {
  return askRuling({ dialog: part("ruling"), ask: askForm, send, api: boot.api, deal, seats: table.layout.seats, texts, ruled });
}

/** An exposure ruled while the deal is played is so in its entry. */
function ruledInEntry(kind, facts) {
  if (kind === "exposure") {
    dispatch(exposureAction(facts));
  }
}

function startReplay(deal) {
  draft = { ...emptyDraft(), number: deal.number, basedOn: deal.version };
  selected = null;
  draw();
}

// -- drawing

function draw() {
  screen.draw({ table, draft, selected, live });
}

function show(number) {
  const known = table.deals.some((deal) => deal.number === number && deal.state !== "withdrawn");
  selected = known ? number : null;
  draw();
}

function showEntryPane() {
  selected = null;
  if (!draft.replaces && !isWorthKeeping(table, draft)) {
    draft = emptyDraft();
  }
  draw();
}

async function refresh() {
  if (document.hidden) {
    return;
  }
  sending.send();
  const before = heard;
  const mine = (asking += 1);
  try {
    const { table: told } = await request(boot.api, { unsent: sending.count() });
    if (mine === asking) {
      sending.asked(null);
    }
    // What a command was answered meanwhile is later.
    if (heard === before) {
      take(told);
    }
  } catch (fault) {
    if (!(fault instanceof NotSent || fault instanceof Refusal)) {
      throw fault;
    }
    if (mine === asking) {
      sending.asked(fault);
    }
  }
}

// -- start

buildPenaltyForm(part("penalty").querySelector("form"), {
  articles: boot.articles,
  punished: boot.punished,
  givenHere: () => table.penalties.filter((one) => !one.cancelled),
  texts,
});
part("submit").addEventListener("click", submit);
part("go-entry").addEventListener("click", showEntryPane);
part("void-current").addEventListener("click", () => run.void({ number: draft.number, version: draft.basedOn }));
part("next-segment").addEventListener("click", () => run.startSegment(table));
part("stop").addEventListener("click", () => run.stopOrResume(table));
buildRulingForm(part("ruling").querySelector("form"), { texts, ruleset: boot.ruleset, seats: boot.table.seats.length });
part("give-ruling").addEventListener("click", () => giveRuling({ number: draft.number, version: draft.basedOn }, ruledInEntry));
part("log-tricks").addEventListener("click", () => {
  changeLog(newLog());
  // After steady.js has kept the pad where it was: the log was asked for, and lies above it.
  requestAnimationFrame(() => requestAnimationFrame(() => part("tricks").scrollIntoView({ block: "start" })));
});
part("give-penalty").addEventListener("click", () => run.givePenalty());
part("stop-correcting").addEventListener("click", () => {
  draft = emptyDraft();
  sending.drafts.drop();
  draw();
});
part("entered-by").querySelector('[data-seat=""]').hidden = boot.tablet !== "";
for (const button of part("entered-by").querySelectorAll("button")) {
  button.addEventListener("click", () => dispatch({ type: "entered", seat: button.dataset.seat }));
}
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !part("pane-entry").hidden && !event.target.closest("input, textarea, dialog")) {
    event.preventDefault();
    dispatch({ type: event.shiftKey ? "redo" : "undo" });
  }
});
addEventListener("online", refresh);
document.addEventListener("visibilitychange", refresh);
setInterval(refresh, REFRESH);

ready = true;
draw();
askScore();
sending.send();
refresh();
installWorker(boot.worker.address, boot.worker.scope, texts);
