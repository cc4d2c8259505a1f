/** The form of a penalty: an article of the catalogue proposes the breach and the points; the referee decides. */

import { el, fill } from "./dom.js";

/**
 * Makes the articles choosable in the dialog's form. `articles`: [{id, rule, points, shown, warning_first}]; `punished`: by seat,
 * the breaches it was warned or punished for before this page was opened; `givenHere()`: those since, [{seat, rule}].
 */
export function buildPenaltyForm(form, { articles, punished, givenHere, texts }) {
  const { article, rule, points, reason } = form.elements;
  fill(
    article,
    el("option", { value: "" }, texts.otherBreach),
    articles.map((one, place) => el("option", { value: String(place) }, one.shown ? `${one.rule} (${one.shown})` : one.rule)),
  );
  const note = form.querySelector("[data-warning]");

  function propose() {
    const chosen = articles[article.value];
    note.hidden = true;
    if (!chosen) {
      return;
    }
    const seat = form.elements.seat.value;
    const before = [...(punished[seat] ?? []), ...givenHere().filter((one) => one.seat === seat).map((one) => one.rule)];
    const warning = chosen.warning_first && !before.includes(chosen.rule);
    rule.value = chosen.rule;
    points.value = warning ? "0" : chosen.points;
    note.hidden = !chosen.warning_first;
    note.textContent = warning ? texts.warningFirst : texts.warnedBefore;
  }

  /** An article says why by itself; what is typed goes with it. */
  function askReason() {
    reason.required = !articles.some((one) => one.rule === rule.value.trim());
    form.querySelector("[data-optional]").hidden = reason.required;
  }

  article.addEventListener("change", propose);
  form.addEventListener("change", (event) => event.target.name === "seat" && propose());
  for (const kind of ["change", "input"]) {
    form.addEventListener(kind, askReason);
  }
  form.addEventListener("reset", () => {
    note.hidden = true;
    // The fields are empty only after this event.
    setTimeout(askReason);
  });
}

/** The body of the command from the fields of the form. */
export function penaltyBody({ seat, target, article, rule, points, sure, reason, deal, game }, articles) {
  const chosen = articles[article];
  return {
    seat,
    target,
    rule,
    points,
    sure: Boolean(sure),
    reason,
    article: chosen && chosen.rule === rule ? chosen.id : null,
    deal: deal ? Number(deal) : null,
    game: game ? Number(game) : null,
  };
}
