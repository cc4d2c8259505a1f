/**
 * A table's call for a referee, or its withdrawal, until the server has it: kept on the tablet first, then sent until the
 * server has answered, under one command id, so that sending it again is the same call.
 *
 * It waits behind nothing: a table whose deal was refused is the one that needs a referee. Knows nothing of the page. A kept
 * one: {table, path, body (with command_id), back: whether it takes the call back, tried: whether it may have arrived}.
 */

import { NotSent, Refusal, newId } from "./api.js";
import { isAboutLogin } from "./outbox.js";

/**
 * `store`: see store.js. `request(path, body)`: see api.js. Told of what happens: `changed()`, `answered(one, answer)`,
 * `refused(one, fault)`, `unreachable(fault)`: a NotSent, or the Refusal of somebody the server does not know.
 */
export async function buildCalls({ store, request, changed, answered, refused, unreachable }) {
  let kept = await store.all("calls").catch(() => []);
  let running = false;

  const waiting = (table) => kept.find((one) => one.table === table) ?? null;
  const isStill = (one) => waiting(one.table)?.body.command_id === one.body.command_id;

  /** Where the tablet cannot keep it, it is sent all the same. */
  async function keep(one) {
    kept = [...kept.filter(({ table }) => table !== one.table), one];
    changed();
    await store.put("calls", one).catch(() => undefined);
  }

  async function drop({ table }) {
    kept = kept.filter((one) => one.table !== table);
    changed();
    await store.remove("calls", table).catch(() => undefined);
  }

  async function sendOne(one) {
    // A request that a browser without network made cannot have arrived; any other may have, answered or not.
    if (!one.tried && navigator.onLine !== false) {
      await keep({ ...one, tried: true });
    }
    let answer;
    try {
      answer = await request(one.path, one.body);
    } catch (fault) {
      if (!(fault instanceof NotSent || fault instanceof Refusal)) {
        throw fault;
      }
      if (fault instanceof NotSent || isAboutLogin(fault)) {
        unreachable(fault);
        return false;
      }
      if (isStill(one)) {
        await drop(one);
        refused(one, fault);
      }
      return true;
    }
    answered(one, answer);
    if (isStill(one)) {
      await drop(one);
    }
    return true;
  }

  async function send() {
    if (running) {
      return;
    }
    running = true;
    try {
      while (kept.length && (await sendOne(kept[0])));
    } finally {
      running = false;
      changed();
    }
  }

  return {
    send,
    waiting,

    /** What lies in the store, to be put back should it be cleared. */
    held: () => kept,

    async call(table, path) {
      await keep({ table, path, body: { command_id: newId() }, back: false, tried: false });
      await send();
    },

    /** A call that cannot have arrived is forgotten; any other is taken back at the server. */
    async takeBack(table, path) {
      const one = waiting(table);
      if (one && !one.back && !one.tried) {
        await drop(one);
        return;
      }
      await keep({ table, path, body: { command_id: newId() }, back: true, tried: false });
      await send();
    },
  };
}
