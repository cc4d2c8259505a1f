/** What can be done at the table besides entering a deal: each asks what it must and sends one command. */

import { say } from "./dom.js";
import { penaltyBody } from "./penalty.js";

const part = (id) => document.getElementById(id);

/**
 * `send(path, body, label)` sends a command; `ask` opens a dialog (dialogs.js); `correct(deal, reason)` and `replay(deal)`
 * open the entry, as does `contest(deal, purpose)` with purpose {purpose: "second" | "dispute", seat, reason}. Gives one function for each action.
 */
export function buildActions({ api, texts, articles = [], ask, send, correct, contest, ruling, replay, log }) {
  const dealPath = (deal, action) => `${api}deals/${deal.number}/${action}/`;
  const title = (action, deal) => `${action}: ${say(texts.dealNumber, { deal: deal.number })}`;

  return {
    check: (deal, { relation, seat }) =>
      send(dealPath(deal, "check"), { version: deal.version, relation, seat }, title(texts.check, deal)),

    undo: (deal) => send(dealPath(deal, "undo"), { version: deal.version, reason: "" }, title(texts.actions.undo, deal)),

    /** `deal.version` 0: the deal was never entered. */
    async void(deal) {
      const answer = await ask(part("reason"), { title: title(texts.actions.void, deal) });
      if (answer) {
        await send(dealPath(deal, "void"), { version: deal.version, reason: answer.reason }, title(texts.actions.void, deal));
      }
    },

    async correct(deal) {
      const answer = await ask(part("reason"), { title: title(texts.actions.correct, deal) });
      if (answer) {
        correct(deal, answer.reason);
      }
    },

    enter: replay,

    ruling,

    log,

    agree: (deal, seat) =>
      send(dealPath(deal, "sign"), { version: deal.version, seat, verdict: "agree" }, title(texts.agree, deal)),

    /** The seat says why; where the record may be seen it then shows what it holds to be right. */
    async dispute(deal, seat) {
      const answer = await ask(part("reason"), { title: title(texts.dispute, deal) });
      if (answer && deal.record) {
        contest(deal, { purpose: "dispute", seat, reason: answer.reason });
      } else if (answer) {
        const body = { version: deal.version, seat, verdict: "dispute", reason: answer.reason };
        await send(dealPath(deal, "sign"), body, title(texts.dispute, deal));
      }
    },

    second: (deal) => contest(deal, { purpose: "second", seat: "", reason: "" }),

    async rule(deal, dispute, outcome) {
      const answer = await ask(part("reason"), { title: title(texts.rulings[outcome], deal) });
      if (answer) {
        await send(`${api}disputes/${dispute.dispute}/`, { outcome, ruling: answer.reason }, title(texts.rulings[outcome], deal));
      }
    },

    async stopOrResume(table) {
      const action = table.stopped ? "resume" : "stop";
      const answer = await ask(part("reason"), { title: texts[action] });
      if (answer) {
        await send(`${api}${action}/`, { reason: answer.reason }, texts[action]);
      }
    },

    startSegment: (table) => send(`${api}segment/`, { segment: table.next_segment }, texts.nextSegment),

    async givePenalty() {
      const answer = await ask(part("penalty"), {});
      if (answer) {
        await send(`${api}penalties/`, penaltyBody(answer, articles), `${texts.penalty}: ${answer.rule}`);
      }
    },

    async cancelPenalty(penalty) {
      const answer = await ask(part("reason"), { title: `${texts.cancelPenalty}: ${penalty.rule}` });
      if (answer) {
        await send(`${api}penalties/${penalty.penalty}/cancel/`, { reason: answer.reason }, texts.cancelPenalty);
      }
    },
  };
}
