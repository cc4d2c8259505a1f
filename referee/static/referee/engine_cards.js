/**
 * Cards and seats as a record writes them (docs/rules.md §9): suit letter S H D C, then A K Q J 10 … 2; a key card
 * may carry the seat it was dealt to, as in "SQ:N".
 *
 * Knows names and their order, not what anything is worth.
 */

const SUITS = ["S", "H", "D", "C"];
const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

export const PIG = "SQ";
export const SHEEP = "DJ";
export const TRANSFORMER = "C10";
export const HEART_ACE = "HA";
/** The cards that can be exposed and self-captured. */
export const KEY_CARDS = Object.freeze([PIG, SHEEP, TRANSFORMER, HEART_ACE]);
/** From high to low, as a ruleset lists what they are worth. */
export const HEARTS = Object.freeze(RANKS.map((rank) => `H${rank}`));
/** The cards of which a record tells who took them. */
export const SCORING_CARDS = Object.freeze([PIG, SHEEP, TRANSFORMER, ...HEARTS]);

const PACK = SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank));
const KEYS = new Set(KEY_CARDS);
const SCORING = new Set(SCORING_CARDS);
const ORDER = new Map(
  [...SCORING_CARDS, ...PACK.filter((card) => !SCORING.has(card))].map((card, place) => [card, place]),
);

/** In the order of play. */
export const FOUR_SEATS = Object.freeze(["N", "W", "S", "E"]);
/** Every other table is lettered. */
export const LETTER_SEATS = Object.freeze([..."ABCDEFGHIJKLM"]);
export const FEWEST_SEATS = 3;

/** Whether it is one of the 52 card codes, without a copy's seat. */
export const isCard = (card) => ORDER.has(card);

/** Whether it can be exposed and self-captured. */
export const isKeyCard = (card) => KEYS.has(card);

/** Whether it is a scoring card 分牌. */
export const isScoring = (card) => SCORING.has(card);

/** "SQ:N" → ["SQ", "N"]; "SQ" → ["SQ", null]. */
export function splitCopy(code) {
  const colon = code.indexOf(":");
  return colon < 0 ? [code, null] : [code.slice(0, colon), code.slice(colon + 1)];
}

/** "SQ" → "♠Q"; what is no card stays as it is. */
export const symbol = (card) => (isCard(card) ? SIGNS[card[0]] + card.slice(1) : card);

/** Sorts texts as the server does, by code points: JavaScript's own order differs beyond U+FFFF. */
export function compareTexts(one, other) {
  const [left, right] = [[...one], [...other]];
  for (let place = 0; place < Math.min(left.length, right.length); place += 1) {
    const difference = left[place].codePointAt(0) - right[place].codePointAt(0);
    if (difference) {
      return difference;
    }
  }
  return left.length - right.length;
}

/** Sorts card codes: scoring cards first, then the pack, then what is no card. */
export function compareCards(one, other) {
  return cardPlace(one) - cardPlace(other) || compareTexts(one, other);
}

function cardPlace(code) {
  return ORDER.get(splitCopy(code)[0]) ?? PACK.length;
}

/** What sorts the seats of one table: "E" is the last of four seats and the fifth of lettered ones. */
export function seatOrder(seats) {
  const known = seats.every((seat) => FOUR_SEATS.includes(seat)) ? FOUR_SEATS : LETTER_SEATS;
  const place = (seat) => (known.includes(seat) ? known.indexOf(seat) : known.length);
  return (one, other) => place(one) - place(other) || compareTexts(one, other);
}

/** The seat opposite at a table of four. */
export const partnerOf = (seat) => FOUR_SEATS[(FOUR_SEATS.indexOf(seat) + 2) % 4];
