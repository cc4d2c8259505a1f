/**
 * The entry of a deal on the screen: exposures, seats, the pad of cards, what is missing.
 *
 * Draws a state of deal.js and turns taps into its actions; decides nothing itself. Buttons are made once and then only
 * changed, so that a finger or the keyboard never loses what it is on.
 */

import { capturedBy, cardOf, copiesOf, copiesOfCard, freeCopies, questions, seatWithAllHearts } from "./deal.js";
import { cardFace, cardRuns, cardText, el, fill, say } from "./dom.js";
import { listenForStrokes } from "./stroke.js";

/**
 * The entry in `root`; `missing` is where it says what is missing. `dispatch` takes an action of deal.js. Gives {update(table, state,
 * live)}: `table` is the server's table state, `live` the score of what is entered so far, or null. Whoever comes to sit at the
 * table is named at once: substitutes come in, players are exchanged and change seats between segments.
 */
export function buildEntry(root, missing, { texts, dispatch }) {
  let parts = null;
  let named = "";
  return {
    update(table, state, live) {
      const sitting = JSON.stringify(table.seats);
      if (sitting !== named) {
        parts = buildParts(root, missing, { table, texts, dispatch });
        named = sitting;
      }
      parts.update(state, live);
    },
  };
}

function buildParts(root, missing, { table, texts, dispatch }) {
  const { layout, seats } = table;
  const signs = Object.fromEntries(seats.map((one) => [one.seat, one.sign]));
  const names = Object.fromEntries(seats.map((one) => [one.seat, one.name]));

  const exposure = buildExposure({ layout, seats, texts, dispatch });
  const seatRow = buildSeats({ seats, texts, dispatch });
  const pad = buildPad({ layout, names, signs, texts, dispatch });
  const tools = buildTools({ seats, texts, dispatch });
  const swap = buildSwap({ layout, texts, dispatch });

  fill(root, exposure.node, seatRow.node, pad.node, tools.node, swap.node);

  return {
    update(state, live) {
      exposure.update(state);
      seatRow.update(layout, state, live);
      pad.update(state);
      tools.update(layout, state, names);
      swap.update(layout, state);
      fill(missing, describeMissing(layout, state, { names, texts }));
      missing.classList.toggle("is-complete", questions(layout, state).length === 0);
    },
  };
}

