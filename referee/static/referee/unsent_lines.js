/**
 * Penalties and rulings that this tablet still holds, as lines among those the server has told: nobody is to give one twice, and
 * whoever looks at a deal is to see what was ruled on it. Pure: no page, no storage, no network; nothing passed in is changed.
 */

import { cardText, say } from "./dom.js";

const PENALTY = /\/penalties\/(?:(\d+)\/cancel\/)?$/;
const RULING = /\/deals\/(\d+)\/(ruling|colour|tricks)\/$/;

/** As `penalty_json` of referee/presenting.py, with those given and cancelled here. `entries`: see outbox.js. */
export function penaltiesWith({ penalties, seats }, entries) {
  return entries.reduce((known, { path, body }) => {
    const [given, cancelled] = PENALTY.exec(path) ?? [];
    if (cancelled) {
      return known.map((one) => (String(one.penalty) === cancelled ? { ...one, cancelled: true, cancel_reason: body.reason, may_cancel: false, waits: true } : one));
    }
    const who = seats.find(({ seat }) => seat === body.seat)?.player ?? body.seat;
    const shown = String(body.points).replace("-", "−");
    const fresh = { penalty: null, who, seat: body.seat, rule: body.rule, shown, reason: body.reason, cancelled: false, cancel_reason: "", may_cancel: false, waits: true };
    return given ? [...known, fresh] : known;
  }, penalties);
}

/** As `ruling_json` of referee/presenting_rules.py, with those given here. */
export function rulingsWith({ rulings = [], seats }, entries, texts) {
  const fresh = entries.flatMap(({ path, body }) => {
    const [, number, action] = RULING.exec(path) ?? [];
    if (!number) {
      return [];
    }
    const [deal, code] = [Number(number), { colour: "colour", tricks: "trick_log" }[action] ?? body.kind];
    const kind = texts.rulingKinds[code];
    const facts = action === "colour" ? { seat: body.to_seat, cards: body.cards } : body.facts;
    const text = TEXTS[code]?.(facts, { texts, name: (letter) => seats.find(({ seat }) => seat === letter)?.name ?? letter }) ?? "";
    return [{ deal, kind, title: say(texts.ruled.title, { deal, kind }), text, note: body.note ?? "", details: [], proposal: null, waits: true }];
  });
  return [...rulings, ...fresh];
}

/** What was ruled, in the words of referee/presenting_rules.py. */
const TEXTS = {
  claim: ({ seat, tricks, remaining, agreed }, { texts, name }) =>
    say(texts.ruled.claim, { seat: name(seat), tricks, remaining, agreed: agreed.map(name).join(texts.betweenNames) || "—" }),
  card_count: ({ hands, procedure }, { texts, name }) =>
    say(texts.ruled[procedure], { hands: Object.entries(hands).map(([seat, count]) => `${name(seat)} ${count}`).join(texts.betweenNames) }),
  exposure: ({ seat, card, exposure, ruling, as_kind: asKind }, { texts, name }) =>
    `${name(seat)} ${cardText(card)} ${texts.kinds[exposure]}: ${say(texts.ruled[ruling], { kind: texts.kinds[asKind] })}`,
  colour: ({ seat, cards }, { texts, name }) =>
    say(texts.ruled.colour, { seat: name(seat), cards: cards.map((card) => cardText(card.split(":")[0])).join(" ") }),
};
