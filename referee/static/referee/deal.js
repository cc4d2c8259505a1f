/**
 * The entry of one deal as a state machine: what was tapped, what that means, what is still missing.
 *
 * Pure: no DOM, no network, no storage, no clock. A state is a plain frozen object that survives JSON, so the page can keep it
 * in the browser's storage and benchmarks can drive it without a page. Which rules apply comes from the layout that the
 * server sends with the table (docs/rules.md §3): nothing here knows a ruleset by name.
 *
 * A card copy is written "SQ#1"; with one deck every card has copy 1 only.
 *
 * Layout: {seats: ["N", "W", …], decks: 1 | 2, mode, cards: ["SQ", "DJ", …], keyCards: ["SQ", "DJ", "C10", "HA"],
 *          heldNeeded: ["SQ", …], copiesMatter: bool, swapChoice: bool,
 *          exposure: {policy, kinds: ["exposed", …], cards: those that may be exposed, preset: {card: kind}}}
 */

/** All card copies of the layout that a record must place, in the order of the pad. */
export function copiesOf(layout) {
  return layout.cards.flatMap((card) => copiesOfCard(layout, card));
}

/** The copies of one card. */
export function copiesOfCard(layout, card) {
  return Array.from({ length: layout.decks }, (_, index) => `${card}#${index + 1}`);
}

/** "SQ#2" → "SQ". */
export function cardOf(copy) {
  return copy.slice(0, copy.indexOf("#"));
}

/** The state before the first tap: exposures that the ruleset prescribes are set already. */
export function newDeal(layout, enteredSeat = "") {
  return Object.freeze({
    active: layout.seats[0],
    enteredSeat,
    facts: { owners: {}, held: {}, kinds: presetKinds(layout), swap: false },
    past: [],
    future: [],
  });
}

/**
 * The state after an action; the given state is not changed. Actions that change nothing return the same state.
 *
 *   {type: "seat", seat}            the seat that the next cards go to
 *   {type: "card", copy}            give the copy to that seat, or take it back from it
 *   {type: "cards", copies}         give those of several (dragged over) that nobody has yet to that seat
 *   {type: "rest", seat}            all cards nobody has; without a seat, to the one that cards go to
 *   {type: "holder", copy, seat}    who was dealt a key card; the same seat again takes it back
 *   {type: "kind", copy, kind}      how it was exposed; the same kind again, or "", takes it back
 *   {type: "exposure", card, seat, kind}  what a ruling makes of an exposure by a seat; kind "": it is taken back
 *   {type: "swap", value}           猪羊变色 chosen by the seat with all hearts
 *   {type: "entered", seat}         the seat that keeps the score, "" for the referee
 *   {type: "log", taken}            what a log of tricks tells (trick_log.js): [{card, from, by}], who played and who has it
 *   {type: "clear"}                 no card captured by anybody; exposures stay
 *   {type: "undo"}, {type: "redo"}  one tap back or forward, without limit
 */
export function act(layout, state, action) {
  const step = STEPS[action.type];
  if (!step) {
    throw new TypeError(`unknown action ${action.type}`);
  }
  return Object.freeze(step(layout, state, action));
}

