/**
 * The score while cards are tapped: worked out on the tablet, with or without a network. What the server works out once
 * the deal is stored is what counts; the figures shown here go with the deal, so that a difference raises an alarm.
 */

import { UnknownRules, faultText, scoreDeal } from "./engine.js";
import { NotSent, Refusal, request } from "./api.js";

const DELAY = 120;
const GLYPHS = { "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾" };

/** Points for people: a true minus sign, thirds as mixed numbers (−293⅓). Points are numbers or texts as "-880/3". */
export function showPoints(points) {
  const [, minus, whole, below] = /^(-?)(\d+)(?:\/(\d+))?$/.exec(String(points));
  const sign = minus ? "−" : "";
  if (!below) {
    return `${sign}${whole}`;
  }
  const full = BigInt(whole) / BigInt(below);
  const rest = `${BigInt(whole) % BigInt(below)}/${below}`;
  return `${sign}${full || ""}${GLYPHS[rest] ?? (full ? ` ${rest}` : rest)}`;
}

/**
 * What to show for a record: {scores: {seat: {score, credited, formula}}, points: {seat: points}, errors: [{code, message}]}.
 * `words` as faultText of engine.js takes them. Throws UnknownRules where this page is older than the rules.
 */
export function localScore(record, ruleset, words) {
  const answer = scoreDeal(record, ruleset);
  if (answer.errors) {
    return { errors: answer.errors.map((one) => ({ code: one.code, message: faultText(one, words) })) };
  }
  const lines = Object.entries(answer.scores).map(([seat, score]) => [
    seat,
    {
      score: showPoints(score),
      credited: showPoints(answer.adjusted ? answer.adjusted[seat] : score),
      formula: answer.formula[seat],
    },
  ]);
  return { scores: Object.fromEntries(lines), points: answer.scores, errors: [] };
}

/**
 * Gives {ask(record, show)}: shows the score of the latest record asked for, null where there is none. The server is asked
 * only where it plays by rules that this page does not know yet.
 */
export function buildScorer({ path, token, ruleset, words }) {
  let timer = 0;
  let current = new AbortController();

  async function fetchScore(record, show) {
    current.abort();
    current = new AbortController();
    try {
      show(await request(path, { body: { record }, token, signal: current.signal }));
    } catch (fault) {
      if (fault instanceof Refusal || fault instanceof NotSent) {
        show(null);
      }
    }
  }

  return {
    ask(record, show) {
      clearTimeout(timer);
      try {
        show(localScore(record, ruleset, words));
      } catch (fault) {
        if (!(fault instanceof UnknownRules)) {
          throw fault;
        }
        timer = setTimeout(() => fetchScore(record, show), DELAY);
      }
    },
  };
}
