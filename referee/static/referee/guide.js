/** Leads through a deal (docs/rules.md §6): shuffle and cut, dealing, the two clocks, play, captured cards. */

import { countDown } from "./clock.js";
import { el, fill, say } from "./dom.js";

/** The steps of a deal: [{key, seconds}], seconds 0 where nothing is waited for. `clocks`: {first, expose}, in seconds. */
export function stepsOf(clocks) {
  return [
    { key: "shuffle", seconds: 0 },
    ...(clocks.first ? [{ key: "first", seconds: clocks.first }] : []),
    ...(clocks.expose ? [{ key: "expose", seconds: clocks.expose }] : []),
    { key: "play", seconds: 0 },
    { key: "captures", seconds: 0 },
  ];
}

/** Builds the guide into `root`. Gives {update({number, started, playing, correcting})}: which
 * deal, whether captured cards are entered, whether its tricks are being logged. */
export function buildGuide(root, { clocks, texts }) {
  const steps = stepsOf(clocks);
  const last = steps.length - 1;
  let deal = null;
  let at = 0;
  let clock = null;
  let left = null;

  function go(place) {
    clock?.stop();
    clock = null;
    left = null;
    at = Math.max(0, Math.min(last, place));
    draw();
  }

  function start(seconds) {
    clock?.stop();
    clock = countDown(seconds, (now) => {
      left = now;
      draw();
    });
  }

  function draw() {
    const { key, seconds } = steps[at];
    root.dataset.step = key;
    fill(
      root,
      el(
        "ol",
        { class: "guide__steps" },
        steps.map((step, place) =>
          el(
            "li",
            { class: place < at ? "is-done" : null, "aria-current": place === at ? "step" : null },
            texts.guide[step.key],
          ),
        ),
      ),
      el("p", { class: "guide__text" }, texts.guideHelp[key]),
      el(
        "div",
        { class: "guide__tools" },
        seconds
          ? el(
              "button",
              {
                type: "button",
                class: `button guide__clock${left === 0 ? " is-over" : ""}`,
                "data-key": "guide-clock",
                onclick: () => start(seconds),
              },
              el("span", { class: "guide__left", role: "timer" }, left === null ? say(texts.seconds, { seconds }) : String(left)),
              ` ${left === null ? texts.startClock : left === 0 ? texts.timeUp : texts.restartClock}`,
            )
          : null,
        at > 0 ? el("button", { type: "button", class: "button", "data-key": "guide-back", onclick: () => go(at - 1) }, texts.stepBack) : null,
        at < last
          ? el("button", { type: "button", class: "button", "data-key": "guide-next", onclick: () => go(at + 1) }, texts.stepNext)
          : null,
      ),
    );
    root.hidden = false;
  }

  return {
    update({ number, started, playing, correcting }) {
      root.hidden = correcting || number === null;
      if (number !== deal) {
        deal = number;
        go(0);
      }
      if (playing && at < last - 1) {
        go(last - 1);
      }
      if (started && at < last) {
        go(last);
      }
      root.hidden = correcting || number === null;
    },
  };
}
