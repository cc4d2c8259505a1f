/** The parts of the page that show what the server has: procedure, score sheet, one deal, penalties. They decide nothing. */

import { cardFace, cardRuns, el, fill, minus, say } from "./dom.js";
import { rulingsOn } from "./ruling.js";
import { signoffPanel } from "./signoff.js";

const BADGES = { recorded: "badge--warn", checked: "badge--good", void: "badge--bad", withdrawn: "badge--plain" };

/**
 * Who shuffles, cuts, draws first and leads (docs/rules.md §6). With two decks it may have to be told who took the first
 * ♠Q: `firstPig`, a seat or null; `choose(seat)` is told of the answer.
 */
export function drawProcedure(root, table, { firstPig, choose, texts }) {
  const choices = table.pig_choices ?? [];
  const chosen = choices.find((one) => one.seat === firstPig);
  fill(
    root,
    choices.length
      ? el(
          "span",
          { class: "procedure__ask", role: "group", "aria-label": texts.whoTookFirstPig },
          el("strong", {}, `${texts.whoTookFirstPig} `),
          choices.map(({ seat, name }) =>
            el(
              "button",
              { type: "button", class: "tap", "data-key": `pig-${seat}`, "data-pig": seat, "aria-pressed": String(seat === firstPig), onclick: () => choose(seat) },
              name,
            ),
          ),
        )
      : null,
    (chosen ?? table).procedure.map(({ label, text }) =>
      el("span", { class: "procedure__item" }, el("span", { class: "procedure__label" }, label), " ", text),
    ),
  );
  root.hidden = table.procedure.length === 0;
}

/** How many signs stand beside each other where every column shows its longest figure. */
function signsAcross({ columns, deals, games, subtotals }) {
  const rows = [...deals.map((deal) => deal.columns ?? {}), ...[...games, ...subtotals].map((one) => one.totals)];
  return columns.reduce((sum, { key }) => sum + Math.max(...rows.map((row) => String(row[key] ?? "0").length), 2), 0);
}

/** Every deal with its figures and state, and the totals of each game. `open` shows a deal. */
export function drawSheet(root, { table, texts, selected, open }) {
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, texts.deal),
    table.columns.map((column) =>
      el("th", { scope: "col", class: "num", title: column.title }, el("span", { class: "seat" }, column.sign)),
    ),
    el("th", { scope: "col" }, el("span", { class: "visually-hidden" }, texts.state)),
  );
  // Where each game is a segment its total is the subtotal.
  const subtotals =
    table.subtotals.length > table.games.length
      ? table.subtotals.map((one) => totalRow(say(texts.subtotal, { segment: one.title }), one.totals))
      : [];
  const rows = table.games.flatMap((game) => [
    ...(table.games.length > 1 || table.best_of > 1
      ? [headingRow(game.title)]
      : []),
    ...bySegment(table.deals.filter((deal) => deal.game === game.number)),
    ...(game === table.games.at(-1) ? subtotals : []),
    totalRow(texts.total, game.totals),
  ]);
  const outside = table.deals.filter((deal) => deal.game === null && deal.state !== "withdrawn");

  function bySegment(deals) {
    return deals.flatMap((deal, place) => {
      const title = table.subtotals.find((one) => one.segment === deal.segment)?.title;
      const begins = title && deal.segment !== deals[place - 1]?.segment;
      return [...(begins ? [headingRow(title)] : []), dealRow(deal)];
    });
  }

  function headingRow(title) {
    return el("tr", { class: "sheet__game" }, el("th", { colspan: table.columns.length + 2, scope: "rowgroup" }, title));
  }

  function dealRow(deal) {
    const unsent = isUnsent(table, deal);
    return el(
      "tr",
      { class: [deal.number === selected && "is-selected", unsent && "is-unsent"].filter(Boolean).join(" ") || null },
      el(
        "th",
        { scope: "row" },
        el(
          "button",
          {
            type: "button",
            class: "sheet__deal",
            "data-key": `deal-${deal.number}`,
            "aria-current": deal.number === selected ? "true" : null,
            "aria-label": [say(texts.showDeal, { deal: deal.number }), unsent && texts.places.tablet].filter(Boolean).join(", "),
            title: unsent ? texts.places.tablet : null,
            onclick: () => open(deal.number),
          },
          String(deal.number),
        ),
      ),
      table.columns.map((column) => el("td", { class: "num" }, deal.columns?.[column.key] ?? "—")),
      el("td", { class: "sheet__state" }, el("span", { class: `mark mark--${deal.state}`, title: texts.states[deal.state] }, el("span", { class: "visually-hidden" }, texts.states[deal.state]))),
    );
  }

  function totalRow(title, totals) {
    return el(
      "tr",
      { class: "sheet__total" },
      el("th", { scope: "row" }, title),
      table.columns.map((column) => el("td", { class: "num" }, totals[column.key] ?? "0")),
      el("td", {}),
    );
  }

  const sheet = el("table", { class: "sheet", "data-many": table.columns.length > 4 }, el("thead", {}, head), el("tbody", {}, rows, outside.map((deal) => dealRow(deal))));
  sheet.style.setProperty("--signs", signsAcross(table));
  sheet.style.setProperty("--columns", table.columns.length);
  fill(
    root,
    sheet,
    table.games.filter((game) => game.result).map((game) => el("p", { class: "sheet__result" }, game.result)),
    outside.some((deal) => deal.state !== "void") ? el("p", { class: "muted" }, texts.outside) : null,
  );
}

