/** Making elements without markup in strings: nothing a player is called can become a tag. */

/**
 * An element. Properties that are not functions become attributes (false and null are left out, true is empty);
 * "on…" functions become listeners. Children: nodes, texts, arrays of these, or nothing.
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Puts new children into a region. Where an element with the same data-key is there again, what had the focus keeps it, and
 * what was unfolded stays so: news of the table come at any time, under anybody's finger.
 */
export function fill(region, ...children) {
  const active = region.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const unfolded = [...region.querySelectorAll("details[data-key][open]")].map((one) => one.dataset.key);
  region.replaceChildren(...children.flat(3).filter(Boolean));
  for (const one of region.querySelectorAll("details[data-key]")) {
    one.open ||= unfolded.includes(one.dataset.key);
  }
  if (active) {
    region.querySelector(`[data-key="${CSS.escape(active)}"]`)?.focus({ preventScroll: true });
  }
}

/** The engine's arithmetic in print: true minus signs, which also keep their figure on the same line. */
export function minus(formula) {
  return formula.replaceAll("-", "−");
}

/** "{name}" places of a text filled in. */
export function say(text, places = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole);
}

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** A card code as people write it; U+FE0E keeps phones from drawing a coloured picture. */
export function cardText(card) {
  return `${SIGNS[card[0]]}\uFE0E${card.slice(1)}`;
}

/** A small card face, as in static/css/cards.css; "SQ:N" has the seat it was dealt to behind it. */
export function cardFace(written, signs = {}) {
  const [card, from] = written.split(":");
  return el(
    "span",
    { class: "pc", "data-suit": card[0] },
    el("i", { class: "pc__suit" }, `${SIGNS[card[0]]}\uFE0E`),
    card.slice(1),
    from ? el("span", { class: "pc__from" }, signs[from] ?? from) : null,
  );
}

/** Cards in a row, grouped by suit: ♠Q ♥A K 9; a dash where there are none. */
export function cardRuns(cards, signs = {}) {
  if (!cards.length) {
    return el("span", { class: "missing" }, "—");
  }
  const runs = new Map();
  for (const written of cards) {
    const [card, from] = written.split(":");
    const rank = el(
      "span",
      { class: "run__rank" },
      card.slice(1),
      from ? el("span", { class: "pc__from" }, signs[from] ?? from) : null,
    );
    runs.set(card[0], [...(runs.get(card[0]) ?? []), rank]);
  }
  return el(
    "span",
    { class: "runs" },
    [...runs].map(([suit, ranks]) => [
      el(
        "span",
        { class: "run", "data-suit": suit },
        el("i", { class: "run__suit" }, `${SIGNS[suit]}\uFE0E`),
        ranks.flatMap((rank) => [rank, " "]),
      ),
      " ",
    ]),
  );
}
