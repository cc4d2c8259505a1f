/**
 * What a deal without faults comes to: each seat's hand in numbers, and its score (docs/rules.md §2).
 *
 * All figures are BigInt. Knows nothing of how a record is written.
 */

import { HEARTS, HEART_ACE, KEY_CARDS, PIG, SCORING_CARDS, SHEEP, TRANSFORMER, splitCopy } from "./engine_cards.js";
import { allHeartsSeat, ownCopies } from "./engine_check.js";

const ONCE = Object.freeze({ product: 1n, larger: 1n });
/** The factors of a deal in which nothing was exposed. */
const PLAIN = Object.freeze(Object.fromEntries(KEY_CARDS.map((card) => [card, ONCE])));
const NO_OWN = Object.freeze(Object.fromEntries(KEY_CARDS.map((card) => [card, 0n])));

/**
 * {hands, factors, swap}: `hands` in the order of the seats, `factors` of each key card {product, larger} over its
 * exposed copies, `swap` whether pig and sheep exchange signs. `deal` as examine gives it.
 *
 * A hand: {seat, counts: card → copies captured, own: key card → those of them dealt to the seat itself (where
 * self-capture counts), number: of scoring cards, hearts: how many, sum: of their values, allHearts, slam}.
 */
export function dealInNumbers(deal) {
  const { rules, record } = deal;
  const own = new Map(KEY_CARDS.map((card) => [card, rules.self_capture === "off" ? null : ownCopies(deal, card)]));
  const wanted = rules.swap === "always" || (rules.swap === "choice" && record.swap);
  return {
    hands: deal.seats.map((seat) => handOf(deal, seat, own)),
    factors: exposureFactors(deal),
    swap: wanted && allHeartsSeat(deal) !== null,
  };
}

function handOf({ rules, captured }, seat, own) {
  const hand = { seat, counts: {}, own: {}, number: 0, hearts: 0, sum: 0n };
  for (const card of SCORING_CARDS) {
    let copies = 0;
    for (const [taker] of captured.get(card)) {
      copies += taker === seat ? 1 : 0;
    }
    hand.counts[card] = BigInt(copies);
    hand.number += copies;
  }
  for (const card of KEY_CARDS) {
    hand.own[card] = BigInt(own.get(card)?.number(seat) ?? 0);
  }
  for (const [place, card] of HEARTS.entries()) {
    hand.hearts += Number(hand.counts[card]);
    hand.sum += hand.counts[card] * rules.hearts[place];
  }
  hand.allHearts = hand.hearts === rules.decks * HEARTS.length;
  hand.slam = hand.number === rules.decks * SCORING_CARDS.length;
  return hand;
}

function exposureFactors({ record, rules }) {
  const factors = { ...PLAIN };
  for (const one of record.exposed) {
    const card = splitCopy(one.card)[0];
    const factor = rules.factors[one.kind];
    const { product, larger } = factors[card];
    factors[card] = { product: product * factor, larger: factor > larger ? factor : larger };
  }
  return factors;
}

/** One seat's score, the grand slam included. */
export function seatScore(rules, hand, factors, swap) {
  if (!hand.number) {
    return 0n;
  }
  if (!hand.slam) {
    return computed(rules, hand, factors, swap);
  }
  if (isGivenSlam(rules, hand, factors)) {
    return rules.grand_slam_value;
  }
  if (rules.grand_slam === "scaled") {
    return roundHalfAway(scaledSlam(rules, hand, factors));
  }
  return computed(rules, hand, factors, false);
}

/** Whether the hand is a grand slam that scores the ruleset's figure: exposures, if any, multiplied nothing. */
export function isGivenSlam(rules, hand, factors) {
  return (
    hand.slam &&
    rules.grand_slam === "fixed" &&
    KEY_CARDS.every((card) => factors[card].product === 1n && factors[card].larger === 1n)
  );
}

/** A grand slam's figure, raised as exposure and self-capture raise the computed one: a fraction. */
export function scaledSlam(rules, hand, factors) {
  const plain = plainSlam(rules, hand);
  if (!plain) {
    return fraction(rules.grand_slam_value);
  }
  return fraction(rules.grand_slam_value * computed(rules, hand, factors, false), plain);
}

