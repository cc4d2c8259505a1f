/**
 * The log of tricks on the screen: the trick on the table, whose turn it is, all cards, what the rules do not allow, and
 * where the captured cards entered differ. Decides nothing: trick_log.js does.
 */

import { cardFace, cardText, el, fill, say } from "./dom.js";
import { actOnLog, copiesLeft, currentTrick, differencesOf, isWhole, playSize, tricksOf, turnOf } from "./trick_log.js";

const SUITS = ["S", "H", "C", "D"];
const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];

/**
 * Builds the panel into `root`. `change(log)` is told of every tap, `take()` puts the log's captures into the entry,
 * `close()` puts an empty log away. Gives {update({table, draft, read})}; `read`: see readLog of trick_log.js.
 */
export function buildTrickPanel(root, { texts, change, take, close }) {
  const words = texts.trickLog;
  const pad = el("div", { class: "tricks__pad", role: "group", "aria-label": words.cards });
  const now = el("div", { class: "tricks__now", role: "group", "aria-label": words.onTable });
  const say1 = el("p", { class: "tricks__say", "aria-live": "polite" });
  const tools = el("div", { class: "tools" });
  const notes = el("div", { class: "tricks__notes", role: "status" });
  const played = el("ol", { class: "tricks__played" });
  const cards = new Map();
  let shown = null;

  const does = (action) => change(actOnLog(shown.layout, shown.log, action));
  for (const suit of SUITS) {
    for (const rank of RANKS) {
      const card = suit + rank;
      const button = el(
        "button",
        { type: "button", class: "tricks__card", "data-suit": suit, "data-card": card, onclick: () => does({ type: "card", card }) },
        el("span", {}, cardText(card)),
        el("small", { class: "tricks__left" }),
      );
      cards.set(card, button);
    }
  }
  fill(pad, SUITS.map((suit) => el("div", { class: "tricks__suit" }, RANKS.map((rank) => cards.get(suit + rank)))));
  fill(
    root,
    el("h2", {}, words.title),
    say1,
    now,
    tools,
    pad,
    notes,
    el("details", { class: "tricks__all" }, el("summary", {}, words.played), played),
  );

  function drawNow(layout, log, seats, turn) {
    const plays = currentTrick(layout, log);
    fill(
      now,
      seats.map(({ seat, sign, name, player }, place) => {
        const play = plays.find((one) => one.seat === seat);
        const half = seat === turn && log.half ? [log.half] : [];
        return el(
          "button",
          {
            type: "button",
            class: "tricks__seat",
            "data-place": place,
            "data-seat": seat,
            "data-key": `turn-${seat}`,
            "aria-pressed": String(seat === turn),
            "aria-label": say(play ? words.hasPlayed : words.turnTo, { seat: `${name} ${player}` }),
            disabled: Boolean(play),
            onclick: () => does({ type: "turn", seat }),
          },
          el("span", { class: "seat" }, sign),
          el("span", { class: "tricks__name" }, player),
          el("span", { class: "tricks__face" }, (play?.cards ?? half).map((card) => cardFace(card))),
        );
      }),
    );
  }

  function drawTools(layout, log, differs) {
    const tool = (key, label, usable, onclick, pressed) =>
      el("button", { type: "button", class: "button", "data-key": `log-${key}`, disabled: !usable, onclick, "aria-pressed": pressed }, label);
    const between = currentTrick(layout, log).length === 0;
    fill(
      tools,
      tool("undo", `↶ ${texts.undo}`, log.moves.length > 0 || Boolean(log.half), () => does({ type: "undo" })),
      tool("redo", `↷ ${texts.redo}`, log.undone.length > 0, () => does({ type: "redo" })),
      layout.decks === 2 ? tool("pair", words.pair, between, () => does({ type: "pair", value: !log.pair }), String(log.pair)) : null,
      differs ? tool("take", words.take, true, take) : null,
      log.moves.length ? null : tool("close", words.close, true, close),
    );
  }

  function drawNotes(table, read, differs) {
    const named = (seat) => table.seats.find((one) => one.seat === seat)?.name ?? seat;
    const list = (seats) => seats.map(named).join(texts.betweenNames) || texts.nobody;
    fill(
      notes,
      read.irregularities.length
        ? el(
            "ul",
            { class: "errorlist tricks__faults" },
            read.irregularities.map(({ code, trick, seat, card }) =>
              el("li", { "data-code": code }, say(words.irregularities[code], { trick, seat: named(seat), card: card ? cardText(card) : "" })),
            ),
          )
        : null,
      differs.length
        ? el(
            "div",
            { class: "banner banner--warn" },
            el("p", {}, words.differs),
            el(
              "ul",
              { class: "tricks__differs" },
              differs.map(({ card, entered, logged }) =>
                el("li", { "data-card": card }, cardFace(card), " ", say(words.difference, { logged: list(logged), entered: list(entered) })),
              ),
            ),
          )
        : null,
    );
  }

  function drawPlayed(layout, log, table, read) {
    const sign = (seat) => table.seats.find((one) => one.seat === seat)?.sign ?? seat;
    fill(
      played,
      tricksOf(layout, log).map((plays, place) =>
        el(
          "li",
          {},
          plays.map(({ seat, cards: those }) => [el("span", { class: "seat" }, sign(seat)), those.map((card) => cardFace(card)), " "]),
          plays.length === layout.seats.length ? el("strong", {}, ` → ${sign(read.takers[place])}`) : null,
        ),
      ),
    );
  }

  return {
    update({ table, draft, read }) {
      root.hidden = draft.log === null;
      if (draft.log === null) {
        return;
      }
      const { layout } = table;
      const { log } = draft;
      shown = { layout, log };
      const turn = turnOf(layout, log);
      const whole = isWhole(layout, log);
      const differs = differencesOf(layout, draft.state.facts.owners, read.taken);
      const number = Math.floor(log.moves.length / layout.seats.length) + 1;
      const player = table.seats.find((one) => one.seat === turn);
      say1.textContent = whole
        ? words.whole
        : turn === null
          ? words.whoLeads
          : say(words.turn, { trick: number, seat: player.name, player: player.player });
      drawNow(layout, log, table.seats, whole ? null : turn);
      const pair = playSize(layout, log) === 2 && currentTrick(layout, log).length === 0;
      for (const [card, button] of cards) {
        const left = copiesLeft(layout, log, card);
        button.disabled = whole || turn === null || left === 0 || (pair && left < 2);
        button.classList.toggle("is-gone", left === 0);
        button.lastElementChild.textContent = layout.decks === 2 && left > 0 ? `×${left}` : "";
        button.setAttribute("aria-label", layout.decks === 2 ? `${cardText(card)} ×${left}` : cardText(card));
      }
      drawTools(layout, log, differs.length > 0 && draft.correcting?.purpose !== "log");
      drawNotes(table, read, differs);
      drawPlayed(layout, log, table, read);
    },
  };
}
