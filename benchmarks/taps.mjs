/**
 * Drives the entry's state machine (referee/static/referee/deal.js) through deals and counts taps; started by taps.py.
 *
 * stdin: {machine: URL of deal.js, columns, deals: [{layout, record}]}; stdout: {taps: [[with strokes, card by card], …],
 * faults: [deal number, …]}. A deal whose taps do not give its record back is a fault.
 *
 * What counts begins when play has ended: who exposed what is known from before play and was entered then. Every action is
 * one tap: choosing a seat, a card, a stroke over several cards, "rest to", who was dealt a key card, 猪羊变色, submit.
 */

let text = "";
for await (const part of process.stdin) {
  text += part;
}
const { machine, columns, deals } = JSON.parse(text);
const { act, cardOf, copiesOf, copiesOfCard, freeCopies, newDeal, questions, toRecord } = await import(machine);

/** What the scorer means to enter: {owners: copy → seat, held: copy → seat, kinds: copy → kind, swap}. */
function wanted(layout, record) {
  const held = {};
  for (const [card, seats] of Object.entries(record.held ?? {})) {
    [seats].flat().forEach((seat, place) => {
      held[`${card}#${place + 1}`] = seat;
    });
  }
  const kinds = {};
  for (const { card, seat, kind } of record.exposed ?? []) {
    kinds[copiesOfCard(layout, card).find((copy) => held[copy] === seat && !kinds[copy])] = kind;
  }
  const owners = {};
  for (const seat of layout.seats) {
    for (const written of record.captures[seat] ?? []) {
      const [card, dealt] = written.split(":");
      const free = copiesOfCard(layout, card).filter((copy) => layout.cards.includes(card) && !owners[copy]);
      owners[(dealt && free.find((copy) => held[copy] === dealt)) || free[0]] = seat;
    }
  }
  return { owners, held, kinds, swap: Boolean(record.swap_pig_sheep) };
}

/** What is known before play: exposures, and who exposed. */
function beforePlay(layout, goal) {
  let state = newDeal(layout);
  for (const [copy, kind] of Object.entries(goal.kinds)) {
    if (state.facts.held[copy] !== goal.held[copy]) {
      state = act(layout, state, { type: "holder", copy, seat: goal.held[copy] });
    }
    if (state.facts.kinds[copy] !== kind) {
      state = act(layout, state, { type: "kind", copy, kind });
    }
  }
  return state;
}

/** The cards of a seat as strokes: each goes from card to neighbouring card and may pass over cards that are taken. */
function strokes(layout, state, cards) {
  const place = new Map(copiesOf(layout).map((copy, at) => [copy, [Math.floor(at / columns), at % columns]]));
  const passable = copiesOf(layout).filter((copy) => state.facts.owners[copy] || cards.includes(copy));
  const touching = (one, other) =>
    Math.abs(place.get(one)[0] - place.get(other)[0]) <= 1 && Math.abs(place.get(one)[1] - place.get(other)[1]) <= 1;
  const left = new Set(cards);
  const found = [];
  while (left.size) {
    const [start] = left;
    const reached = new Set([start]);
    for (const here of reached) {
      passable.filter((copy) => touching(here, copy)).forEach((copy) => reached.add(copy));
    }
    found.push([...reached].filter((copy) => left.has(copy)));
    reached.forEach((copy) => left.delete(copy));
  }
  return found;
}

/** Enters the rest of the deal as a scorer does: seats with few cards first, the remainder to the last. Gives [state, taps]. */
function enter(layout, goal, { sweeping }) {
  let state = beforePlay(layout, goal);
  let taps = 0;
  const tap = (action) => {
    state = act(layout, state, action);
    taps += 1;
  };
  for (const question of questions(layout, state)) {
    if (question.code === "holder" || question.code === "exposer") {
      tap({ type: "holder", copy: question.copy, seat: goal.held[question.copy] });
    }
  }
  const cardsOf = (seat) => copiesOf(layout).filter((copy) => goal.owners[copy] === seat);
  const seats = layout.seats.filter((seat) => cardsOf(seat).length);
  seats.sort((one, other) => cardsOf(one).length - cardsOf(other).length);
  for (const seat of seats.slice(0, -1)) {
    if (state.active !== seat) {
      tap({ type: "seat", seat });
    }
    const groups = sweeping ? strokes(layout, state, cardsOf(seat)) : cardsOf(seat).map((copy) => [copy]);
    for (const copies of groups) {
      tap(copies.length > 1 ? { type: "cards", copies } : { type: "card", copy: copies[0] });
    }
  }
  if (freeCopies(layout, state).length) {
    tap({ type: "rest", seat: seats.at(-1) });
  }
  if (goal.swap) {
    tap({ type: "swap", value: true });
  }
  return [state, taps + 1]; // submit
}

/** A record with everything in a fixed order. */
function settled(record) {
  const sorted = (list) => [...list].sort();
  return JSON.stringify([
    Object.entries(record.captures).map(([seat, cards]) => [seat, sorted(cards)]).sort(),
    sorted((record.exposed ?? []).map((one) => `${one.card} ${one.seat} ${one.kind}`)),
    Object.entries(record.held ?? {}).map(([card, seats]) => [card, sorted([seats].flat())]).sort(),
    Boolean(record.swap_pig_sheep),
  ]);
}

const taps = [];
const faults = [];
deals.forEach(({ layout, record }, number) => {
  const goal = wanted(layout, record);
  const both = [true, false].map((sweeping) => enter(layout, goal, { sweeping }));
  taps.push(both.map(([, count]) => count));
  const asked = new Set(layout.keyCards.filter((card) => copiesOfCard(layout, card).every((copy) => both[0][0].facts.held[copy])));
  const told = { ...record, held: Object.fromEntries(Object.entries(record.held ?? {}).filter(([card]) => asked.has(card))) };
  const scoring = new Set(layout.cards);
  told.captures = Object.fromEntries(
    layout.seats.map((seat) => [seat, (record.captures[seat] ?? []).filter((written) => scoring.has(written.split(":")[0]))]),
  );
  if (both.some(([state]) => questions(layout, state).length || settled(toRecord(layout, state)) !== settled(told))) {
    faults.push(number);
  }
});
process.stdout.write(JSON.stringify({ taps, faults }));