const STEPS = {
  seat: (layout, state, { seat }) => (layout.seats.includes(seat) ? { ...state, active: seat } : state),
  entered: (layout, state, { seat }) =>
    seat === "" || layout.seats.includes(seat) ? { ...state, enteredSeat: seat } : state,
  card: (layout, state, { copy }) => {
    const owners = { ...state.facts.owners };
    const taken = freeTwin(layout, state, copy);
    if (owners[taken] === state.active) {
      delete owners[taken];
    } else {
      owners[taken] = state.active;
    }
    return change(state, { owners });
  },
  cards: (layout, state, { copies }) => {
    const known = new Set(freeCopies(layout, state));
    const free = copies.filter((copy) => known.has(copy));
    if (!free.length) {
      return state;
    }
    const owners = { ...state.facts.owners };
    for (const copy of free) {
      owners[copy] = state.active;
    }
    return change(state, { owners });
  },
  rest: (layout, state, { seat = state.active }) => {
    const free = freeCopies(layout, state);
    if (!free.length || !layout.seats.includes(seat)) {
      return state;
    }
    const owners = { ...state.facts.owners };
    for (const copy of free) {
      owners[copy] = seat;
    }
    return { ...change(state, { owners }), active: seat };
  },
  holder: (layout, state, { copy, seat }) => {
    const held = { ...state.facts.held };
    const kinds = { ...state.facts.kinds };
    if (held[copy] === seat) {
      delete held[copy];
      if (!layout.exposure.preset[cardOf(copy)]) {
        delete kinds[copy];
      }
    } else {
      held[copy] = seat;
    }
    return change(state, { held, kinds });
  },
  kind: (layout, state, { copy, kind }) => {
    const kinds = { ...state.facts.kinds };
    if (!kind || kinds[copy] === kind) {
      if (layout.exposure.preset[cardOf(copy)]) {
        return state; // prescribed: it can be shown in another way, not kept hidden
      }
      delete kinds[copy];
    } else {
      kinds[copy] = kind;
      const forced = forcedFourth(layout, kinds);
      if (forced) {
        kinds[forced] = "exposed";
      }
    }
    return change(state, { kinds });
  },
  exposure: (layout, state, { card, seat, kind }) => {
    const held = { ...state.facts.held };
    const kinds = { ...state.facts.kinds };
    const copies = copiesOfCard(layout, card);
    const shown = copies.find((copy) => held[copy] === seat && kinds[copy]);
    const copy = shown ?? copies.find((one) => held[one] === seat) ?? copies.find((one) => !held[one] && !kinds[one]);
    if (kind && copy && layout.exposure.kinds.includes(kind) && layout.exposure.cards.includes(card)) {
      held[copy] = seat;
      kinds[copy] = kind;
    } else if (!kind && shown && !layout.exposure.preset[card]) {
      delete kinds[shown];
    } else {
      return state;
    }
    return change(state, { held, kinds });
  },
  swap: (_layout, state, { value }) => change(state, { swap: Boolean(value) }),
  log: (layout, state, { taken }) => change(state, loggedFacts(layout, state.facts, taken)),
  clear: (_layout, state) =>
    Object.keys(state.facts.owners).length ? change(state, { owners: {}, swap: false }) : state,
  undo: (_layout, state) =>
    state.past.length
      ? {
          ...state,
          facts: state.past[state.past.length - 1],
          past: state.past.slice(0, -1),
          future: [state.facts, ...state.future],
        }
      : state,
  redo: (_layout, state) =>
    state.future.length
      ? { ...state, facts: state.future[0], past: [...state.past, state.facts], future: state.future.slice(1) }
      : state,
};

/** Card copies that nobody has yet, in the order of the pad. */
export function freeCopies(layout, state) {
  return copiesOf(layout).filter((copy) => !state.facts.owners[copy]);
}

/** The copies a seat has captured, in the order of the pad. */
export function capturedBy(layout, state, seat) {
  return copiesOf(layout).filter((copy) => state.facts.owners[copy] === seat);
}

/** The seat that has every heart, or null: only then may 猪羊变色 be chosen. */
export function seatWithAllHearts(layout, state) {
  const hearts = copiesOf(layout).filter((copy) => copy.startsWith("H"));
  const owners = new Set(hearts.map((copy) => state.facts.owners[copy] ?? null));
  const [owner] = owners;
  return owners.size === 1 && owner ? owner : null;
}

/**
 * What must still be told before the deal can be submitted, in the order to ask:
 * {code: "exposed" | "exposer" | "holder" | "capture", card, copy}.
 */
export function questions(layout, state) {
  const open = [];
  const forced = forcedFourth(layout, state.facts.kinds);
  if (forced) {
    open.push({ code: "exposed", card: cardOf(forced), copy: forced });
  }
  for (const card of layout.keyCards) {
    for (const copy of copiesOfCard(layout, card)) {
      if (state.facts.held[copy]) {
        continue;
      }
      if (state.facts.kinds[copy]) {
        open.push({ code: "exposer", card, copy });
      } else if (layout.heldNeeded.includes(card)) {
        open.push({ code: "holder", card, copy });
      }
    }
  }
  for (const copy of freeCopies(layout, state)) {
    open.push({ code: "capture", card: cardOf(copy), copy });
  }
  return open;
}

/** The deal as docs/rules.md §9 writes it. A partial record leaves out what is not known yet. */
export function toRecord(layout, state, { partial = false } = {}) {
  const { owners, held, kinds, swap } = state.facts;
  const record = { mode: layout.mode, captures: {}, exposed: [], held: {} };
  for (const seat of layout.seats) {
    record.captures[seat] = capturedBy(layout, state, seat).map((copy) => writtenCard(layout, held, copy));
  }
  for (const card of layout.keyCards) {
    const copies = copiesOfCard(layout, card);
    for (const copy of copies) {
      if (kinds[copy] && held[copy]) {
        record.exposed.push({ card, seat: held[copy], kind: kinds[copy] });
      }
    }
    const seats = copies.map((copy) => held[copy]);
    if (seats.every(Boolean)) {
      record.held[card] = layout.decks === 1 ? seats[0] : seats;
    }
  }
  if (swap && layout.swapChoice && seatWithAllHearts(layout, { facts: { owners } })) {
    record.swap_pig_sheep = true;
  }
  if (partial) {
    record.partial = true;
  }
  return record;
}

