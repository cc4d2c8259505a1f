/**
 * Who shuffles, cuts, draws first and leads in the next deal (docs/rules.md §6), for a tablet without network; says what
 * scoring/engine/procedure.py says.
 */

import { cardText, say } from "./dom.js";

/**
 * The steps before the next deal, as the page shows them: [{label, text}]. `seats`: those of the table in the order of play,
 * the first one first; `before`: {record, scores: {seat: points}} of the last deal that counted, or null; `firstPig`: who is
 * known to have taken the first ♠Q of two.
 */
export function nextProcedure({ seats, ruleset, before, texts, firstPig = null }) {
  const letters = seats.map((one) => one.seat);
  const around = counterclockwise(letters, ruleset);
  const takers = before ? around.filter((seat) => tookPig(before.record, seat)) : [];
  const open = takers.length > 1 && firstPig === null;
  const by = { pig: firstPig ?? takers[0] ?? null, lowest: before && lowest(before.scores, around) };
  const shuffler = by[ruleset.later_shuffle] ?? letters[0];
  const byCard = !before || ruleset.later_lead === "holder";
  const who = (seat) => {
    const { name, player } = seats.find((one) => one.seat === seat);
    return `${name} ${player}`;
  };
  const names = takers.map((seat) => seats.find((one) => one.seat === seat).name);
  const oneOf = say(texts.firstPigOf, { seats: names.join(texts.or) });
  const leads = byCard
    ? say(ruleset.must_lead_card ? texts.holderLeadsCard : texts.holderLeads, { card: cardText(ruleset.lead_card) })
    : open && ruleset.later_lead === "pig"
      ? oneOf
      : who(by[ruleset.later_lead] ?? letters[0]);
  return [
    { label: texts.shuffles, text: open && ruleset.later_shuffle === "pig" ? oneOf : who(shuffler) },
    { label: texts.cuts, text: who(letters[(letters.indexOf(shuffler) + 1) % letters.length]) },
    { label: texts.drawsFirst, text: who(shuffler) },
    { label: texts.leads, text: leads },
  ];
}

/** The seats of which one took the first ♠Q of two, where somebody shuffles or leads by it; else none. */
export function pigToAsk({ seats, ruleset, before }) {
  const takers = before ? counterclockwise(seats.map((one) => one.seat), ruleset).filter((seat) => tookPig(before.record, seat)) : [];
  return takers.length > 1 && [ruleset.later_shuffle, ruleset.later_lead].includes("pig") ? takers : [];
}

/** The engine looks at the seats counter-clockwise; the first of several equal ones counts. */
function counterclockwise(letters, { direction }) {
  return direction === "counterclockwise" ? letters : [letters[0], ...letters.slice(1).reverse()];
}

function tookPig(record, seat) {
  return (record.captures[seat] ?? []).some((card) => card.split(":")[0] === "SQ");
}

function lowest(scores, around) {
  return around.reduce((found, seat) => (Number(scores[seat]) < Number(scores[found]) ? seat : found));
}