function buildExposure({ layout, seats, texts, dispatch }) {
  const asked = layout.keyCards.filter(
    (card) => layout.exposure.cards.includes(card) || layout.heldNeeded.includes(card),
  );
  if (!asked.length) {
    return { node: null, update() {} };
  }
  const rows = asked.flatMap((card) => copiesOfCard(layout, card)).map((copy) => keyRow(copy));
  const summary = el("span", { class: "exposure__sum" });
  const title = layout.heldNeeded.length ? texts.dealtAndExposed : texts.exposed;
  const node = el(
    "details",
    // With two decks and no holders to ask for, eight rows would push the pad off the screen.
    { class: "exposure", open: layout.decks === 1 || layout.heldNeeded.length > 0 },
    el("summary", {}, el("span", { class: "exposure__title" }, title), summary),
    el(
      "div",
      { class: "exposure__rows" },
      rows.map((row) => row.node),
    ),
  );

  function keyRow(copy) {
    const card = cardOf(copy);
    const label = `${cardText(card)} ${texts.keyNames[card] ?? ""}`;
    const holders = seats.map(({ seat, sign, name }) =>
      el(
        "button",
        {
          type: "button",
          class: "tap tap--seat",
          "aria-label": say(texts.dealtTo, { card: label, seat: name }),
          onclick: () => dispatch({ type: "holder", copy, seat }),
        },
        sign,
      ),
    );
    const kinds = layout.exposure.cards.includes(card)
      ? layout.exposure.kinds.map((kind) =>
          el(
            "button",
            {
              type: "button",
              class: "tap tap--kind",
              "aria-label": `${label}: ${texts.kinds[kind]}`,
              onclick: () => dispatch({ type: "kind", copy, kind }),
            },
            texts.kindsShort[kind],
          ),
        )
      : [];
    const row = el(
      "div",
      { class: "key-row", role: "group", "aria-label": label, "data-copy": copy },
      el("span", { class: "key-row__card" }, cardFace(card), el("small", {}, texts.keyNames[card] ?? "")),
      el("span", { class: "key-row__seats" }, holders),
      el("span", { class: "key-row__kinds" }, kinds),
    );
    return {
      node: row,
      update(state) {
        const { held, kinds: shown } = state.facts;
        holders.forEach((button, place) => {
          button.setAttribute("aria-pressed", String(held[copy] === seats[place].seat));
        });
        kinds.forEach((button, place) => {
          button.setAttribute("aria-pressed", String(shown[copy] === layout.exposure.kinds[place]));
        });
        const needed = layout.heldNeeded.includes(card) || shown[copy];
        row.classList.toggle("is-open", Boolean(needed && !held[copy]));
      },
    };
  }

  return {
    node,
    update(state) {
      rows.forEach((row) => row.update(state));
      const { held, kinds } = state.facts;
      const shown = asked.flatMap((card) => copiesOfCard(layout, card)).filter((copy) => kinds[copy]);
      fill(
        summary,
        shown.length
          ? shown.map((copy) => [
              cardFace(cardOf(copy)),
              ` ${texts.kindsShort[kinds[copy]]} ${seats.find((one) => one.seat === held[copy])?.sign ?? "?"} `,
            ])
          : texts.nothingExposed,
      );
    },
  };
}

function buildSeats({ seats, texts, dispatch }) {
  const boxes = seats.map(({ seat, sign, name, player, entry }, place) => {
    const cards = el("span", { class: "seat-box__cards" });
    const score = el("span", { class: "seat-box__score" });
    const button = el(
      "button",
      {
        type: "button",
        class: "seat-box",
        "data-place": place,
        "data-seat": seat,
        onclick: () => dispatch({ type: "seat", seat }),
      },
      el(
        "span",
        { class: "seat-box__head" },
        el("span", { class: "seat", title: name }, sign),
        el("span", { class: "seat-box__name", title: entry && entry !== player ? entry : null }, player),
      ),
      cards,
      score,
    );
    return { seat, button, cards, score };
  });
  return {
    node: el(
      "div",
      { class: "seats", role: "group", "aria-label": texts.capturedBy, "data-count": seats.length },
      boxes.map((box) => box.button),
    ),
    update(layout, state, live) {
      for (const box of boxes) {
        box.button.setAttribute("aria-pressed", String(state.active === box.seat));
        const captured = capturedBy(layout, state, box.seat).map(cardOf);
        fill(box.cards, captured.length ? cardRuns(captured) : "");
        box.score.textContent = live?.scores?.[box.seat]?.score ?? "";
      }
    },
  };
}

function buildPad({ layout, names, signs, texts, dispatch }) {
  const buttons = new Map();

  function cardButton(copy) {
    const card = cardOf(copy);
    const owner = el("span", { class: "pad__owner" });
    const from = el("span", { class: "pad__from" });
    const button = el(
      "button",
      {
        type: "button",
        class: `pad__card${layout.keyCards.includes(card) ? " pad__card--key" : ""}`,
        "data-suit": card[0],
        "data-copy": copy,
        onclick: () => dispatch({ type: "card", copy }),
      },
      el("span", { class: "pad__face" }, cardText(card)),
      from,
      owner,
    );
    buttons.set(copy, { button, owner, from, card });
    return button;
  }

  const node = el(
    "div",
    { class: "pad", role: "group", "aria-label": texts.cards },
    copiesOf(layout).map((copy) => cardButton(copy)),
  );
  listenForStrokes(node, (copies) => dispatch({ type: "cards", copies }));
  return {
    node,
    update(state) {
      const { owners, held } = state.facts;
      for (const copy of copiesOf(layout)) {
        const { button, owner, from, card } = buttons.get(copy);
        const seat = owners[copy];
        button.setAttribute("aria-pressed", String(Boolean(seat) && seat === state.active));
        button.classList.toggle("is-taken", Boolean(seat));
        button.dataset.place = seat ? layout.seats.indexOf(seat) : "";
        owner.textContent = seat ? signs[seat] : "";
        const dealt = layout.copiesMatter && layout.keyCards.includes(card) ? held[copy] : null;
        from.textContent = dealt ? say(texts.fromSeat, { seat: signs[dealt] }) : "";
        button.setAttribute(
          "aria-label",
          [cardText(card), dealt && names[dealt], seat ? say(texts.has, { seat: names[seat] }) : texts.nobody]
            .filter(Boolean)
            .join(", "),
        );
      }
    },
  };
}

