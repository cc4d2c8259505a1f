"""Fields that say how a round is played: games to a line, a set of deals or a fixed time, and its segments.

Shared by the forms of an event and of a stage or round that is played otherwise.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import small_number
from tournament.queries.segments import MOST_SEGMENTS, Change

PLAN_KINDS = (
    ("game", _("games to a line")),
    ("set", _("a set of deals")),
    ("time", _("a fixed time")),
)
LINES = (
    ("ruleset", _("the ruleset's lines")),
    ("1000", _("±1000")),
    ("800", _("±800")),
    ("own", _("other lines")),
)
CHANGES = (
    (Change.KEEP.value, _("nothing: everybody keeps the seat")),
    (Change.TURN.value, _("the seats: everybody one seat further; two sides exchange directions")),
    (Change.PARTNERS.value, _("the partners (changing partners, sets)")),
    (Change.OPPONENTS.value, _("the opponents: one team's pairs exchange tables (teams)")),
)

#: Field of the form by the field a fault of the plan names.
FIELD_OF_FAULT = {
    "kind": "plan_kind",
    "plan": "plan_kind",
    "lose_line": "lose_line",
    "win_line": "win_line",
    "best_of": "best_of",
    "deals": "deals",
    "minutes": "minutes",
    "finish_current_deal": "finish_current_deal",
    "change": "segment_change",
}
#: Which fields each kind of round needs.
_NEEDED = {"game": {"lines", "best_of"}, "set": {"deals"}, "time": {"lines", "minutes"}}


class PlanFields(forms.Form):
    """A round plan, with its segments and whether both tables of a team match play the same deals."""

    plan_kind = forms.ChoiceField(
        label=_("A round is"), choices=PLAN_KINDS, widget=forms.RadioSelect, initial="game"
    )
    lines = forms.ChoiceField(label=_("A game ends at"), choices=LINES, initial="ruleset")
    lose_line = small_number(label=_("Made pig at"), help_text=_("Points below 0, e.g. −1000."))
    win_line = small_number(label=_("Wins at"), help_text=_("Points above 0, e.g. 1000."))
    best_of = small_number(
        label=_("Best of … games"),
        min_value=1,
        max_value=15,
        initial=1,
        help_text=_(
            "Games within one round, at the same table. 1: a single game. 3: whoever wins two games first."
        ),
    )
    deals = small_number(label=_("Deals in a set"), min_value=1, max_value=200, initial=16)
    minutes = small_number(label=_("Minutes"), min_value=1, max_value=600, initial=60)
    finish_current_deal = forms.BooleanField(
        label=_("When time is up, the deal in play is finished and counts"), required=False, initial=True
    )
    segments = small_number(
        label=_("Segments of a round"),
        min_value=1,
        max_value=MOST_SEGMENTS,
        initial=1,
        help_text=_(
            "A set is shared evenly; games change segment one by one; in time the referee says when."
        ),
    )
    segment_change = forms.ChoiceField(
        label=_("Between segments changes"),
        choices=CHANGES,
        initial=Change.KEEP.value,
        help_text=_("A team's line-up can be set for each segment besides."),
    )
    duplicate = forms.BooleanField(
        label=_("Teams: the same deals at both tables, compared deal by deal"), required=False
    )

    def beside_the_plan(self) -> set[str]:
        """Fields that the plan chosen does not need: they may be empty."""
        wanted = set(_NEEDED.get(str(self.data.get(self.add_prefix("plan_kind"))), ()))
        if "lines" in wanted and self.data.get(self.add_prefix("lines")) == "own":
            wanted |= {"lose_line", "win_line"}
        beside = {"lines", "lose_line", "win_line", "best_of", "deals", "minutes"} - wanted
        return beside | {"segments", "segment_change"}

    def stated_plan(self) -> dict[str, Any]:
        """The round plan as scoring.engine.game.GamePlan.from_dict reads it."""
        cleaned = self.cleaned_data
        kind = cleaned["plan_kind"]
        if kind == "set":
            return {"kind": kind, "deals": cleaned["deals"]}
        plan: dict[str, Any] = {"kind": kind}
        lines = cleaned["lines"] or "ruleset"
        if lines == "own":
            plan.update(lose_line=cleaned["lose_line"], win_line=cleaned["win_line"])
        elif lines != "ruleset":
            plan.update(lose_line=-int(lines), win_line=int(lines))
        if kind == "game":
            plan["best_of"] = cleaned["best_of"]
        else:
            plan["minutes"] = cleaned["minutes"]
            plan["finish_current_deal"] = cleaned["finish_current_deal"]
        return plan

    def stated_segments(self) -> dict[str, Any] | None:
        """The segments as they are stored; None for a round in one piece."""
        cleaned = self.cleaned_data
        count = cleaned.get("segments") or 1
        change = cleaned.get("segment_change") or Change.KEEP.value
        return {"count": count, "change": change} if count > 1 else None


def plan_initial(stated: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields show of stored terms (tournament.queries.plans.stated_terms)."""
    plan, segments = stated["plan"], stated["segments"] or {}
    return {
        "plan_kind": plan.get("kind", "game"),
        "lines": _lines(plan),
        **{
            name: plan[name]
            for name in ("lose_line", "win_line", "best_of", "deals", "minutes", "finish_current_deal")
            if plan.get(name) is not None
        },
        "segments": segments.get("count", 1),
        "segment_change": segments.get("change", Change.KEEP.value),
        "duplicate": bool(stated["duplicate"]),
    }


def _lines(plan: Mapping[str, Any]) -> str:
    low, high = plan.get("lose_line"), plan.get("win_line")
    if low is None and high is None:
        return "ruleset"
    return str(high) if low == -(high or 0) and str(high) in dict(LINES) else "own"
