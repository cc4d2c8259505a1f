/**
 * How a seat's score came about, as arithmetic in the style of the rules' worked examples (docs/rules.md §9):
 * "(-100 + (-20×3) + (-40)) × 2 = -400". The same text, letter for letter, as the server writes.
 */

import { HEARTS, HEART_ACE, PIG, SHEEP, TRANSFORMER } from "./engine_cards.js";
import {
  computed,
  heartsTotal,
  isGivenSlam,
  isTransformerAlone,
  ownMultipliers,
  pigValue,
  plainSlam,
  scaledSlam,
  seatScore,
  singleFactor,
  transformerExposure,
} from "./engine_score.js";

/** The formula of one seat's score; a bare number where nothing was computed. */
export function seatFormula(rules, hand, factors, swap) {
  const score = seatScore(rules, hand, factors, swap);
  if (isGivenSlam(rules, hand, factors)) {
    return String(score);
  }
  if (hand.slam && rules.grand_slam === "scaled") {
    return scaledFormula(rules, hand, factors, score);
  }
  const { terms, multiplier } = parts(rules, hand, factors, swap && !hand.slam);
  const total = sum(terms);
  if (multiplier) {
    const several = terms.length > 1 || total.includes("×");
    return `${several ? `(${total})` : total} × ${multiplier} = ${score}`;
  }
  return total === String(score) ? total : `${total} = ${score}`;
}

function scaledFormula(rules, hand, factors, score) {
  const plain = plainSlam(rules, hand);
  if (!plain) {
    return String(score);
  }
  const sign = scaledSlam(rules, hand, factors).denominator === 1n ? "=" : "≈";
  const raised = computed(rules, hand, factors, false);
  return `${rules.grand_slam_value} × ${bracket(raised)} ÷ ${bracket(plain)} ${sign} ${score}`;
}

/** The terms of the sum, and the transformers' multiplier ("" where there is none). */
function parts(rules, hand, factors, swap) {
  const { counts, own } = hand;
  const transformers = counts[TRANSFORMER];
  const exposed = transformerExposure(factors[TRANSFORMER], transformers);
  if (isTransformerAlone(hand)) {
    const found = copies(rules, rules.transformer, exposed, transformers, own[TRANSFORMER]);
    return { terms: orNothing(found), multiplier: "" };
  }
  const sign = swap ? -1n : 1n;
  const ofCard = (card, value) =>
    copies(rules, sign * value, singleFactor(rules, factors[card], counts[card]), counts[card], own[card]);
  const found = [
    ...ofCard(PIG, pigValue(rules, hand)),
    ...hearts(rules, hand, factors[HEART_ACE].product),
    ...ofCard(SHEEP, rules.sheep),
  ];
  const terms = orNothing(found);
  if (!transformers) {
    return { terms, multiplier: "" };
  }
  const multipliers = [
    ...times(rules.transformer_factor, transformers),
    exposed,
    ...ownMultipliers(rules, own[TRANSFORMER]),
  ].filter((number) => number !== 1n);
  return { terms, multiplier: multipliers.join("×") || "1" };
}

/** Terms that may all be worth nothing, of which a sum still must be written. */
function orNothing(terms) {
  return terms.length ? terms : ["0"];
}

/** The terms of a pig, sheep or lone transformer: those taken by the seat that was dealt them apart. */
function copies(rules, value, factor, number, own) {
  const found = [];
  for (const [part, extra] of [
    [number - own, 1n],
    [own, rules.self_capture_factor],
  ]) {
    if (part && value) {
      found.push(product(value, factor, extra, part));
    }
  }
  return found;
}

function hearts(rules, hand, factor) {
  if (hand.allHearts) {
    return allHearts(rules, hand, factor);
  }
  const ownAces = hand.own[HEART_ACE];
  const apart = ownAces > 0n && rules.self_capture === "card";
  const suit = rules.self_capture === "suit" ? rules.self_capture_factor ** ownAces : 1n;
  const values = []; // [value, how many, whether the seat's own aces], from the low hearts up as the rules' examples do
  for (let place = HEARTS.length - 1; place >= 0; place -= 1) {
    const value = rules.hearts[place];
    let number = hand.counts[HEARTS[place]];
    if (place === 0 && apart) {
      number -= ownAces;
      values.push([value * rules.self_capture_factor, ownAces, true]);
    }
    if (!value || !number) {
      continue;
    }
    const last = values.at(-1);
    if (last?.[0] === value) {
      last[1] += number;
    } else {
      values.push([value, number, false]);
    }
  }
  const counting = values.filter(([value]) => value);
  if (counting.length === 1 && counting[0][1] === 1n) {
    // With one heart that counts there is room to show each of its factors.
    const [value, , ofOwn] = counting[0];
    return [ofOwn ? product(rules.hearts[0], factor, rules.self_capture_factor) : product(value, factor, suit)];
  }
  return counting.map(([value, number]) => product(value * factor * suit, number));
}

function allHearts(rules, hand, factor) {
  const ownAces = hand.own[HEART_ACE];
  const found = [];
  if (ownAces && rules.self_capture === "card" && rules.all_hearts !== "fixed") {
    const sign = rules.all_hearts === "negate" ? -1n : 1n;
    const ace = sign * rules.hearts[0];
    const rest = sign * hand.sum - ace * ownAces;
    if (ace) {
      found.push(product(ace, rules.self_capture_factor, factor, ownAces));
    }
    if (rest) {
      found.push(product(rest, factor));
    }
  } else {
    const total = heartsTotal(rules, hand);
    if (total) {
      found.push(product(total, factor));
    }
  }
  if (rules.all_hearts_bonus) {
    found.push(product(rules.all_hearts_bonus, factor));
  }
  return found;
}

function times(factor, number) {
  return Array.from({ length: Number(number) }, () => factor);
}

/** Factors joined with ×; those that are 1 are left out, but never the first. */
function product(first, ...factors) {
  return [first, ...factors.filter((number) => number !== 1n)].join("×");
}

/** Terms joined with +, those after the first in brackets where they are negative. */
function sum(terms) {
  return terms.map((term, place) => (place && term.startsWith("-") ? `(${term})` : term)).join(" + ");
}

function bracket(number) {
  return number < 0n ? `(${number})` : String(number);
}
