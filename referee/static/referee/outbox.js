/**
 * What is to be sent: kept on the tablet first, then sent one at a time in order, and forgotten only when the server has
 * answered that it has it. Every entry carries its command id, so sending it again changes nothing.
 *
 * Knows nothing of deals or of the page. An entry:
 *   {seq, table, path, label, body (with command_id), at (the tablet's clock), state, errors, data}
 * state: "waiting" to be sent; "held" while a person changes it; "refused" by the server with `errors` and the whole answer
 * `data`, until a person decides. What comes after a held or refused entry of a table waits with it.
 */

import { NotSent, Refusal, newId } from "./api.js";

const FIRST_PAUSE = 2000;
const LONGEST_PAUSE = 30000;

/**
 * `store`: see store.js. `request(path, body)`: see api.js. Told of what happens: `changed()`, `answered(entry, answer)`,
 * `refused(entry)`, `unreachable(fault)`: a NotSent, or the Refusal of somebody the server does not know.
 */
export async function buildOutbox({ store, request, changed, answered, refused, unreachable }) {
  let entries = await store.all("outbox");
  let aside = await store.all("aside");
  let running = false;
  let pause = FIRST_PAUSE;
  let timer = 0;
  /** What is sent without being kept, as {made, bodies}: made the same once more, it is the same commands. */
  let unkept = null;

  async function keep(entry) {
    await store.put("outbox", entry);
    entries = entries.map((one) => (one.seq === entry.seq ? entry : one));
    changed();
    return entry;
  }

  /** Keeps new entries, and others in the place of those whose number they have; forgets the draft they were made of. */
  async function keepAll(those, madeOf = null) {
    const numbers = await store.putToSend(those, madeOf);
    const kept = those.map((one, place) => ({ ...one, seq: numbers[place] }));
    entries = [...entries.filter((one) => !numbers.includes(one.seq)), ...kept].sort((one, other) => one.seq - other.seq);
  }

  async function drop(seq) {
    await store.remove("outbox", seq);
    entries = entries.filter((one) => one.seq !== seq);
  }

  /** The next entry that can be sent: the first of its table, and waiting. */
  function sendable() {
    const stopped = new Set();
    for (const entry of entries) {
      if (entry.state === "waiting" && !stopped.has(entry.table)) {
        return entry;
      }
      stopped.add(entry.table);
    }
    return null;
  }

  async function sendOne(entry) {
    let answer;
    try {
      answer = await request(entry.path, entry.body);
    } catch (fault) {
      if (fault instanceof Refusal && !isAboutLogin(fault)) {
        if (stillThere(entry)) {
          refused(await keep({ ...entry, state: "refused", errors: fault.errors, data: fault.data, status: fault.status }));
        }
        return true;
      }
      if (!(fault instanceof NotSent || fault instanceof Refusal)) {
        throw fault;
      }
      unreachable(fault);
      return false;
    }
    if (stillThere(entry)) {
      await drop(entry.seq);
      answered(entry, answer);
    }
    return true;
  }

  /** Whether an entry is still what was sent: a person may have changed it meanwhile. */
  function stillThere(entry) {
    return entries.some((one) => one.seq === entry.seq && one.body.command_id === entry.body.command_id);
  }

  /** Sends what can be sent; comes back to the rest later by itself. */
  async function send() {
    clearTimeout(timer);
    if (running) {
      return;
    }
    running = true;
    let reached = true;
    try {
      for (let entry = sendable(); entry && reached; entry = sendable()) {
        reached = await sendOne(entry);
        pause = reached ? FIRST_PAUSE : Math.min(pause * 2, LONGEST_PAUSE);
      }
    } finally {
      running = false;
      changed();
      if (sendable()) {
        timer = setTimeout(send, pause);
      }
    }
  }

  return {
    send,

    /** What lies in the store, to be put back should it be cleared. */
    held: () => ({ outbox: entries, aside }),

    /** All that is not at the server, in order; of one table where it is named. */
    waiting: (table) => entries.filter((one) => table === undefined || one.table === table),

    /**
     * Keeps commands, each {path, label, body}, to be sent in their order: all of them or none, in the place of the table's draft
     * where they were made `fromDraft`, the first in the place of the entry `instead` (null: none), which is then another command.
     * Throws NotKept where that is not possible, and then all is as before.
     */
    async add({ table, commands, fromDraft = false, instead = null }) {
      const at = new Date().toISOString();
      const fresh = commands.map(({ path, label, body }) => ({ table, path, label, body: { ...body, command_id: newId() }, at, state: "waiting" }));
      if (instead) {
        Object.assign(fresh[0], { seq: instead.seq, at: instead.at });
      }
      await keepAll(fresh, fromDraft ? table : null);
      changed();
    },

    /**
     * Sends commands that cannot be kept, in their order; whoever made them keeps them until this is done. Throws NotSent or
     * Refusal where one is not at the server: the same commands can be sent again then, those that arrived do no harm.
     */
    async sendUnkept({ table, commands }) {
      // The time of a second try is another, and it is the same command.
      const made = JSON.stringify(commands, (name, value) => (name === "tablet_at" ? undefined : value));
      if (unkept?.made !== made) {
        unkept = { made, bodies: commands.map(({ body }) => ({ ...body, command_id: newId() })) };
      }
      const { bodies } = unkept;
      for (const [place, { path, label }] of commands.entries()) {
        answered({ table, path, label, body: bodies[place] }, await request(path, bodies[place]));
      }
      unkept = null;
    },

    hold: (entry) => keep({ ...entry, state: "held" }),

    /** To be sent as it is, once more: the same command. */
    again: (entry) => keep({ ...entry, state: "waiting", errors: undefined, data: undefined }),

    /** Something else in its place: another command. */
    replace: (entry, body) =>
      keep({ ...entry, state: "waiting", errors: undefined, data: undefined, body: { ...body, command_id: newId() } }),

    /** Not to be sent, by a person's decision: kept aside. */
    async setAside(entry) {
      const { seq: _seq, ...left } = entry;
      const kept = { ...left, asideAt: new Date().toISOString() };
      aside = [...aside, { ...kept, seq: await store.add("aside", kept) }];
      await drop(entry.seq);
      changed();
    },

    /**
     * Takes in entries of another tablet that are not here yet; those that the server has already do no harm: their ids are
     * known there. `changing`: the numbers they had there of those that a person is changing. Gives how many were new, and which
     * number here each has, by the one it had there.
     */
    async takeIn(those, changing) {
      const idOf = (one) => one.body.command_id;
      const known = new Set(entries.map(idOf));
      const fresh = those.filter((one) => !known.has(idOf(one)));
      const stateOf = ({ seq }) => (changing.has(seq) ? "held" : "waiting");
      await keepAll(fresh.map((one) => ({ table: one.table, path: one.path, label: one.label, body: one.body, at: one.at, state: stateOf(one) })));
      for (const one of those.filter(({ seq }) => changing.has(seq))) {
        await keep({ ...entries.find((here) => idOf(here) === idOf(one)), state: "held" });
      }
      changed();
      return { taken: fresh.length, numbers: new Map(those.map((one) => [one.seq, entries.find((here) => idOf(here) === idOf(one)).seq])) };
    },
  };
}

/** Whether the server does not know who asks: nobody logged in, no tablet. */
export function isAboutLogin(fault) {
  return fault.errors.some((error) => error.code === "not_authenticated");
}
