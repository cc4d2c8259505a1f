/**
 * The board, kept up to date: the tables are asked for again every few seconds and drawn anew only when something about
 * them has changed (304 otherwise). Clocks run here, so that a running clock changes nothing at the server.
 */

import { say } from "./dom.js";

const EVERY = 4000;
const PATIENCE = 10000;

const region = document.getElementById("board");
const fresh = document.getElementById("board-fresh");
const texts = JSON.parse(document.getElementById("texts").textContent);
const title = document.title;

let etag = null;
let asking = false;
let answered = new Date();

/** 4:07, or 1:04:07 from an hour on. */
export function elapsed(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}

function tick() {
  for (const clock of region.querySelectorAll("time.clock")) {
    const label = clock.querySelector(".visually-hidden");
    clock.replaceChildren(...(label ? [label] : []), ` ${elapsed(Date.now() - new Date(clock.dateTime))}`);
  }
}

/** Draws the tables anew; what had the focus keeps it, and the page says how many calls nobody has taken. */
function draw(markup) {
  const focused = region.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  region.replaceChildren(...parsed.body.childNodes);
  if (focused) {
    region.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
  nameCalls();
  tick();
}

function nameCalls() {
  const calls = Number(region.querySelector("[data-calls]")?.dataset.calls ?? 0);
  document.title = calls ? `(${calls}) ${title}` : title;
}

function tell(text, stale) {
  if (fresh.textContent !== text) {
    fresh.textContent = text;
  }
  fresh.classList.toggle("is-stale", stale);
}

async function ask() {
  if (asking || document.hidden) {
    return;
  }
  asking = true;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const response = await fetch(region.dataset.url, {
      headers: etag ? { "If-None-Match": etag } : {},
      cache: "no-store",
      credentials: "same-origin",
      redirect: "manual",
      signal: stop.signal,
    });
    if (response.type === "opaqueredirect" || response.status === 403) {
      tell(texts.loggedOut, true);
      return;
    }
    if (response.status === 200) {
      etag = response.headers.get("ETag");
      draw(await response.text());
    } else if (response.status !== 304) {
      throw new Error(`HTTP ${response.status}`);
    }
    answered = new Date();
    tell(texts.now, false);
  } catch {
    tell(say(texts.stale, { time: answered.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) }), true);
  } finally {
    clearTimeout(timer);
    asking = false;
  }
}

nameCalls();
tick();
ask();
setInterval(tick, 1000);
setInterval(ask, EVERY);
addEventListener("online", ask);
document.addEventListener("visibilitychange", ask);
