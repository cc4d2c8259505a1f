// Shows only those fields that the chosen kind of event, kind of round and measure need.
// Without this script all of them are there, and the server takes what belongs to the choice.

const form = document.querySelector("[data-event-form]");

function show(element, wanted) {
  element.hidden = !wanted;
}

function update() {
  const plan = form.querySelector('input[name="plan_kind"]:checked')?.value;
  const lines = form.elements.lines?.value;
  for (const part of form.querySelectorAll("[data-plan]")) {
    show(part, part.dataset.plan.split(" ").includes(plan));
  }
  // Where the kind is settled, the page has only what belongs to it.
  const kinds = form.querySelector('input[name="kind"]');
  const kind = form.querySelector('input[name="kind"]:checked')?.value;
  for (const part of form.querySelectorAll("[data-kind]")) {
    show(part, !kinds || part.dataset.kind === kind);
  }
  // A format that is not for this kind gives way to the first that is.
  const cards = [...form.querySelectorAll("[data-kinds]")];
  for (const card of cards) {
    show(card, card.dataset.kinds.split(" ").includes(kind));
  }
  if (cards.some((card) => card.hidden && card.querySelector("input").checked)) {
    cards.find((card) => !card.hidden).querySelector("input").checked = true;
  }
  const own = form.querySelector('input[name="own"]:checked')?.value;
  for (const part of form.querySelectorAll("[data-own]")) {
    show(part, part.dataset.own === own);
  }
  for (const part of form.querySelectorAll("[data-measure]")) {
    show(part, part.dataset.measure === form.elements.measure?.value);
  }
  for (const part of form.querySelectorAll("[data-segments]")) {
    show(part, Number(form.elements.segments?.value) > 1);
  }
  for (const part of form.querySelectorAll("[data-lines]")) {
    show(part, part.dataset.lines === lines);
  }
}

if (form) {
  form.addEventListener("change", update);
  form.addEventListener("input", update);
  update();
}