/** The state that shows a stored record, for a correction. Reverses toRecord. */
export function fromRecord(layout, record, enteredSeat = "") {
  const facts = { owners: {}, held: {}, kinds: {}, swap: Boolean(record.swap_pig_sheep) };
  for (const [card, seats] of Object.entries(record.held ?? {})) {
    [seats].flat().forEach((seat, index) => {
      facts.held[`${card}#${index + 1}`] = seat;
    });
  }
  for (const { card, seat, kind } of record.exposed ?? []) {
    const copy =
      copiesOfCard(layout, card).find((one) => facts.held[one] === seat && !facts.kinds[one]) ??
      copiesOfCard(layout, card).find((one) => !facts.held[one] && !facts.kinds[one]);
    if (copy) {
      facts.held[copy] = seat;
      facts.kinds[copy] = kind;
    }
  }
  for (const [seat, cards] of Object.entries(record.captures ?? {})) {
    for (const written of cards) {
      const [card, dealtTo] = written.split(":");
      const free = copiesOfCard(layout, card).filter((copy) => layout.cards.includes(card) && !facts.owners[copy]);
      const copy = (dealtTo && free.find((one) => facts.held[one] === dealtTo)) || free[0];
      if (copy) {
        facts.owners[copy] = seat;
      }
    }
  }
  return Object.freeze({ active: layout.seats[0], enteredSeat, facts, past: [], future: [] });
}

/** Whether a value read back from storage is a state of this layout; anything else is dropped, never half used. */
export function isStateOf(layout, value) {
  const facts = value?.facts;
  if (!facts || !layout.seats.includes(value.active) || !Array.isArray(value.past) || !Array.isArray(value.future)) {
    return false;
  }
  const copies = new Set(copiesOf(layout));
  const seatsOnly = (map) =>
    map && Object.entries(map).every(([copy, seat]) => copies.has(copy) && layout.seats.includes(seat));
  return Boolean(
    seatsOnly(facts.owners) &&
      seatsOnly(facts.held) &&
      facts.kinds &&
      Object.keys(facts.kinds).every((copy) => copies.has(copy)) &&
      (value.enteredSeat === "" || layout.seats.includes(value.enteredSeat)),
  );
}

/** Whether anything was entered, so that it would be missed. */
export function hasEntries(layout, state) {
  const { owners, held, kinds } = state.facts;
  return Boolean(
    Object.keys(owners).length ||
      Object.keys(held).length ||
      Object.keys(kinds).some((copy) => !layout.exposure.preset[cardOf(copy)]),
  );
}

function change(state, facts) {
  return { ...state, facts: { ...state.facts, ...facts }, past: [...state.past, state.facts], future: [] };
}

/** Whoever played a key card was dealt it; a copy known to be theirs is that one. What is not in the log nobody has. */
function loggedFacts(layout, facts, taken) {
  const owners = {};
  const held = { ...facts.held };
  for (const card of layout.cards) {
    const free = copiesOfCard(layout, card);
    const isKey = layout.keyCards.includes(card);
    for (const { from, by } of taken.filter((one) => one.card === card)) {
      const theirs = isKey && (free.find((copy) => facts.held[copy] === from) ?? free.find((copy) => !facts.held[copy]));
      const [copy] = free.splice(theirs ? free.indexOf(theirs) : 0, 1);
      owners[copy] = by;
      if (isKey) {
        held[copy] = from;
      }
    }
  }
  return { owners, held, swap: false };
}

function presetKinds(layout) {
  const kinds = {};
  for (const [card, kind] of Object.entries(layout.exposure.preset)) {
    for (const copy of copiesOfCard(layout, card)) {
      kinds[copy] = kind;
    }
  }
  return kinds;
}

/** 逼亮: three of the four exposed means that the fourth is too (docs/rules.md §3). */
function forcedFourth(layout, kinds) {
  if (layout.exposure.policy !== "forced_fourth") {
    return null;
  }
  const hidden = layout.keyCards.filter((card) => !copiesOfCard(layout, card).some((copy) => kinds[copy]));
  return hidden.length === 1 ? `${hidden[0]}#1` : null;
}

/**
 * Where copies cannot be told apart, a tap on one means "one of these": the first free one is given rather
 * than a copy that another seat has already.
 */
function freeTwin(layout, state, copy) {
  const { owners, held } = state.facts;
  const card = cardOf(copy);
  const owner = owners[copy];
  const apart = layout.copiesMatter && layout.keyCards.includes(card) && held[copy];
  if (!owner || owner === state.active || apart) {
    return copy;
  }
  return copiesOfCard(layout, card).find((one) => !owners[one]) ?? copy;
}

function writtenCard(layout, held, copy) {
  const card = cardOf(copy);
  if (!layout.copiesMatter || !layout.keyCards.includes(card)) {
    return card;
  }
  const seats = new Set(copiesOfCard(layout, card).map((one) => held[one]));
  return seats.size > 1 && held[copy] ? `${card}:${held[copy]}` : card;
}
