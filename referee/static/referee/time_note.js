/** What the table's page says about the clock of a timed round. */

import { say } from "./dom.js";

let timer = 0;

/** `time`: see timeNow in hall_clock.js; null hides the note. `timeIsUp()` is called when it changes by itself. */
export function drawTime(target, time, { texts, timeIsUp }) {
  clearTimeout(timer);
  target.hidden = !time;
  if (!time) {
    return;
  }
  const { up, left, last, wait, unsent, words } = time;
  const said = !up ? words.running : left ? say(words.last, { deal: last }) : words.over;
  target.textContent = up && unsent ? `${said} ${texts.lateUnsent}` : said;
  target.classList.toggle("banner--warn", up);
  target.classList.toggle("banner--note", !up);
  if (!up) {
    timer = setTimeout(timeIsUp, Math.min(wait * 1000 + 50, 2 ** 31 - 1));
  }
}
