/**
 * The file that carries what a tablet holds to another one: what waits to be sent, what was set aside, what is being entered.
 * Pure: no page, no storage.
 */

import { isDraftRecord } from "./draft.js";

const FORMAT = "huapai-outbox-1";

/** The text of the file; the parts as store.js has them. */
export const fileText = ({ outbox, aside, drafts }) => JSON.stringify({ format: FORMAT, outbox, aside, drafts }, null, 1);

/** What such a file holds to be taken in, as {outbox, drafts}; files of before have no drafts. Throws where it is no such file. */
export function readFile(text) {
  const held = JSON.parse(text);
  if (held?.format !== FORMAT || !Array.isArray(held.outbox) || !held.outbox.every(isEntry)) {
    throw new Error("not a file of entries");
  }
  return { outbox: held.outbox, drafts: Array.isArray(held.drafts) ? held.drafts.filter(isDraftRecord) : [] };
}

function isEntry(one) {
  return (
    typeof one?.path === "string" &&
    /^\/referee\/api\/tables\/\d+\/[a-z0-9/_-]+$/.test(one.path) &&
    typeof one.table === "number" &&
    typeof one.label === "string" &&
    typeof one.body?.command_id === "string"
  );
}
