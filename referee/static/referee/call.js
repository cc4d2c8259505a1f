/**
 * The button that calls a referee: one tap, kept until the server has it (calls_kept.js). While a call is open its state is
 * asked for; otherwise nothing is sent.
 */

import { NotSent, Refusal, csrfToken, request } from "./api.js";
import { buildCalls } from "./calls_kept.js";
import { memoryStore, openStore } from "./store.js";

const EVERY = 8000;
/** So long may a call be under way before the page says that it is not there yet, in milliseconds. */
const PATIENCE = 3000;

const boot = JSON.parse(document.getElementById("boot").textContent);
const texts = JSON.parse(document.getElementById("call-texts").textContent);
const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
const button = document.getElementById("call-referee");
const note = document.getElementById("call-note");
const said = document.getElementById("call-text");
const back = document.getElementById("call-withdraw");
const path = `${boot.api}call/`;
const table = boot.table.id;

let call = boot.table.call;
let trouble = "";
let calls = null;
/** Grows with everything that is done about the call: an answer to what was asked before says nothing of now. */
let steps = 0;

const store = await openStore(() => ({ calls: calls?.held() ?? [] })).catch(() => memoryStore());
// The page may have been kept for days: the server's last word may be later.
const known = await store.get("states", table).catch(() => null);
if (known?.got && known.at >= boot.table.at) {
  call = known.call;
}
calls = await buildCalls({
  store,
  request: (address, body) => request(address, { body, token: csrfToken() ?? token }),
  changed: () => calls && draw(),
  answered: (one, answer) => {
    if (one.table === table) {
      steps += 1;
      trouble = "";
      call = answer.table.call;
    }
  },
  refused: (one, fault) => {
    if (one.table === table) {
      steps += 1;
      // Taken back before it was there: as it was meant.
      const gone = one.back && fault.errors.some((error) => error.code === "no_call");
      trouble = gone ? "" : fault.message;
      call = gone ? null : fault.data?.table ? fault.data.table.call : call;
    }
  },
  unreachable: (fault) => {
    trouble = fault instanceof Refusal && calls.waiting(table) ? fault.message : notYet();
  },
});

/** What is to be said of what waits here. */
function notYet() {
  const one = calls.waiting(table);
  return one === null ? "" : one.back ? texts.notTakenBack : texts.notSent;
}

function draw() {
  const waits = calls.waiting(table);
  const calling = waits !== null && !waits.back;
  button.hidden = !boot.table.playing;
  button.disabled = calling || Boolean(call && !waits);
  button.textContent = calling ? (trouble ? texts.unsent : texts.calling) : call && !waits ? texts.called : texts.call;
  said.textContent = trouble || (waits ? "" : (call?.text ?? ""));
  note.hidden = !said.textContent;
  note.className = `banner ${trouble ? "banner--bad" : "banner--note"}`;
  back.hidden = waits ? waits.back : !call || call.taken;
}

async function start(step) {
  trouble = "";
  setTimeout(() => {
    trouble ||= notYet();
    draw();
  }, PATIENCE);
  await step();
  draw();
}

async function look() {
  if (document.hidden) {
    return;
  }
  await calls.send();
  if (!call || calls.waiting(table)) {
    return;
  }
  const before = steps;
  try {
    const told = await request(path);
    if (!calls.waiting(table) && steps === before) {
      call = told.call;
      trouble = "";
      draw();
    }
  } catch (fault) {
    if (!(fault instanceof NotSent || fault instanceof Refusal)) {
      throw fault;
    }
  }
}

button.addEventListener("click", () => start(() => calls.call(table, path)));
back.addEventListener("click", () => start(() => calls.takeBack(table, `${path}withdraw/`)));
addEventListener("online", look);
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
trouble = notYet();
draw();
look();
