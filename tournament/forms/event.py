"""The form of an event: kind, rules, round plan, measure and rounds."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.labels import ruleset_title
from scoring.models import RulesetVersion
from tournament.forms.base import CommandForm, slug_field, small_number, suggest_slug
from tournament.forms.plan import FIELD_OF_FAULT
from tournament.forms.structure import StructureFields, structure_initial
from tournament.models import Event
from tournament.pairing.options import OddAnswer
from tournament.queries.draw_formats import FORMATS, formats_for
from tournament.queries.rulesets import choosable_versions
from tournament.services.events import MOST_ROUNDS
from tournament.services.terms import MEASURES, default_measure

KINDS = (
    (Event.Kind.INDIVIDUAL, _("individual: everybody for themselves, at tables of four")),
    (Event.Kind.PAIRS, _("pairs: partners opposite each other, entered together")),
    (Event.Kind.PIG_SHEEP, _("pig-and-sheep: who is dealt pig and sheep play together; ranked singly")),
    (Event.Kind.TEAMS, _("teams: two tables a match, four players or more")),
    (Event.Kind.CHANGING, _("changing partners: partners drawn anew each round; ranked singly")),
)
#: Stands for the measure that is usual for the kind and the plan.
USUAL = "usual"
ODD_ANSWERS = (
    (OddAnswer.BYES.value, _("some sit out, with a stated score")),
    (OddAnswer.THREES.value, _("tables of three")),
    (OddAnswer.FIVES.value, _("tables of five")),
    (OddAnswer.HOUSE.value, _("house players fill the tables; they are not ranked")),
)


class RulesetChoice(forms.ModelChoiceField):
    """The newest version of each ruleset, by its title."""

    def label_from_instance(self, version: RulesetVersion) -> str:
        return f"{ruleset_title(version.data)} · {version.book.key} v{version.number}"


class EventForm(StructureFields, CommandForm):
    """Everything an organiser decides before the first draw."""

    field_names = FIELD_OF_FAULT
    # Fields of the plans not chosen are hidden: a browser would refuse to send the form for their sake, and
    # could not show why. The server knows which are needed.
    use_required_attribute = False

    name = forms.CharField(label=_("Name"), max_length=120)
    slug = slug_field()
    kind = forms.ChoiceField(
        label=_("Kind"), choices=KINDS, widget=forms.RadioSelect, initial=Event.Kind.INDIVIDUAL
    )
    ruleset_version = RulesetChoice(
        label=_("Ruleset"), queryset=RulesetVersion.objects.none(), empty_label=None
    )

    measure = forms.ChoiceField(
        label=_("A round is worth"), initial=USUAL, help_text=_("What counts in the standings.")
    )
    format = forms.ChoiceField(
        label=_("Format"),
        widget=forms.RadioSelect,
        required=False,
        help_text=_("Its options, and further stages, are on the page of the stages."),
    )
    planned_rounds = small_number(label=_("Number of rounds"), min_value=1, max_value=MOST_ROUNDS, initial=3)
    clubs_apart_rounds = small_number(
        label=_("Same club kept apart in the first … rounds"), min_value=0, max_value=MOST_ROUNDS, initial=1
    )
    odd = forms.ChoiceField(
        label=_("If the field does not fill the tables"),
        choices=ODD_ANSWERS,
        initial=OddAnswer.BYES.value,
        help_text=_("The usual answer; it can be changed at each draw. Of pairs and teams one sits out."),
    )
    bye_points = small_number(
        label=_("Score for sitting out"), initial=0, help_text=_("Points, in the standings.")
    )

    def __init__(self, *args: Any, event: Event | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        versions = choosable_versions()
        if event:
            # An event keeps its version even when there is a newer one; both can be chosen until it starts.
            versions = (
                RulesetVersion.objects.filter(
                    pk__in=[*versions.values_list("pk", flat=True), event.ruleset_version_id]
                )
                .select_related("book")
                .order_by("-book__shipped", "book_id", "-number")
            )
            self.initial.update(_initial(event))
        self.fields["ruleset_version"].queryset = versions
        self.fields["measure"].choices = [(USUAL, _("the usual of this kind")), *_measures()]

        if event:
            # Its stages say it.
            del self.fields["format"]
        else:
            self.fields["format"].choices = [(one.key, one.title) for one in FORMATS.values()]
            self.initial.setdefault("format", formats_for(Event.Kind.INDIVIDUAL)[0].key)

        if self.is_bound:
            for name in self.beside_the_plan():
                self.fields[name].required = False

    @property
    def frozen(self) -> frozenset[str]:
        """Fields that can no longer be changed, by name."""
        if self.event is None or self.event.state == Event.State.SETUP:
            return frozenset()
        return frozenset(_FROZEN)

    def format_cards(self) -> list[dict[str, Any]]:
        """Each format of a new event with what it is and the kinds of events it is for."""
        if "format" not in self.fields:
            return []
        return [
            {"radio": radio, "format": form, "kinds": " ".join(sorted(form.kinds))}
            for radio, form in zip(self["format"], FORMATS.values(), strict=True)
        ]

    def freeze(self) -> None:
        """Shows what a started event keeps as it is; whatever is sent for these fields is ignored."""
        for name in self.frozen:
            self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not cleaned.get("slug") and "slug" not in self.errors and cleaned.get("name"):
            cleaned["slug"] = suggest_slug(cleaned["name"], "event")
        kind, plan_kind = cleaned.get("kind"), cleaned.get("plan_kind")
        if cleaned.get("measure") == USUAL and kind and plan_kind:
            cleaned["measure"] = default_measure(kind, plan_kind)
        return cleaned

    def values(self) -> dict[str, Any]:
        """What the services take."""
        cleaned = self.cleaned_data
        chosen = {"first_format": cleaned["format"]} if "format" in self.fields else {}
        options = self.structure_options(self.event.options if self.event else {})
        options["odd"] = cleaned["odd"]
        options["bye_points"] = cleaned["bye_points"]
        return {
            "name": cleaned["name"],
            "slug": cleaned["slug"],
            "kind": cleaned["kind"],
            "ruleset_version": cleaned["ruleset_version"],
            "plan": self.stated_plan(),
            "measure": cleaned["measure"],
            "planned_rounds": cleaned["planned_rounds"],
            "clubs_apart_rounds": cleaned["clubs_apart_rounds"],
            "options": options,
            **chosen,
        }


_FROZEN = (
    "kind",
    "ruleset_version",
    "plan_kind",
    "lines",
    "lose_line",
    "win_line",
    "best_of",
    "deals",
    "minutes",
    "finish_current_deal",
    "measure",
    "segments",
    "segment_change",
    "duplicate",
    "place_points",
    "victory_points",
)


def _measures() -> list[tuple[str, Any]]:
    offered = {measure for measures in MEASURES.values() for measure in measures}
    return [(value, label) for value, label in Event.Measure.choices if value in offered]


def _initial(event: Event) -> dict[str, Any]:
    return {
        **{
            name: getattr(event, name)
            for name in ("name", "slug", "kind", "measure", "planned_rounds", "clubs_apart_rounds")
        },
        "ruleset_version": event.ruleset_version_id,
        **structure_initial(event),
        "odd": event.options.get("odd", OddAnswer.BYES.value),
        "bye_points": event.options.get("bye_points", 0),
    }
