/** Questions that must be answered before something is done: a reason, a penalty, which of two versions. */

import { el, fill } from "./dom.js";
import { recordSummary } from "./panels.js";

/**
 * Opens the dialog with a form that the template holds and gives its fields once it is sent; null when it is closed without.
 * A field that must not be empty carries `required` in the template.
 */
export function askForm(dialog, { title, values = {} }) {
  const form = dialog.querySelector("form");
  form.reset();
  for (const [name, value] of Object.entries(values)) {
    form.elements[name].value = value;
  }
  if (title) {
    dialog.querySelector("[data-title]").textContent = title;
  }
  return new Promise((resolve) => {
    const done = new AbortController();
    const finish = (answer) => {
      done.abort();
      dialog.close();
      resolve(answer);
    };
    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        finish(Object.fromEntries(new FormData(form)));
      },
      { signal: done.signal },
    );
    dialog.querySelector("[data-cancel]").addEventListener("click", () => finish(null), { signal: done.signal });
    dialog.addEventListener("close", () => finish(null), { signal: done.signal });
    dialog.showModal();
  });
}

/** Shows the server's record beside one's own; gives "theirs", "mine" or null. `mayReplace` says whether mine can be stored. */
export function askConflict(dialog, { table, current, offered, texts, mayReplace }) {
  fill(dialog.querySelector("[data-current]"), current.hidden ? el("p", { class: "muted" }, texts.hidden) : recordSummary(table, current.record, offered, texts));
  fill(dialog.querySelector("[data-offered]"), recordSummary(table, offered, current.record, texts));
  dialog.querySelector("[data-state]").textContent = texts.states[current.state];
  const same = ["recorded", "checked"].includes(current.state) && !current.hidden && !dialog.querySelector(".differs");
  dialog.querySelector("[data-same]").hidden = !same;
  dialog.querySelector("[data-other]").hidden = same;
  dialog.querySelector('[value="mine"]').hidden = !mayReplace || same;
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue || null), { once: true });
    dialog.returnValue = "";
    dialog.showModal();
  });
}

/** A list of messages in an alert; nothing where there are none. */
export function showFaults(root, messages) {
  fill(
    root,
    messages.length
      ? el(
          "ul",
          { class: "errorlist" },
          messages.map((message) => el("li", {}, message)),
        )
      : null,
  );
  root.hidden = messages.length === 0;
}