/** Whether this tablet still holds something of a deal: an entry, what was said of it, a ruling. */
const isUnsent = ({ rulings }, deal) => deal.place === "tablet" || rulings.some((one) => one.waits && one.deal === deal.number);

/** Where a deal is. One that is checked and all of it at the server needs no more words. */
function placeBadge(table, deal, texts) {
  if (isUnsent(table, deal)) {
    return el("span", { class: "badge badge--warn badge--here" }, texts.places.tablet);
  }
  return deal.state === "recorded" ? el("span", { class: "badge badge--plain" }, texts.places.server) : null;
}

/** One deal: cards, figures, who entered and who checks, and what can be done. */
export function drawDeal(root, { table, deal, texts, run }) {
  const signs = Object.fromEntries(table.seats.map((one) => [one.seat, one.sign]));
  fill(
    root,
    el(
      "header",
      { class: "pane__head" },
      el("h1", {}, say(texts.dealNumber, { deal: deal.number })),
      el("span", { class: `badge ${BADGES[deal.state]}` }, texts.states[deal.state]),
      placeBadge(table, deal, texts),
    ),
    rulingsOn(deal.number, table, texts),
    deal.reason ? el("p", { class: "banner banner--warn" }, el("strong", {}, texts.reason), " ", deal.reason) : null,
    deal.checkers.length ? checkPanel({ deal, texts, run }) : null,
    deal.signoff ? signoffPanel({ table, deal, texts, run }) : null,
    deal.hidden && deal.signoff?.second ? el("p", { class: "banner banner--note" }, texts.hidden) : null,
    deal.record ? resultTable(table, deal, signs, texts) : null,
    deal.record ? exposureLine(table, deal, texts) : null,
    people(deal, texts),
    el(
      "div",
      { class: "actions pane__actions" },
      deal.actions
        .filter((action) => action !== "check")
        .map((action) =>
          el(
            "button",
            {
              type: "button",
              class: `button ${action === "void" ? "button--danger" : ""}`,
              "data-key": `action-${action}`,
              "data-action": action,
              onclick: () => run(action, deal),
            },
            texts.actions[action],
          ),
        ),
    ),
  );
}

function checkPanel({ deal, texts, run }) {
  return el(
    "section",
    { class: "check", "aria-label": texts.check },
    el("h2", {}, texts.check),
    el("p", { class: "muted" }, texts.checkHelp),
    el(
      "div",
      { class: "check__who" },
      deal.checkers.map((checker) =>
        el(
          "button",
          {
            type: "button",
            class: "button button--primary check__button",
            "data-key": `check-${checker.relation}-${checker.seat}`,
            "data-relation": checker.relation,
            "data-seat": checker.seat,
            onclick: () => run("check", deal, checker),
          },
          el("span", { class: "check__relation" }, checker.label),
          el("span", { class: "check__name" }, checker.player),
        ),
      ),
    ),
    deal.checkers.length ? null : el("p", { class: "banner banner--note" }, texts.nobodyMayCheck),
  );
}

function resultTable(table, deal, signs, texts) {
  const adjusted = deal.scores.some((line) => line.credited !== line.score);
  return el(
    "div",
    { class: "table-scroll" },
    el(
      "table",
      { class: "result" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, texts.seat),
          el("th", { scope: "col" }, texts.captured),
          el("th", { scope: "col", class: "num" }, texts.score),
          adjusted ? el("th", { scope: "col", class: "num" }, texts.counts) : null,
        ),
      ),
      el(
        "tbody",
        {},
        deal.scores.map((line) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, el("span", { class: "seat" }, signs[line.seat]), " ", el("span", { class: "name" }, line.player)),
            el("td", {}, cardRuns(deal.record.captures[line.seat] ?? [], signs), el("small", { class: "formula muted" }, minus(line.formula))),
            el("td", { class: "num result__score" }, line.score),
            adjusted ? el("td", { class: "num result__score" }, line.credited) : null,
          ),
        ),
      ),
    ),
  );
}

