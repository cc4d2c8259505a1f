// An open page follows what is published: it asks whether it still holds and, where not, changes in place. Most answers
// are "304 not modified", which cost the server a fraction of a millisecond. Without this script a reload does the same.

import { morph } from "./morph.js";

/** A server that is busy is asked less and less often, up to this many milliseconds. */
const LONGEST = 60_000;
/** Waiting for an answer may take a quarter of the time: a slow server is asked less often without being told so. */
const SHARE = 4;
const TIMEOUT = 20_000;
/** Those who listen are told at most this often that the page has changed. */
const TELL_EVERY = 30_000;

/** How long to wait after an answer. `faults` are failures in a row, `took` and the rest are milliseconds. */
export function pause({ base, took = 0, faults = 0, retryAfter = 0, chance = Math.random() }) {
  const usual = Math.max(base, took * SHARE) * 2 ** Math.min(faults, 10);
  const asked = Math.max(usual, retryAfter);
  // Pages opened together would otherwise ask together for ever.
  return Math.min(asked, Math.max(LONGEST, retryAfter)) * (0.9 + 0.2 * chance);
}

/** Milliseconds of a Retry-After header, in seconds or as a date; 0 without one. */
export function retryAfter(text, now = Date.now()) {
  if (!text) {
    return 0;
  }
  const seconds = Number(text);
  return Math.max(0, Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now || 0);
}

/** Where the reader is: elements with an id down the window, and where each stands. */
function place() {
  const found = new Map();
  for (let part = 1; part < 16; part += 1) {
    const there = document.elementFromPoint(innerWidth / 2, (innerHeight * part) / 16)?.closest("main [id]");
    if (there) {
      found.set(there.id, there.getBoundingClientRect().top);
    }
  }
  return found;
}

/** How far what the reader sees has moved: the median, for one row of a table may have moved by many ranks. */
function shift(places) {
  const moved = [...places]
    .map(([id, top]) => [document.getElementById(id), top])
    .filter(([one]) => one)
    .map(([one, top]) => one.getBoundingClientRect().top - top)
    .sort((one, other) => one - other);
  return moved.length ? moved[Math.floor(moved.length / 2)] : 0;
}

function teller(text) {
  const line = document.createElement("p");
  line.className = "visually-hidden";
  line.setAttribute("role", "status");
  document.body.append(line);
  let last = -Infinity;
  return () => {
    if (performance.now() - last > TELL_EVERY) {
      last = performance.now();
      line.textContent = "";
      setTimeout(() => (line.textContent = text), 100);
    }
  };
}

/** Shows the main part of another version of this page, where the reader is. */
function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const main = document.querySelector("main");
  const wanted = page.querySelector("main");
  if (!wanted || main.isEqualNode(wanted)) {
    return false;
  }
  const places = scrollY > 0 ? place() : [];
  const focused = document.activeElement;
  morph(main, wanted);
  document.title = page.title;
  if (focused !== document.activeElement && focused.isConnected) {
    focused.focus({ preventScroll: true });
  }
  scrollBy({ top: shift(places), behavior: "instant" });
  return true;
}

function follow(main) {
  const base = Number(main.dataset.poll);
  const tell = teller(main.dataset.renewed);
  const address = location.pathname + location.search;
  let tag = null;
  let faults = 0;
  let timer = 0;
  let asking = false;

  async function ask() {
    const began = performance.now();
    let wait = 0;
    try {
      const answer = await fetch(address, { cache: "no-cache", signal: AbortSignal.timeout(TIMEOUT) });
      if (answer.ok || answer.status === 404) {
        faults = 0;
        const current = answer.headers.get("ETag");
        if (current === null || current !== tag) {
          if (show(await answer.text())) {
            tell();
          }
          tag = current;
        }
      } else {
        faults += 1;
        wait = retryAfter(answer.headers.get("Retry-After"));
      }
    } catch {
      faults += 1; // no network, or no answer in time
    }
    return pause({ base, took: performance.now() - began, faults, retryAfter: wait });
  }

  async function turn() {
    clearTimeout(timer);
    if (asking || document.hidden) {
      return;
    }
    asking = true;
    const wait = await ask();
    asking = false;
    timer = setTimeout(turn, wait);
  }

  document.addEventListener("visibilitychange", turn);
  addEventListener("online", turn);
  timer = setTimeout(turn, pause({ base }));
}

const main = document.querySelector("main[data-poll]");
if (main) {
  follow(main);
}
