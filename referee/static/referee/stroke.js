/**
 * One stroke of a finger, pen or mouse over several cards of the pad. A stroke that stays on one card is a tap and left to
 * the button's own click, so that the keyboard and screen readers work as ever.
 */

/** Listens on the pad; `sweep(copies)` is given the cards of each stroke over two or more, in the order they were met. */
export function listenForStrokes(pad, sweep) {
  let pointer = null;
  let met = [];
  let swept = false;

  const cardAt = ({ clientX, clientY }) => {
    const card = document.elementFromPoint(clientX, clientY)?.closest("[data-copy]");
    return card && pad.contains(card) ? card : null;
  };
  const meet = (event) => {
    const card = cardAt(event);
    if (card && !met.includes(card)) {
      met.push(card);
      if (met.length > 1) {
        met.forEach((one) => one.classList.add("is-swept"));
      }
    }
  };
  const finish = () => {
    met.forEach((one) => one.classList.remove("is-swept"));
    pointer = null;
    met = [];
  };

  pad.addEventListener("pointerdown", (event) => {
    swept = false;
    if (!event.isPrimary || event.button !== 0) {
      return;
    }
    // A touch belongs to the card it began on until it is let go: the cards after that one would never hear of it.
    if (event.target.hasPointerCapture?.(event.pointerId)) {
      event.target.releasePointerCapture(event.pointerId);
    }
    pointer = event.pointerId;
    met = [];
    meet(event);
  });
  pad.addEventListener("pointermove", (event) => {
    if (event.pointerId === pointer) {
      // Between two events a fast finger passes whole cards: the browser keeps the points in between.
      for (const point of event.getCoalescedEvents?.() ?? []) {
        meet(point);
      }
      meet(event);
    }
  });
  addEventListener("pointerup", (event) => {
    if (event.pointerId !== pointer) {
      return;
    }
    const copies = met.map((card) => card.dataset.copy);
    finish();
    if (copies.length > 1) {
      swept = true;
      sweep(copies);
    }
  });
  addEventListener("pointercancel", finish);
  // Where a stroke ends on the card it began on, a click follows: it is part of the stroke.
  pad.addEventListener(
    "click",
    (event) => {
      if (swept && event.detail !== 0) {
        event.stopPropagation();
      }
      swept = false;
    },
    { capture: true },
  );
}
