/** Sign-off of a deal: what each seat says, the second entry, disputes and their rulings. Decides nothing. */

import { el, say } from "./dom.js";

/** The panel of a deal that waits for its check, and of every dispute about it. `run(action, deal, …)` does what is tapped. */
export function signoffPanel({ table, deal, texts, run }) {
  const { signoff } = deal;
  const open = deal.state === "recorded" && table.playing;
  return [
    open && signoff.all ? seatsPanel({ table, deal, texts, run }) : null,
    open && signoff.second ? secondPanel({ deal, texts, run }) : null,
    open && !signoff.all ? disputeRow({ table, deal, texts, run }) : null,
    signoff.disputes.map((dispute) => disputePanel({ deal, dispute, texts, run })),
  ];
}

function seatsPanel({ table, deal, texts, run }) {
  const { verdicts } = deal.signoff;
  const say4 = (seat) => (verdicts[seat] ? texts.verdicts[verdicts[seat]] : texts.notSaid);
  return el(
    "section",
    { class: "check signoff", "aria-label": texts.signoff },
    el("h2", {}, texts.signoff),
    el("p", { class: "muted" }, texts.signoffHelp),
    table.seats.map(({ seat, sign, name, player }) =>
      el(
        "div",
        { class: "signoff__seat", role: "group", "aria-label": `${name} ${player}`, "data-seat": seat },
        el("span", { class: "signoff__who" }, el("span", { class: "seat" }, sign), ` ${player}`),
        el("span", { class: `signoff__said signoff__said--${verdicts[seat] ?? "none"}` }, say4(seat)),
        el(
          "button",
          {
            type: "button",
            class: "button button--primary",
            "data-key": `agree-${seat}`,
            "data-verdict": "agree",
            disabled: verdicts[seat] === "agree",
            onclick: () => run("agree", deal, seat),
          },
          texts.agree,
        ),
        disputeButton({ seat, deal, texts, run }),
      ),
    ),
  );
}

function secondPanel({ deal, texts, run }) {
  return el(
    "section",
    { class: "check signoff", "aria-label": texts.second },
    el("h2", {}, texts.second),
    el("p", { class: "muted" }, texts.secondHelp),
    el(
      "button",
      { type: "button", class: "button button--primary", "data-key": "second", onclick: () => run("second", deal) },
      texts.enterSecond,
    ),
  );
}

function disputeRow({ table, deal, texts, run }) {
  return el(
    "details",
    { class: "signoff__more", "data-key": `disputes-${deal.number}` },
    el("summary", {}, texts.somebodyDisputes),
    el(
      "div",
      { class: "actions" },
      table.seats.map(({ seat, sign, player }) => disputeButton({ seat, label: `${sign} ${player}`, deal, texts, run })),
    ),
  );
}

function disputeButton({ seat, label, deal, texts, run }) {
  return el(
    "button",
    {
      type: "button",
      class: "button",
      "data-key": `dispute-${seat}`,
      "data-verdict": "dispute",
      "data-seat": seat,
      onclick: () => run("dispute", deal, seat),
    },
    label ?? texts.dispute,
  );
}

function disputePanel({ deal, dispute, texts, run }) {
  const who = dispute.seat ? ` · ${dispute.seat}` : "";
  return el(
    "section",
    { class: `banner ${dispute.open ? "banner--bad" : "banner--note"} dispute`, "aria-label": dispute.title },
    el("p", {}, el("strong", {}, `${dispute.title}${who}`), ` ${dispute.reason}`),
    dispute.differences.length
      ? el(
          "table",
          { class: "dispute__both" },
          el("thead", {}, el("tr", {}, el("th", { scope: "col" }, ""), el("th", { scope: "col" }, texts.atServer), el("th", { scope: "col" }, texts.other))),
          el(
            "tbody",
            {},
            dispute.differences.map((one) =>
              el("tr", {}, el("th", { scope: "row" }, one.what), el("td", {}, one.first), el("td", {}, one.second)),
            ),
          ),
        )
      : null,
    dispute.open ? el("p", {}, dispute.waits ? texts.disputeWaits : texts.deskRules) : el("p", {}, `${dispute.outcome}. ${dispute.ruling}`),
    dispute.rulings.length
      ? el(
          "div",
          { class: "actions" },
          dispute.rulings.map((outcome) =>
            el(
              "button",
              { type: "button", class: "button", "data-key": `rule-${dispute.dispute}-${outcome}`, "data-outcome": outcome, onclick: () => run("rule", deal, dispute, outcome) },
              say(texts.rulings[outcome], {}),
            ),
          ),
        )
      : null,
  );
}
