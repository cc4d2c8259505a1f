/**
 * The fields of a ruleset that a deal's score depends on, read from the JSON that the server puts into the page
 * (every field, as `Ruleset.to_full_dict` writes them). No rule has a value here.
 *
 * A page kept in the browser may meet a ruleset of a newer server. What it does not know it must not guess: then
 * UnknownRules is thrown, and the score is left to the server.
 */

import { KEY_CARDS, SHEEP } from "./engine_cards.js";

/** The ruleset has no meaning for this engine; `fields` names where. */
export class UnknownRules extends Error {
  constructor(fields) {
    super(`not understood: ${fields.join(", ")}`);
    this.name = "UnknownRules";
    this.fields = fields;
  }
}

/** Fields with a given set of values. */
const CHOICES = {
  decks: [1, 2],
  exposure: ["optional", "none", "all", "all_but_sheep", "forced_fourth"],
  allow_first: [true, false],
  allow_dark: [true, false],
  single_copy: ["larger", "product"],
  self_capture: ["off", "card", "suit"],
  self_capture_transformer: ["multiplier", "value"],
  all_hearts: ["negate", "fixed", "keep"],
  swap: ["never", "always", "choice"],
  grand_slam: ["computed", "fixed", "scaled"],
  pig_sheep_sides: ["dealt", "captured"],
  zero_sum: [true, false],
  rounding: ["before_scale", "exact"],
};

/** Whole numbers: points, or how many times something counts. */
const NUMBERS = [
  "pig",
  "sheep",
  "transformer",
  "transformer_factor",
  "exposed_factor",
  "first_factor",
  "dark_factor",
  "self_capture_factor",
  "all_hearts_value",
  "all_hearts_bonus",
  "grand_slam_value",
  "scale",
];

/** The names of all fields that are read. */
export const RULE_FIELDS = Object.freeze([...Object.keys(CHOICES), ...NUMBERS, "hearts"]);

/** Where exposure is prescribed: which key cards must be shown. */
const PRESCRIBED = { all: KEY_CARDS, all_but_sheep: KEY_CARDS.filter((card) => card !== SHEEP) };

/**
 * A ruleset ready for use: the same fields with figures as BigInt, so that no product of them is ever rounded, and
 * `factors` (kind of exposure → by what it multiplies, for the kinds that exist) and `prescribed` (the cards that must
 * be exposed, or null where that is free).
 */
export function readRules(ruleset) {
  const wrong = RULE_FIELDS.filter((name) => !understood(name, ruleset?.[name]));
  if (wrong.length) {
    throw new UnknownRules(wrong);
  }
  const rules = { hearts: ruleset.hearts.map(BigInt), prescribed: PRESCRIBED[ruleset.exposure] ?? null };
  for (const name of Object.keys(CHOICES)) {
    rules[name] = ruleset[name];
  }
  for (const name of NUMBERS) {
    rules[name] = BigInt(ruleset[name]);
  }
  rules.factors = { exposed: rules.exposed_factor };
  if (rules.allow_first && !rules.prescribed) {
    rules.factors.first = rules.first_factor;
  }
  if (rules.allow_dark) {
    rules.factors.dark = rules.dark_factor;
  }
  return rules;
}

function understood(name, value) {
  if (name === "hearts") {
    return Array.isArray(value) && value.length === 13 && value.every(Number.isSafeInteger);
  }
  return name in CHOICES ? CHOICES[name].includes(value) : Number.isSafeInteger(value);
}
