/**
 * The table's page drawn from what page.js holds: {table (project.js), draft (drafting.js), selected: the deal that is shown or
 * null, live: the score of what is entered so far or null}. Decides nothing and keeps nothing.
 */

import { questions } from "./deal.js";
import { logOf } from "./drafting.js";
import { fill, say } from "./dom.js";
import { buildEntry } from "./entry.js";
import { drawEntryHead, drawFrame, drawLiveScore } from "./frame.js";
import { buildGuide } from "./guide.js";
import { drawDeal, drawPenalties, drawProcedure, drawSheet } from "./panels.js";
import { drawRulings, rulingsOn } from "./ruling.js";
import { keepSteady } from "./steady.js";
import { buildTrickPanel } from "./trick_panel.js";

/** A second tap comes within this time, in milliseconds. */
const SECOND_TAP = 350;

/**
 * Builds what stays on the page; `part(id)` gives its places. What is tapped goes to `run[action](…)` (actions.js) and to
 *   dispatch(action)    an action of deal.js
 *   changeLog(log)      another log of tricks, null where it is put away
 *   takeLog()           the log's captures become the entry's
 *   choosePig(seat)     who took the first ♠Q of the deal before
 *   open(number)        that deal is to be shown
 *   timeIsUp()          the time of a timed round changes by itself
 */
export function buildScreen(part, { boot, texts, run, dispatch, changeLog, takeLog, choosePig, open, timeIsUp }) {
  const guide = buildGuide(part("guide"), { clocks: boot.clocks, texts });
  const tricks = buildTrickPanel(part("tricks"), { texts, change: changeLog, take: takeLog, close: () => changeLog(null) });
  const entry = buildEntry(part("entry"), part("entry-missing"), { texts, dispatch });
  /** Which pane of which deal is shown. */
  let shown = null;
  let timer = 0;
  const dealLabel = ({ number }) => (number === null ? "" : say(texts.dealNumber, { deal: number }));

  function drawEntry({ table, draft, live }) {
    tricks.update({ table, draft, read: logOf(table.layout, draft, boot.ruleset) });
    drawEntryHead(part, { draft, title: dealLabel(draft), texts });
    fill(part("entry-rulings"), draft.number === null ? null : rulingsOn(draft.number, table, texts));
    guide.update({
      number: draft.number,
      started: Object.keys(draft.state.facts.owners).length > 0 && !draft.log,
      playing: Boolean(draft.log?.moves.length),
      correcting: Boolean(draft.correcting),
    });
    part("submit").classList.toggle("is-incomplete", questions(table.layout, draft.state).length > 0);
    entry.update(table, draft.state, live);
  }

  function drawLive({ table, draft, live }) {
    drawLiveScore(part("live"), { table, live, texts });
    entry.update(table, draft.state, live);
  }

  /** The second tap of a finger that taps twice is meant for what was there before. */
  function ignoreSecondTap() {
    part("panes").classList.add("is-new");
    clearTimeout(timer);
    timer = setTimeout(() => part("panes").classList.remove("is-new"), SECOND_TAP);
  }

  function draw(state) {
    const { table, draft, selected } = state;
    const deal = table.deals.find((one) => one.number === selected);
    const showEntry = !deal && (table.next !== null || draft.correcting !== null || Boolean(draft.replaces));
    const before = shown;
    shown = showEntry ? `entry ${draft.number}` : `deal ${deal?.number}`;
    if (before !== null && before !== shown) {
      ignoreSecondTap();
    }
    part("pane-deal").hidden = !deal;
    part("pane-entry").hidden = !showEntry;
    part("pane-over").hidden = Boolean(deal) || showEntry;
    if (deal) {
      drawDeal(part("pane-deal"), { table, deal, texts, run: (action, ...rest) => run[action](...rest) });
    }
    drawProcedure(part("procedure"), table, { firstPig: draft.firstPig, choose: choosePig, texts });
    drawSheet(part("sheet"), { table, texts, selected: deal?.number ?? (showEntry ? draft.number : null), open });
    drawRulings(part("rulings"), table.rulings, texts);
    drawPenalties(part("penalties"), { table, texts, cancel: run.cancelPenalty });
    drawFrame(part, { table, texts, tablet: boot.tablet, showEntry, number: draft.number ?? table.next, timeIsUp });
    drawEntry(state);
    drawLive(state);
  }

  keepSteady({
    panes: ["pane-entry", "pane-deal", "pane-over"].map(part),
    room: part("room"),
    watched: [part("page-top"), ...part("main").children, ...part("pane-entry").children],
    usual: (pane) => pane.querySelector(".pad") ?? pane,
  });
  return { draw, drawEntry, drawLive };
}
