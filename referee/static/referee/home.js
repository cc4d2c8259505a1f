/** Marks the tables of which this device holds an entry that the server does not have yet. */

import { openStore } from "./store.js";

try {
  const store = await openStore();
  for (const { table } of [...(await store.all("drafts")), ...(await store.all("outbox"))]) {
    const note = document.querySelector(`[data-table="${table}"] .my-table__draft`);
    if (note) {
      note.hidden = false;
    }
  }
} catch {
  // No storage here: then nothing waits in it.
}