function exposureLine(table, deal, texts) {
  const name = (seat) => table.seats.find((one) => one.seat === seat)?.name ?? seat;
  const { exposed = [], held = {} } = deal.record;
  return el(
    "dl",
    { class: "deal-facts" },
    el("dt", {}, texts.exposed),
    el("dd", {}, exposed.length ? exposed.map((one) => el("span", {}, cardFace(one.card), ` ${texts.kinds[one.kind]}, ${name(one.seat)}`)) : texts.nothingExposed),
    Object.keys(held).length
      ? [
          el("dt", {}, texts.dealt),
          el("dd", {}, Object.entries(held).map(([card, seats]) => el("span", {}, cardFace(card), ` ${[seats].flat().map(name).join(", ")}`))),
        ]
      : null,
  );
}

function people(deal, texts) {
  return el(
    "dl",
    { class: "deal-facts" },
    el("dt", {}, texts.enteredBy),
    el("dd", {}, `${deal.entered}, ${deal.entered_time}`),
    deal.check ? [el("dt", {}, texts.checkedBy), el("dd", {}, `${deal.check.text}, ${deal.check.time}`)] : null,
    deal.version > 1 ? [el("dt", {}, texts.version), el("dd", {}, String(deal.version))] : null,
  );
}

/** Penalties given at this table; a cancelled one stays, struck through. */
export function drawPenalties(root, { table, texts, cancel }) {
  fill(
    root,
    table.penalties.length
      ? el(
          "ul",
          { class: "penalties" },
          table.penalties.map((one) =>
            el(
              "li",
              { class: one.cancelled ? "is-cancelled" : null },
              el(
                "span",
                {},
                el(one.cancelled ? "del" : "span", {}, `${one.who}: ${one.rule} `, el("strong", {}, one.shown)),
                el("small", { class: "muted" }, [reasonBeyond(one), one.cancelled && `${texts.cancelled}: ${one.cancel_reason}`, one.waits && texts.places.tablet].filter(Boolean).join(" · ")),
              ),
              one.may_cancel
                ? el("button", { type: "button", class: "button button--small", onclick: () => cancel(one) }, texts.cancelPenalty)
                : null,
            ),
          ),
        )
      : el("p", { class: "muted" }, texts.noPenalties),
  );
}

/** What was said besides the article under which a penalty was given. */
const reasonBeyond = ({ rule, reason }) => (reason === rule ? "" : reason);

/** A record in a few lines, for comparing it with `other`: those that differ are marked. */
export function recordSummary(table, record, other, texts) {
  if (!record) {
    return el("p", { class: "muted" }, texts.noRecord);
  }
  const lines = summaryLines(table, record, texts);
  const others = other && summaryLines(table, other, texts);
  return el(
    "dl",
    { class: "deal-facts" },
    lines.map(({ title, key, shown }, place) => {
      const mark = { class: others && others[place].key !== key ? "differs" : null };
      return [el("dt", mark, title), el("dd", mark, shown)];
    }),
  );
}

/** What two records can differ in, as [{title, key, shown}]: equal keys say the same. */
function summaryLines({ seats, layout }, { captures = {}, exposed = [], held = {}, swap_pig_sheep: swapped = false }, texts) {
  const signOf = (letter) => seats.find(({ seat }) => seat === letter)?.sign ?? letter;
  const signs = Object.fromEntries(seats.map(({ seat, sign }) => [seat, sign]));
  const shownAs = exposed.map((one) => ({ card: one.card, words: ` ${texts.kinds[one.kind] ?? one.kind} ${signOf(one.seat)}` }));
  const dealt = layout.keyCards.filter((card) => held[card]).map((card) => ({ card, words: ` ${[held[card]].flat().map(signOf).sort().join(" ")}` }));
  const listed = (those, none) => (those.length ? those.map(({ card, words }) => el("span", {}, cardFace(card), words)) : none);
  const keyOf = (those) => those.map(({ card, words }) => card + words).sort().join();
  return [
    ...seats.map(({ seat, sign, player }) => {
      const cards = captures[seat] ?? [];
      return { title: `${sign} ${player}`, key: [...cards].sort().join(), shown: cardRuns(cards, signs) };
    }),
    { title: texts.exposed, key: keyOf(shownAs), shown: listed(shownAs, texts.nothingExposed) },
    { title: texts.dealt, key: keyOf(dealt), shown: listed(dealt, "—") },
    ...(layout.swapChoice ? [{ title: texts.swap, key: swapped, shown: swapped ? "✓" : "—" }] : []),
  ];
}
