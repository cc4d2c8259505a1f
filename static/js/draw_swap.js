// Swapping two entries of a preview by dragging one seat onto another, or by choosing one after the other.
// The form with the two numbers does the work, and is there without this script.

const form = document.querySelector("[data-swap-form]");
const seats = [...document.querySelectorAll("[data-entry]")];
let taken = null;

function put(first, second) {
  form.elements["swap-first"].value = first;
  form.elements["swap-second"].value = second;
}

function unmark() {
  for (const seat of seats) {
    seat.classList.remove("is-target", "is-dragged");
  }
}

if (form) {
  for (const seat of seats) {
    seat.draggable = true;
    seat.addEventListener("dragstart", (event) => {
      taken = seat;
      seat.classList.add("is-dragged");
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", seat.dataset.entry);
    });
    seat.addEventListener("dragover", (event) => {
      if (taken && taken.dataset.entry !== seat.dataset.entry) {
        event.preventDefault();
        seat.classList.add("is-target");
      }
    });
    seat.addEventListener("dragleave", () => seat.classList.remove("is-target"));
    seat.addEventListener("dragend", unmark);
    seat.addEventListener("drop", (event) => {
      event.preventDefault();
      put(taken.dataset.entry, seat.dataset.entry);
      form.requestSubmit();
    });
    // On a touch screen nothing can be dragged: the two are chosen by touching them, then "Swap".
    seat.addEventListener("click", () => {
      if (taken && taken !== seat && taken.dataset.entry !== seat.dataset.entry) {
        put(taken.dataset.entry, seat.dataset.entry);
        seat.classList.add("is-target");
        taken = null;
      } else {
        unmark();
        put(seat.dataset.entry, "");
        taken = seat;
        seat.classList.add("is-target");
      }
    });
  }
}
