/**
 * The scoring of one deal on the tablet (docs/rules.md §2 to §4), for the score that appears while cards are tapped,
 * with or without a network. The server's figure is what counts; tests/browser/test_tablet_engine.py holds both together.
 *
 * Pure: no DOM, no network, no storage, no clock, and nothing is changed that is passed in. Exact: all figures are
 * whole numbers of any size, or fractions of them.
 *
 * What goes in, as parsed JSON:
 *   record   a deal as docs/rules.md §9 writes it, and as toRecord of deal.js makes it
 *   ruleset  every field of the ruleset the event is played under, as `Ruleset.to_full_dict` writes it
 *
 * What other modules may import: scoreDeal, checkDeal, missing, credited, faultText, UnknownRules. The first three throw
 * UnknownRules where a field of the ruleset is missing or has a value that this engine does not know (a page from the
 * browser's store and a newer server): then there is no score here, and the server's must be awaited.
 */

import { PIG, SCORING_CARDS, SHEEP, partnerOf } from "./engine_cards.js";
import { examine } from "./engine_check.js";
import { seatFormula } from "./engine_formula.js";
import { readRules } from "./engine_rules.js";
import { dealInNumbers, fraction, roundHalfAway, seatScore } from "./engine_score.js";

export { faultText } from "./engine_faults.js";
export { RULE_FIELDS, UnknownRules } from "./engine_rules.js";

/**
 * The answer to a deal, as docs/rules.md §9 writes it: {scores: {seat: points}, sides: [{seats, score}],
 * flags: {seat: {all_hearts, grand_slam}}, adjusted: {seat: points} with zero-sum rulesets only, formula: {seat: text}};
 * or {errors: [fault, …]} where the record has any fault (see checkDeal). A record with `partial: true` is scored as
 * far as it goes.
 *
 * Points are numbers; one that is not whole is a text such as "-880/3", and so is one too large for a number to hold.
 */
export function scoreDeal(record, ruleset) {
  const rules = readRules(ruleset);
  const deal = examine(record, rules);
  if (deal.faults.length) {
    return { errors: deal.faults };
  }
  const { hands, factors, swap } = dealInNumbers(deal);
  const scores = new Map(hands.map((hand) => [hand.seat, seatScore(rules, hand, factors, swap)]));
  const answer = {
    scores: mapped(scores, plainPoints),
    sides: sidesOf(deal).map((seats) => ({
      seats,
      score: plainPoints(seats.reduce((sum, seat) => sum + scores.get(seat), 0n)),
    })),
    flags: Object.fromEntries(
      hands.map(({ seat, allHearts, slam }) => [seat, { all_hearts: allHearts, grand_slam: slam }]),
    ),
  };
  if (rules.zero_sum) {
    answer.adjusted = mapped(scores, (_, seat) => adjustedPoints(rules, deal.record.mode, scores, seat));
  }
  answer.formula = Object.fromEntries(
    hands.map((hand) => [hand.seat, seatFormula(rules, hand, factors, swap)]),
  );
  return answer;
}

/**
 * Every fault of a record, in the order in which the server tells them; none means that it can be scored.
 * A fault: {code, card, seat, params}; card and seat are null where it is of neither. faultText makes a sentence of it.
 */
export function checkDeal(record, ruleset) {
  return examine(record, readRules(ruleset)).faults;
}

/** The scoring cards nobody has captured yet, in the order of the pad; a card of which two copies lack stands twice. */
export function missing(record, ruleset) {
  const rules = readRules(ruleset);
  const { captured } = examine(record, rules);
  return SCORING_CARDS.flatMap((card) =>
    Array.from({ length: Math.max(0, rules.decks - captured.get(card).length) }, () => card),
  );
}

/**
 * What counts for each seat in totals, from an answer without errors: the zero-sum figure where there is one; else the
 * score of its side, which for a single player is the seat's own.
 */
export function credited(answer) {
  const bySide = answer.sides.flatMap(({ seats, score }) => seats.map((seat) => [seat, score]));
  return { ...answer.scores, ...(answer.adjusted ?? Object.fromEntries(bySide)) };
}

/** The seats of each side (docs/rules.md §4); none in pig-and-sheep by capture before both are captured. */
function sidesOf(deal) {
  const { record, seats } = deal;
  if (record.mode === "individual") {
    return seats.map((seat) => [seat]);
  }
  if (record.mode === "partnership") {
    return [
      ["N", "S"],
      ["E", "W"],
    ];
  }
  const first = pigAndSheepSeats(deal);
  return first.size
    ? [true, false].map((inFirst) => seats.filter((seat) => first.has(seat) === inFirst).sort())
    : [];
}

function pigAndSheepSeats({ rules, captured, holders }) {
  const found = [PIG, SHEEP].map((card) =>
    rules.pig_sheep_sides === "dealt" ? [...holders.get(card).keys()] : captured.get(card).map(([seat]) => seat),
  );
  return new Set(found.every((seats) => seats.length) ? found.flat() : []);
}

/** The zero-sum figure of a seat (docs/rules.md §4). */
function adjustedPoints(rules, mode, scores, seat) {
  const total = [...scores.values()].reduce((sum, score) => sum + score, 0n);
  const own = scores.get(seat);
  const raw =
    mode === "partnership"
      ? fraction(2n * (own + scores.get(partnerOf(seat))) - total, 2n)
      : fraction(own * BigInt(scores.size) - total, BigInt(scores.size - 1));
  if (rules.rounding === "before_scale") {
    return plainPoints(roundHalfAway(raw) * rules.scale);
  }
  const { numerator, denominator } = fraction(raw.numerator * rules.scale, raw.denominator);
  return denominator === 1n ? plainPoints(numerator) : `${numerator}/${denominator}`;
}

function plainPoints(points) {
  const number = Number(points);
  return Number.isSafeInteger(number) ? number : String(points);
}

function mapped(map, change) {
  return Object.fromEntries([...map].map(([key, value]) => [key, change(value, key)]));
}
