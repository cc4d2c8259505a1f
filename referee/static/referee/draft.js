/**
 * What is being entered at a table, kept on the tablet with every tap, so that a reload, a killed browser or a flat battery
 * loses nothing.
 */

const VERSION = 1;

/** Whether this is a draft as it lies in the store, of a kind that is understood here. */
export const isDraftRecord = (one) => typeof one?.table === "number" && one.version === VERSION && typeof one.draft === "object" && one.draft !== null;

/**
 * The draft of one table in `store` (store.js). `failed()` is told when the tablet could not keep it, so that the page can
 * say so. The store carries out writes in the order they are asked for: the last tap is what stays.
 */
export function buildDrafts({ store, table, failed }) {
  /** What lies in the store, as far as it is known. */
  let kept = [];

  return {
    /** The draft, or null where there is none or it is of another kind. */
    async read() {
      const found = await store.get("drafts", table).catch(() => null);
      kept = found === null ? [] : [found];
      return found?.version === VERSION ? found.draft : null;
    },

    keep(draft) {
      kept = [{ table, version: VERSION, draft }];
      return store.put("drafts", kept[0]).catch(failed);
    },

    drop() {
      kept = [];
      return store.remove("drafts", table).catch(failed);
    },

    /** It has become what is to be sent, in one step with that (store.putToSend). */
    used: () => void (kept = []),

    /** What lies in the store, to be put back should it be cleared. */
    held: () => kept,
  };
}
