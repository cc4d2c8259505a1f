/** What stands around the panes of the table's page: its plan and state, its buttons, and the score while cards are tapped. */

import { el, fill, minus, say } from "./dom.js";
import { drawTime } from "./time_note.js";

/** The table's plan, state and buttons; `number` is the deal that the way back to the entry names. `timeIsUp()`: see time_note.js. */
export function drawFrame(part, { table, texts, tablet, showEntry, number, timeIsUp }) {
  part("live-panel").hidden = !showEntry;
  part("plan").textContent = table.segment ? `${table.plan_text} · ${table.segment}` : table.plan_text;
  part("next-segment").hidden = table.next_segment === null;
  // Seats change between segments, and substitutes come in.
  for (const { seat, sign, name, player } of table.seats) {
    document.querySelector(`#entered-by [data-seat="${seat}"]`)?.setAttribute("aria-label", `${name} ${player}`);
    for (const place of document.querySelectorAll(`dialog [data-player="${seat}"]`)) {
      place.textContent = place.tagName === "OPTION" ? `${sign} ${player}` : player;
    }
  }
  const state = part("table-state");
  state.textContent = state.title = table.state_text;
  state.className = `badge ${{ playing: "badge--note", waiting: "badge--warn", done: "badge--good", closed: "badge--plain" }[table.state]}`;
  const next = part("go-entry");
  next.hidden = showEntry || table.next === null;
  next.textContent = say(texts.enterDeal, { deal: number });
  part("stop").textContent = table.stopped ? texts.resume : texts.stop;
  // A tablet on which nobody is logged in ends no play and punishes nobody.
  part("stop").hidden = part("give-penalty").hidden = !table.playing || tablet !== "";
  drawTime(part("time-note"), table.stopped ? null : table.time, { texts, timeIsUp });
  part("stop-note").hidden = !table.stopped;
  part("stop-note").textContent = table.stopped ? say(texts.stoppedBecause, { reason: table.stopped }) : "";
}

/** Above the entry: which deal, whether it is a correction and why, and who keeps the score. */
export function drawEntryHead(part, { draft, title, texts }) {
  part("entry-title").textContent = title;
  part("correcting").hidden = !draft.correcting;
  part("correcting-title").textContent = texts.purposes[draft.correcting?.purpose] ?? "";
  part("correcting-reason").textContent = draft.correcting?.reason ?? "";
  // Who shuffles is said of the next deal, and what else can be done with one on record stands beside that.
  for (const id of ["procedure", "give-ruling", "void-current"]) {
    part(id).hidden = Boolean(draft.correcting);
  }
  // Nobody disputes by a log: that is compared by whoever keeps it.
  part("log-tricks").hidden = Boolean(draft.log) || draft.correcting?.purpose === "dispute";
  document.body.classList.toggle("has-log", Boolean(draft.log));
  document.body.classList.toggle("is-logging", draft.correcting?.purpose === "log");
  for (const button of part("entered-by").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.seat === draft.state.enteredSeat));
  }
}

/** The score of what is tapped so far, or what keeps it from being worked out. */
export function drawLiveScore(target, { table, live, texts }) {
  const waiting = live?.errors?.some((error) => error.code === "held_missing");
  const faults = (live?.errors ?? []).filter((error) => error.code !== "held_missing");
  fill(
    target,
    live?.scores
      ? table.seats.map(({ seat, sign }) => {
          const line = live.scores[seat];
          return el(
            "div",
            { class: "live__line" },
            el("span", { class: "seat" }, sign),
            el("strong", { class: "live__score" }, line.credited === line.score ? line.score : `${line.score} → ${line.credited}`),
            el("span", { class: "formula" }, minus(line.formula)),
          );
        })
      : el("p", { class: "muted" }, waiting ? texts.scoreNeedsHolder : texts.noScoreYet),
    faults.map((error) => el("p", { class: "live__fault" }, error.message)),
  );
}
