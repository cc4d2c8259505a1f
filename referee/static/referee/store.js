/**
 * Where entries lie on the tablet until the server has them: IndexedDB, each write on the disk before it counts
 * ("strict" durability). Not localStorage: it goes to the disk when the browser sees fit, seconds later.
 *
 * Knows nothing of deals. Places: "drafts", what is being entered, by `table`; "outbox", what is to be sent, in the order
 * of `seq`; "aside", what a person decided not to send, kept all the same; "states", what the server last said, by `id`;
 * "calls", a table's call for a referee that is not at the server, by `table`.
 */

const DATABASE = "huapai-table";
/** Raise it only with an upgrade that keeps what is there: entries of the version before may be waiting. */
const VERSION = 3;

/** The tablet cannot keep an entry. `full`: there is no room; else storage is forbidden or broken. */
export class NotKept extends Error {
  constructor(fault) {
    super(fault?.message ?? "no storage");
    this.full = fault?.name === "QuotaExceededError";
    /** Whether the storage was closed under the page: somebody cleared it. */
    this.closed = fault?.name === "InvalidStateError" || fault?.name === "AbortError";
  }
}

/** How long whoever clears the storage may be at it before it is opened anew, in milliseconds. */
const CLEARING = 250;

/**
 * Opens the storage. `held()` gives what the page has of it in memory, as {place: [what lies there]}: should somebody clear
 * the storage under the open page, it is opened anew and all of that put back. Throws NotKept where the browser has none.
 */
export async function openStore(held = () => ({ drafts: [] })) {
  let database = await open();
  let mending = null;

  async function open() {
    let opened;
    try {
      const opening = indexedDB.open(DATABASE, VERSION);
      opening.onupgradeneeded = ({ oldVersion }) => {
        if (oldVersion < 1) {
          opening.result.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
          opening.result.createObjectStore("aside", { keyPath: "seq", autoIncrement: true });
          opening.result.createObjectStore("states", { keyPath: "id" });
        }
        if (oldVersion < 2) {
          opening.result.createObjectStore("drafts", { keyPath: "table" });
        }
        opening.result.createObjectStore("calls", { keyPath: "table" });
      };
      opened = await answer(opening);
    } catch (fault) {
      throw new NotKept(fault);
    }
    // Another page with a newer version of the program must not wait for this one.
    opened.onversionchange = () => opened.close();
    // Told by the browser alone: the storage was cleared, or is broken. A write that cannot mend it says so.
    opened.onclose = () => mend(opened).catch(() => undefined);
    return opened;
  }

  /** Opens the storage anew in the place of `lost` and puts back what the page holds; once, however many ask for it. */
  function mend(lost) {
    if (database !== lost) {
      return mending ?? Promise.resolve();
    }
    mending ??= (async () => {
      await new Promise((done) => setTimeout(done, CLEARING));
      const opened = await open();
      const there = held();
      await writeTo(opened, Object.keys(there), (...places) =>
        Object.values(there).flatMap((those, number) => those.map((one) => places[number].put(one))),
      );
      database = opened;
    })().finally(() => (mending = null));
    return mending;
  }

  /** Runs `work` on the places and waits until its writes are on the disk, all or none; gives what the requests it returns give. */
  async function write(places, work) {
    const used = database;
    try {
      return await writeTo(used, places, work);
    } catch (fault) {
      if (!(fault instanceof NotKept && fault.closed)) {
        throw fault;
      }
    }
    await mend(used);
    return writeTo(database, places, work);
  }

  return {
    /** Everything in a place, in order. */
    all: (place) => answer(database.transaction(place).objectStore(place).getAll()),
    get: async (place, key) => (await answer(database.transaction(place).objectStore(place).get(key))) ?? null,
    /** Keeps something new; gives its number. */
    add: async (place, one) => (await write([place], (objects) => [objects.add(one)]))[0],
    /** Keeps something in the place of what had its number. */
    put: (place, one) => write([place], (objects) => [objects.put(one)]),
    remove: (place, key) => write([place], (objects) => [objects.delete(key)]),
    /**
     * Keeps what is to be sent, in its order, and forgets the draft of the table `madeOf` (null: none) in one step: never some
     * of it, never both it and the draft. What has its number already (`seq`) replaces what had it. Gives all numbers.
     */
    putToSend: (those, madeOf) =>
      write(["outbox", "drafts"], (outbox, drafts) => {
        if (madeOf !== null) {
          drafts.delete(madeOf);
        }
        return those.map((one) => outbox.put(one));
      }),
  };
}

/** The same for a browser without storage: gone with the page, which has to say so. */
export function memoryStore() {
  const places = { drafts: new Map(), outbox: new Map(), aside: new Map(), states: new Map(), calls: new Map() };
  let last = 0;
  async function add(place, one) {
    last += 1;
    places[place].set(last, { ...one, seq: last });
    return last;
  }
  return {
    all: async (place) => [...places[place].values()],
    get: async (place, key) => places[place].get(key) ?? null,
    add,
    put: async (place, one) => void places[place].set(one.seq ?? one.id ?? one.table, one),
    remove: async (place, key) => void places[place].delete(key),
    putToSend: async (those, madeOf) => {
      places.drafts.delete(madeOf);
      const numbers = [];
      for (const one of those) {
        numbers.push(one.seq ?? (await add("outbox", one)));
        places.outbox.set(numbers.at(-1), { ...one, seq: numbers.at(-1) });
      }
      return numbers;
    },
  };
}

/** Asks the browser not to clear the storage when room is short; nothing more can be done where it refuses. */
export async function askToPersist() {
  try {
    return (await navigator.storage?.persist?.()) ?? false;
  } catch {
    return false;
  }
}

async function writeTo(database, places, work) {
  try {
    const transaction = database.transaction(places, "readwrite", { durability: "strict" });
    const requests = orNone(transaction, () => work(...places.map((place) => transaction.objectStore(place))));
    // Without it the browser would ask the page whether more follows, and drop the write where a reload came first.
    transaction.commit();
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
    return requests.map((request) => request.result);
  } catch (fault) {
    throw new NotKept(fault);
  }
}

/** What `work` gives; where it fails in the middle, what it had written is taken back. */
function orNone(transaction, work) {
  try {
    return work();
  } catch (fault) {
    transaction.abort();
    throw fault;
  }
}

function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another page holds the storage"));
  });
}