function buildTools({ seats, texts, dispatch }) {
  const left = el("span", { class: "rest__label" });
  const rests = seats.map(({ seat, sign }, place) =>
    el(
      "button",
      {
        type: "button",
        class: "tap tap--seat button--rest",
        "data-seat": seat,
        "data-place": place,
        onclick: () => dispatch({ type: "rest", seat }),
      },
      el("span", { class: "seat" }, sign),
    ),
  );
  const tool = (type, label, sign) =>
    el(
      "button",
      { type: "button", class: "button button--tool", onclick: () => dispatch({ type }) },
      el("span", { "aria-hidden": "true" }, sign),
      ` ${label}`,
    );
  const undo = tool("undo", texts.undo, "↶");
  const redo = tool("redo", texts.redo, "↷");
  const clear = tool("clear", texts.clear, "✕");
  return {
    node: el("div", { class: "tools", role: "group", "aria-label": texts.tools }, el("span", { class: "rest" }, left, rests), undo, redo, clear),
    update(layout, state, names) {
      const free = freeCopies(layout, state).length;
      left.textContent = say(texts.restLeft, { count: free });
      rests.forEach((button) => {
        button.disabled = free === 0;
        button.setAttribute("aria-label", say(texts.restTo, { seat: names[button.dataset.seat], count: free }));
      });
      undo.disabled = state.past.length === 0;
      redo.disabled = state.future.length === 0;
      clear.disabled = Object.keys(state.facts.owners).length === 0;
    },
  };
}

function buildSwap({ layout, texts, dispatch }) {
  if (!layout.swapChoice) {
    return { node: null, update() {} };
  }
  const box = el("input", { type: "checkbox", onchange: () => dispatch({ type: "swap", value: box.checked }) });
  const node = el("label", { class: "entry__swap", hidden: true }, box, " ", texts.swap);
  return {
    node,
    update(_layout, state) {
      node.hidden = seatWithAllHearts(layout, state) === null;
      box.checked = state.facts.swap;
    },
  };
}

/** What is still missing, as a line with cards in it. */
function describeMissing(layout, state, { names, texts }) {
  const open = questions(layout, state);
  if (!open.length) {
    return [texts.nothingMissing];
  }
  const lines = [];
  const forced = open.filter((one) => one.code === "exposed");
  if (forced.length) {
    lines.push(el("span", {}, `${texts.missingExposure} `, forced.map((one) => cardFace(one.card))), " ");
  }
  const dealt = open.filter((one) => one.code === "exposer" || one.code === "holder");
  if (dealt.length) {
    lines.push(
      el("span", {}, `${texts.missingHolder} `, dealt.map((one) => [cardFace(one.card), " "])),
      " ",
    );
  }
  const captures = open.filter((one) => one.code === "capture");
  if (captures.length) {
    lines.push(
      el("span", {}, `${say(texts.missingCards, { count: captures.length, seat: names[state.active] })} `, cardRuns(captures.map((one) => one.card))),
    );
  }
  return lines;
}
