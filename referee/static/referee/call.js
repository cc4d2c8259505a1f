/**
 * The button that calls a referee: one tap. The call's id is made once and kept until the server has answered, so that a
 * tap that has to be sent again is one call. While a call is open its state is asked for; otherwise nothing is sent.
 */

import { NotSent, Refusal, newId, request } from "./api.js";

const EVERY = 8000;

const boot = JSON.parse(document.getElementById("boot").textContent);
const texts = JSON.parse(document.getElementById("call-texts").textContent);
const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
const button = document.getElementById("call-referee");
const note = document.getElementById("call-note");
const said = document.getElementById("call-text");
const back = document.getElementById("call-withdraw");
const path = `${boot.api}call/`;

let call = boot.table.call;
let pending = null;
let trouble = "";
let busy = false;

function draw() {
  button.hidden = !boot.table.playing;
  button.disabled = Boolean(call || pending);
  button.textContent = pending ? texts.calling : call ? texts.called : texts.call;
  said.textContent = trouble || call?.text || "";
  note.hidden = !said.textContent;
  note.className = `banner ${trouble ? "banner--bad" : "banner--note"}`;
  back.hidden = !call || call.taken;
}

async function send() {
  if (!pending || busy) {
    return;
  }
  busy = true;
  try {
    const answer = await request(pending.path, { body: pending.body, token });
    pending = null;
    trouble = "";
    call = answer.table.call;
  } catch (fault) {
    if (fault instanceof NotSent) {
      trouble = texts.notSent;
    } else if (fault instanceof Refusal) {
      pending = null;
      trouble = fault.errors.map((error) => error.message).join(" ");
      call = fault.data?.table?.call ?? call;
    } else {
      throw fault;
    }
  } finally {
    busy = false;
    draw();
  }
}

function start(address) {
  if (!pending) {
    pending = { path: address, body: { command_id: newId() } };
    trouble = "";
    draw();
    send();
  }
}

async function look() {
  if (document.hidden || busy) {
    return;
  }
  if (pending) {
    await send();
    return;
  }
  if (!call) {
    return;
  }
  try {
    call = (await request(path)).call;
    trouble = "";
    draw();
  } catch (fault) {
    if (!(fault instanceof NotSent || fault instanceof Refusal)) {
      throw fault;
    }
  }
}

button.addEventListener("click", () => start(path));
back.addEventListener("click", () => start(`${path}withdraw/`));
addEventListener("online", look);
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
draw();
