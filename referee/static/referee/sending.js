/**
 * Sending from the table page: keeps commands on the tablet (store.js), sends them in order (outbox.js) and shows what is
 * not sent, why, and what a person can do about it. Decides nothing about deals.
 */

import { NotSent, Refusal, csrfToken, request } from "./api.js";
import { showFaults } from "./dialogs.js";
import { el, fill, say } from "./dom.js";
import { buildDrafts } from "./draft.js";
import { fileText, readFile } from "./entries_file.js";
import { buildOutbox, isAboutLogin } from "./outbox.js";
import { NotKept, askToPersist, memoryStore, openStore } from "./store.js";

const part = (id) => document.getElementById(id);

/**
 * Opens what this tablet holds. `table`: the table's id; `bound`: whether a table's card let this page in, and not a person's
 * login; `token`: the page's, for browsers that hide the cookie. Told of what happens:
 *   changed()                  what waits is different now
 *   answered(entry, answer)    the server has it
 *   refused(entry)             the server does not take it; a person decides
 *   edit(entry)                a person wants to change it before it is sent
 *   decide(entry)              a person wants to see both records of a conflict
 *   restore(draft)             a file holds what was being entered at this table; false where it cannot be this table's
 */
export async function openSending({ table, bound, token, texts, changed, answered, refused, edit, decide, restore }) {
  /** Why nothing can be sent, as {kind, text}; null where nothing stands in the way. */
  let trouble = null;
  let store;
  let outbox = null;
  let drafts = null;
  try {
    store = await openStore(() => ({ ...outbox?.held(), drafts: drafts?.held() ?? [] }));
    askToPersist();
  } catch {
    store = memoryStore();
    warn(texts.storageGone);
  }
  drafts = buildDrafts({ store, table, failed: () => warn(texts.storageGone) });
  outbox = await buildOutbox({
    store,
    request: (path, body) => request(path, { body, token: csrfToken() ?? token, unsent: count() }),
    changed: () => {
      draw();
      changed();
    },
    answered: (entry, answer) => {
      trouble = null;
      showLook(entry, answer.look);
      answered(entry, answer);
    },
    refused: (entry) => {
      trouble = null;
      refused(entry);
    },
    unreachable: (fault) => {
      trouble = troubleOf(fault);
      draw();
    },
  });

  function troubleOf(fault) {
    if (!(fault instanceof Refusal)) {
      return { kind: "notSent", text: texts.notSent };
    }
    const kind = !isAboutLogin(fault) ? "shutOut" : bound ? "cardAgain" : "loggedOut";
    return { kind, text: kind === "shutOut" ? fault.message : texts[kind] };
  }

  function count() {
    return outbox?.waiting().length ?? 0;
  }

  /** What stands first and does not move: it is what the banner is about. */
  function first() {
    const mine = outbox.waiting(table);
    return mine.find((entry) => entry.state !== "waiting") ?? mine[0] ?? outbox.waiting()[0] ?? null;
  }

  function draw() {
    const entry = first();
    const number = count();
    part("outbox-count").hidden = number === 0;
    // Said as a figure too: hidden it is as well before the tablet's storage has been read.
    part("outbox-count").dataset.count = number;
    part("outbox-count").textContent = say(texts.unsentCount, { count: number });
    // Where the top of the page has been scrolled away.
    part("unsent-here").hidden = number === 0;
    part("unsent-here").textContent = part("outbox-count").textContent;
    document.body.classList.toggle("is-sending", number > 0 && trouble === null && entry.state === "waiting");
    const stuck = entry !== null && (entry.state !== "waiting" || trouble !== null) ? entry : null;
    const text = stuck ? message(stuck) : alone();
    part("unsent").hidden = text === null;
    part("unsent-what").textContent = stuck?.label ?? "";
    part("unsent-text").textContent = text ?? "";
    part("login-again").hidden = trouble?.kind !== "loggedOut";
    part("card-again").hidden = !bound || !["cardAgain", "shutOut"].includes(trouble?.kind);
    part("retry").hidden = !stuck;
    part("edit-again").hidden = !stuck || !canChange(stuck);
    part("decide").hidden = !stuck || !isConflict(stuck);
    part("set-aside").hidden = stuck?.state !== "refused";
    fill(
      part("outbox-list"),
      outbox.waiting().map((one) => el("li", { "data-state": one.state }, `${one.label} · ${timeOf(one)} · ${stateText(one)}`)),
    );
  }

  function message(entry) {
    if (entry.state === "held") {
      return texts.held;
    }
    return entry.state === "refused" ? say(texts.refusedBy, { reason: reasons(entry) }) : trouble.text;
  }

  /** What is to be said where nothing waits: whoever goes on entering should know before the deal is done. */
  function alone() {
    return trouble === null || trouble.kind === "notSent" ? null : (texts.nothingWaits[trouble.kind] ?? trouble.text);
  }

  function stateText(entry) {
    return entry.state === "refused" ? reasons(entry) : entry.state === "held" ? texts.held : texts.places.tablet;
  }

  function canChange(entry) {
    const followers = outbox.waiting(table).filter((one) => one.seq > entry.seq);
    const log = entry.path.replace(/\w+\/$/, "tricks/");
    const isAlone = followers.every((one) => one.path === log);
    return entry.table === table && /\/(record|correct)\/$/.test(entry.path) && (entry.state === "refused" || isAlone);
  }

  async function sendUnkept(commands, fromDraft) {
    try {
      await outbox.sendUnkept({ table, commands });
    } catch (fault) {
      if (!(fault instanceof NotSent || fault instanceof Refusal)) {
        throw fault;
      }
      return tellUnkept(fault instanceof Refusal ? say(texts.refusedBy, { reason: fault.message }) : texts.notSent);
    }
    if (fromDraft) {
      await drafts.drop();
    }
    return true;
  }

  /** Takes in what a file holds; gives how much of it was not here. What is being entered here stays, unless a person says otherwise. */
  async function takeIn(held) {
    const wanted = [];
    for (const one of held.drafts) {
      const [here] = one.table === table ? drafts.held() : [await store.get("drafts", one.table)];
      const same = JSON.stringify(here?.draft) === JSON.stringify(one.draft);
      if (!same && (!here || confirm(say(texts.replaceDraft, { here: here.draft.number, file: one.draft.number })))) {
        wanted.push(one);
      }
    }
    const { taken, numbers } = await outbox.takeIn(held.outbox, new Set(wanted.map(({ draft }) => draft.replaces).filter(Boolean)));
    let begun = 0;
    for (const one of wanted) {
      const draft = { ...one.draft, replaces: numbers.get(one.draft.replaces) };
      if (one.table !== table) {
        await store.put("drafts", { ...one, draft });
        begun += 1;
      } else if (restore(draft)) {
        begun += 1;
      }
    }
    return taken + begun;
  }

  function tellUnkept(...more) {
    showFaults(part("faults"), [texts.storageFull, ...more]);
    return false;
  }

  part("retry").addEventListener("click", async () => {
    const entry = first();
    if (entry?.errors?.some((error) => error.code === "seats_changed")) {
      // Sent again, it is said to be of those who sit there now.
      const { command_id: _id, ...body } = entry.body;
      await outbox.replace(entry, { ...body, seating: "" });
    } else if (entry && entry.state !== "waiting") {
      await outbox.again(entry);
    }
    await outbox.send();
  });
  part("edit-again").addEventListener("click", async () => edit(await outbox.hold(first())));
  part("decide").addEventListener("click", () => decide(first()));
  part("set-aside").addEventListener("click", async () => {
    const entry = first();
    if (confirm(`${entry.label}: ${texts.setAsideSure}`)) {
      await outbox.setAside(entry);
      await outbox.send();
    }
  });
  part("save-file").addEventListener("click", async () => {
    // What is entered here may be kept nowhere but in the page: there is no room, or no storage.
    const others = await store.all("drafts").catch(() => []);
    const held = { ...outbox.held(), drafts: [...others.filter((one) => one.table !== table), ...drafts.held()] };
    const link = el("a", {
      href: URL.createObjectURL(new Blob([fileText(held)], { type: "application/json" })),
      download: `${texts.fileName}-${table}-${new Date().toISOString().slice(0, 16).replaceAll(":", "")}.json`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  });
  part("choose-file").addEventListener("click", () => part("load-file").click());
  part("load-file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    try {
      part("file-note").textContent = say(texts.fileLoaded, { count: await takeIn(readFile(await file.text())) });
      outbox.send();
    } catch (fault) {
      part("file-note").textContent = fault instanceof NotKept ? texts.storageFull : texts.fileWrong;
    }
    event.target.value = "";
  });

  draw();
  return {
    waiting: () => outbox.waiting(table),
    count,
    send: outbox.send,
    replace: outbox.replace,
    setAside: outbox.setAside,

    /** Told how the server answered when it was asked for the table: `fault` null where it did. */
    asked(fault) {
      const barred = trouble !== null && trouble.kind !== "notSent";
      if (fault instanceof Refusal) {
        trouble = troubleOf(fault);
      } else if (fault === null && barred) {
        trouble = null;
        outbox.send();
      }
      draw();
    },

    /** What is being entered at this table: see draft.js. */
    drafts,

    /**
     * Keeps commands in one step, see outbox.js. Where the tablet cannot, and nothing waits before them, they are sent at once;
     * false (and a message) where that is not possible either: then they are still what is being entered.
     */
    async add({ commands, fromDraft, instead }) {
      try {
        await outbox.add({ table, commands, fromDraft, instead });
        if (fromDraft) {
          drafts.used();
        }
        return true;
      } catch (fault) {
        if (!(fault instanceof NotKept)) {
          throw fault;
        }
        return !instead && outbox.waiting(table).length === 0 ? sendUnkept(commands, fromDraft) : tellUnkept();
      }
    },

    /** The table as the server last told it, kept for a start without network; null where there is none. */
    lastKnown: () => store.get("states", table).catch(() => null),
    keepKnown: (known) => store.put("states", known).catch(() => undefined),
  };
}

/** Whether the server has another record of that deal: both are to be compared. */
export function isConflict(entry) {
  return entry.state === "refused" && entry.status === 409 && Boolean(entry.data?.current) && Boolean(entry.body.record);
}

/** Makes the page open without network from now on, and says so where that cannot be. */
export async function installWorker(address, scope, texts) {
  if (!("serviceWorker" in navigator)) {
    warn(texts.noOffline);
    return;
  }
  const before = navigator.serviceWorker.controller;
  try {
    await navigator.serviceWorker.register(address, { scope });
  } catch {
    // No network, or a server that is just being replaced: the worker of before goes on.
    return;
  }
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (before) {
      part("new-version").hidden = false;
    }
  });
}

/** A change that moves what others go by was proposed, not made: `look` is the page that says what it would move. */
function showLook(entry, look) {
  if (look) {
    part("look-first").hidden = false;
    part("look-first-what").textContent = entry.label;
    part("look-first-link").href = look;
  }
}

function warn(text) {
  part("storage-warning").hidden = false;
  part("storage-warning").textContent = text;
}

function reasons(entry) {
  return (entry.errors ?? []).map((error) => error.message).join(" ");
}

function timeOf(entry) {
  return new Date(entry.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