/** What a grand slam computes to with nothing exposed and nothing self-captured. */
export function plainSlam(rules, hand) {
  return computed(rules, { ...hand, own: NO_OWN }, PLAIN, false);
}

/** The hearts of a hand before ♥A's exposure and any bonus for all of them. */
export function heartsTotal(rules, hand) {
  const aces = hand.own[HEART_ACE];
  const suit = rules.self_capture === "suit" ? rules.self_capture_factor ** aces : 1n;
  let total = hand.sum * suit;
  if (rules.self_capture === "card") {
    total += (rules.self_capture_factor - 1n) * rules.hearts[HEARTS.indexOf(HEART_ACE)] * aces;
  }
  if (hand.allHearts && rules.all_hearts !== "keep") {
    return rules.all_hearts === "negate" ? -total : rules.all_hearts_value * suit;
  }
  return total;
}

/** By what exposure multiplies a pig or sheep of which one seat captured so many copies. */
export function singleFactor(rules, { product, larger }, copies) {
  return copies === 2n || rules.single_copy === "product" ? product : larger;
}

/** By what exposure multiplies the transformers of which one seat captured so many copies. */
export function transformerExposure({ product, larger }, copies) {
  return copies === 2n ? product : larger;
}

/** Whether nothing but transformers was captured, which then score by themselves. */
export function isTransformerAlone({ counts, number }) {
  return number > 0 && Number(counts[TRANSFORMER]) === number;
}

/** The score as cards, exposure and self-capture make it, a grand slam like any other hand. */
export function computed(rules, hand, factors, swap) {
  const { counts, own } = hand;
  const more = rules.self_capture_factor - 1n;
  const transformers = counts[TRANSFORMER];
  const exposed = transformerExposure(factors[TRANSFORMER], transformers);
  if (isTransformerAlone(hand)) {
    return rules.transformer * exposed * (transformers + own[TRANSFORMER] * more);
  }
  const sign = swap ? -1n : 1n;
  const pigFactor = singleFactor(rules, factors[PIG], counts[PIG]);
  const sheepFactor = singleFactor(rules, factors[SHEEP], counts[SHEEP]);
  const total =
    (heartsTotal(rules, hand) + (hand.allHearts ? rules.all_hearts_bonus : 0n)) * factors[HEART_ACE].product +
    sign * pigValue(rules, hand) * pigFactor * (counts[PIG] + own[PIG] * more) +
    sign * rules.sheep * sheepFactor * (counts[SHEEP] + own[SHEEP] * more);
  if (!transformers) {
    return total;
  }
  return ownMultipliers(rules, own[TRANSFORMER]).reduce(
    (product, factor) => product * factor,
    total * rules.transformer_factor ** transformers * exposed,
  );
}

/** By what transformers that a seat was dealt and captured itself multiply more than others: a factor for each. */
export function ownMultipliers(rules, transformers) {
  const more = rules.self_capture_transformer === "multiplier" ? Number(transformers) : 0;
  return Array.from({ length: more }, () => rules.self_capture_factor);
}

/** What a pig is worth: in a grand slam it counts positive. */
export function pigValue(rules, { slam }) {
  return slam && rules.pig < 0n ? -rules.pig : rules.pig;
}

// -- fractions: {numerator, denominator}, in lowest terms, the denominator above 0

/** Makes a fraction of two BigInts. */
export function fraction(numerator, denominator = 1n) {
  const sign = denominator < 0n ? -1n : 1n;
  let [common, rest] = [abs(numerator), abs(denominator)];
  while (rest) {
    [common, rest] = [rest, common % rest];
  }
  return { numerator: (sign * numerator) / common, denominator: (sign * denominator) / common };
}

/** The nearest whole number, halves away from zero. */
export function roundHalfAway({ numerator, denominator }) {
  const size = (2n * abs(numerator) + denominator) / (2n * denominator);
  return numerator < 0n ? -size : size;
}

function abs(number) {
  return number < 0n ? -number : number;
}
