// The screen on the wall: turns its slides, follows what is published, counts the round's time down. When the server is
// gone it goes on with what it has, says since when, and asks again.

/** Milliseconds between two questions, and the most when there was no answer. */
const ASK = 1_500;
const LONGEST = 30_000;

/** A slide with room to spare is made so much larger at most; what must not be cut off by it. */
const LARGEST = 1.75;
const CUT = "li .name, li .hall-club";

/** How many lines a text takes, at whatever zoom. */
function linesOf(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.bottom))).size;
}

/** Time left as people read it: 1:05:00, 9:59. Never below nothing. */
export function timeLeft(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, place) => (place ? String(part).padStart(2, "0") : String(part))).join(":");
}

/** The next slide to be shown: round and round, and the first where there are fewer than before. */
export function turned(place, count, step = 1) {
  return count ? (((place + step) % count) + count) % count : 0;
}

/** How long to wait before asking again after so many questions without an answer. */
export const patience = (faults) => Math.min(ASK * 2 ** faults, LONGEST);

function start() {
  const root = document.documentElement;
  const body = document.body;
  const slidesOf = () => [...document.querySelectorAll(".slide:not([hidden])")];
  const byId = (id) => document.getElementById(id);
  const words = byId("words").dataset;
  let place = 0;
  let stopped = false;
  let since = null;
  let ahead = 0; // the server's clock less this one's, in milliseconds
  let clock = {};

  /** The time of day where the tournament is held. */
  const hour = (moment) =>
    new Date(moment).toLocaleTimeString(root.lang, {
      hour: "2-digit",
      minute: "2-digit",
      timeZone: body.dataset.zone,
    });

  function show() {
    const slides = slidesOf();
    place = Math.min(place, Math.max(0, slides.length - 1));
    slides.forEach((slide, number) => slide.classList.toggle("is-shown", number === place));
    if (slides[place]) {
      fit(slides[place]);
    }
    byId("pages").textContent = slides.length > 1 ? `${place + 1} / ${slides.length}` : "";
  }

  /**
   * Long names get small letters. A slide that is still higher than the picture is made smaller as a whole, and
   * one that leaves room is made larger, as far as no name is cut off by it or needs a third line.
   */
  function fit(slide) {
    slide.style.zoom = 1;
    for (const name of slide.querySelectorAll("li .name:not(.is-long)")) {
      name.classList.toggle("is-long", name.scrollWidth > name.clientWidth);
    }
    const room = body.querySelector("footer").getBoundingClientRect().top;
    const tooHigh = () => slide.getBoundingClientRect().bottom > room + 1;
    const cut = () =>
      [...slide.querySelectorAll(CUT)].some((one) => one.scrollWidth > one.clientWidth || linesOf(one) > 2);
    for (let size = 0.95; size > 0.3 && tooHigh(); size -= 0.05) {
      slide.style.zoom = size;
    }
    if (slide.style.zoom !== "1") {
      return;
    }
    for (let size = 1.1; size < LARGEST; size += 0.1) {
      slide.style.zoom = size;
      if (tooHigh() || cut()) {
        slide.style.zoom = size - 0.1;
        return;
      }
    }
  }

  function turn(step = 1) {
    place = turned(place, slidesOf().length, step);
    show();
  }

  function tick() {
    const now = Date.now() + ahead;
    byId("time").textContent = hour(now);
    const ends = Date.parse(clock.ends_at ?? "");
    const starts = Date.parse(clock.starts_at ?? "");
    const wanted = ends ? [words.ends, ends] : starts > now ? [words.starts, starts] : null;
    byId("clock").hidden = !wanted;
    if (wanted) {
      const over = wanted[1] <= now;
      byId("clock-label").textContent = over ? words.over : wanted[0];
      byId("clock-time").textContent = timeLeft(wanted[1] - now);
      byId("clock").classList.toggle("is-over", over);
    }
  }

  function tellNotices(found) {
    byId("notices-list").replaceChildren(
      ...found.map((one) => {
        const line = document.createElement("li");
        const [title, text] = [document.createElement("strong"), document.createElement("span")];
        title.textContent = one.title;
        text.textContent = one.text;
        line.append(title, text);
        return line;
      }),
    );
    byId("notices").hidden = found.length === 0;
  }

  async function answer(address) {
    const response = await fetch(address, { cache: "no-cache", signal: AbortSignal.timeout(15_000) });
    if (!response.ok) {
      throw new Error(String(response.status));
    }
    return response;
  }

  const code = (page) => page.querySelector("script[type=module]")?.getAttribute("src");

  async function renew() {
    const asked = Date.now();
    const now = await (await answer(body.dataset.now)).json();
    ahead = Date.parse(now.now) - (asked + Date.now()) / 2;
    clock = now;
    tellNotices(now.announcements);
    const page = new DOMParser().parseFromString(await (await answer(location.href)).text(), "text/html");
    const wanted = page.getElementById("slides");
    if (wanted && code(page) !== code(document)) {
      location.reload(); // the site has a newer version of this script
    } else if (wanted && wanted.innerHTML !== byId("slides").dataset.source) {
      byId("slides").dataset.source = wanted.innerHTML;
      byId("slides").replaceChildren(...wanted.children);
    }
    show();
  }

  async function follow(faults = 0) {
    try {
      await renew();
      since = null;
      faults = 0;
    } catch {
      since ??= Date.now() + ahead;
      faults += 1;
    }
    const told = byId("state");
    told.textContent = since ? `${told.dataset.offline} ${hour(since)}` : "";
    setTimeout(follow, patience(faults), faults);
  }

  function theme(name) {
    root.dataset.theme = name;
    try {
      localStorage.setItem("screen-theme", name);
    } catch {
      // Kept for this page only.
    }
  }

  document.addEventListener("keydown", (event) => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    const actions = {
      f: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()),
      d: () => theme(dark ? "light" : "dark"),
      " ": () => (stopped = !stopped),
      ArrowRight: () => turn(1),
      ArrowLeft: () => turn(-1),
    };
    const action = !event.ctrlKey && !event.metaKey && !event.altKey && actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });

  let pointer;
  document.addEventListener("pointermove", () => {
    body.classList.add("has-pointer");
    clearTimeout(pointer);
    pointer = setTimeout(() => body.classList.remove("has-pointer"), 4_000);
  });

  try {
    const kept = localStorage.getItem("screen-theme");
    if (kept) {
      root.dataset.theme = kept;
    }
  } catch {
    // As the system has it.
  }
  byId("slides").dataset.source = byId("slides").innerHTML;
  body.classList.add("is-running");
  show();
  tick();
  setInterval(tick, 1_000);
  setInterval(() => stopped || turn(), Number(body.dataset.seconds) * 1_000);
  follow();
}

if (typeof document !== "undefined" && document.getElementById("slides")) {
  start();
}
