/** The form of a ruling, and the rulings of the table. What is possible is the server's to say. */

import { cardFace, el, fill } from "./dom.js";

const listed = (fields, name) => fields.getAll(name);
const whole = (fields, name) => (fields.get(name) === "" ? null : Number(fields.get(name)));

/** Facts of each kind from the form's fields, as referee/services/rulings.py takes them. */
const FACTS = {
  claim: (fields) => ({
    seat: fields.get("seat"),
    tricks: whole(fields, "tricks"),
    remaining: whole(fields, "remaining"),
    agreed: listed(fields, "agreed"),
  }),
  card_count: (fields, seats) => ({
    hands: Object.fromEntries(seats.map((seat) => [seat, whole(fields, `hand-${seat}`)]).filter(([, count]) => count !== null)),
    procedure: fields.get("procedure"),
    agreed: listed(fields, "agreed"),
  }),
  exposure: (fields) => ({
    seat: fields.get("seat"),
    card: fields.get("card"),
    exposure: fields.get("exposure"),
    ruling: fields.get("ruling"),
    as_kind: fields.get("ruling") === "as_kind" ? fields.get("as_kind") : "",
  }),
};

/** Kinds that change what is on record, and therefore say why. A claim or a count of cards is told by its figures. */
const WITH_NOTE = ["exposure", "colour"];

/**
 * Shows only the fields that the chosen kind asks for; the others are switched off and not sent. What the server would
 * refuse is said before it is sent: it may be hours until there is a network. `seats`: how many sit at the table.
 */
export function buildRulingForm(form, { texts, ruleset, seats }) {
  const { kind, procedure, ruling, tricks, remaining, note } = form.elements;
  remaining.max = Math.floor((ruleset.decks * 52) / seats);
  if (!ruleset.discard_colour) {
    kind.querySelector('[value="colour"]').remove();
  }
  const agreed = [...form.querySelectorAll('[name="agreed"]')];
  const asKind = form.elements.as_kind.closest(".field");
  function show() {
    for (const part of form.querySelectorAll("[data-kinds]")) {
      const asked = part.dataset.kinds.split(" ").includes(kind.value);
      part.hidden = !asked;
      part.disabled = !asked;
    }
    asKind.hidden = ruling.value !== "as_kind";
    const torn = kind.value === "card_count" && procedure.value === "draw" && !agreed.every((box) => box.checked);
    procedure.setCustomValidity(torn ? texts.drawNeedsAll : "");
    tricks.max = remaining.value || remaining.max;
    note.required = WITH_NOTE.includes(kind.value);
  }
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show));
  show();
}

/** The scoring cards that other seats have on record, to be tapped; one at least. */
function offerCards(form, deal) {
  const places = form.querySelector("[data-cards]");
  const others = Object.entries(deal.record?.captures ?? {}).filter(([seat]) => seat !== form.elements.seat.value);
  fill(
    places,
    others.flatMap(([, cards]) => cards).map((card) => el("label", { class: "choice choice--box" }, el("input", { type: "checkbox", name: "cards", value: card }), cardFace(card))),
  );
  const boxes = [...places.querySelectorAll("input")];
  const require = () => boxes[0]?.toggleAttribute("required", !boxes.some((box) => box.checked));
  boxes.forEach((box) => box.addEventListener("change", require));
  require();
}

/**
 * Asks for a ruling about a deal {number, version, record} and sends it; `version` 0: the deal is not recorded yet; then
 * `ruled(kind, facts)` is told, for the entry that was begun.
 */
export async function askRuling({ dialog, ask, send, api, deal, seats, texts, ruled }) {
  const form = dialog.querySelector("form");
  form.elements.kind.querySelector('[value="colour"]')?.toggleAttribute("disabled", !deal.record);
  const offer = () => offerCards(form, deal);
  form.elements.seat.addEventListener("change", offer);
  const asked = ask(dialog, {});
  offer();
  const answer = await asked;
  form.elements.seat.removeEventListener("change", offer);
  if (!answer) {
    return;
  }
  const fields = new FormData(form);
  const { kind, note } = answer;
  if (kind === "colour") {
    const body = { version: deal.version, cards: listed(fields, "cards"), to_seat: fields.get("seat"), note };
    await send(`${api}deals/${deal.number}/colour/`, body, texts.ruling);
  } else {
    const facts = FACTS[kind](fields, seats);
    const body = { kind, facts, note, version: deal.version || null };
    if (await send(`${api}deals/${deal.number}/ruling/`, body, texts.ruling)) {
      ruled?.(kind, facts);
    }
  }
}

/** What a log of tricks brought to light. */
const details = ({ details: found = [] }) => (found.length ? el("ul", { class: "ruling-details" }, found.map((one) => el("li", {}, one))) : null);

/** The action of deal.js that puts an exposure as ruled into an entry, or takes it out. */
export function exposureAction({ seat, card, exposure, ruling, as_kind: asKind }) {
  return { type: "exposure", seat, card, kind: { stands: exposure, taken_back: "", as_kind: asKind }[ruling] };
}

/** What became of a record that a ruling has only proposed, with the way to it for whoever may open it. */
const proposed = ({ proposal }) =>
  proposal ? el("small", { class: "ruling-proposal" }, " ", proposal.look ? el("a", { href: proposal.look }, proposal.text) : proposal.text) : null;

const line = (one, title, texts) =>
  el(
    "li",
    {},
    el(
      "span",
      {},
      el("strong", {}, title),
      ` ${one.text} `,
      one.waits ? el("span", { class: "badge badge--warn badge--here" }, texts.places.tablet) : null,
      one.note ? el("small", { class: "muted" }, one.note) : null,
      proposed(one),
      details(one),
    ),
  );

/** The rulings given at this table. */
export function drawRulings(root, rulings, texts) {
  root.hidden = rulings.length === 0;
  fill(root, el("ul", { class: "penalties" }, rulings.map((one) => line(one, one.title, texts))));
}

/** Those on one deal, for where it is entered or shown; null where there are none. */
export function rulingsOn(deal, { rulings }, texts) {
  const mine = rulings.filter((one) => one.deal === deal);
  return mine.length ? el("ul", { class: "penalties deal-rulings" }, mine.map((one) => line(one, one.kind, texts))) : null;
}
