"""How a stage, or one round, is played where that differs from the event, or from the stage."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.base import CommandForm
from tournament.forms.plan import FIELD_OF_FAULT, PlanFields, plan_initial
from tournament.models import Event, Round, Stage
from tournament.queries.plans import stated_terms
from tournament.services.terms import MEASURES


class TermsForm(PlanFields, CommandForm):
    """As above says, or a plan of its own."""

    field_names = FIELD_OF_FAULT
    # Fields of the plans not chosen are hidden: the browser must not ask for them.
    use_required_attribute = False

    own = forms.ChoiceField(label=_("Its rounds are played"), widget=forms.RadioSelect)
    measure = forms.ChoiceField(
        label=_("A round is worth"),
        help_text=_(
            "For something else than in the stage before, let the points of this stage start from 0 first."
        ),
    )

    field_order = ("command_id", "own")

    def __init__(
        self,
        *args: Any,
        event: Event,
        stated: Mapping[str, Any],
        above: Mapping[str, Any],
        choices: tuple[Any, Any],
        **kwargs: Any,
    ) -> None:
        """``stated`` are the own terms of the stage or round, ``above`` those without them; ``choices``
        are the words for going by these and for a plan of its own.
        """
        super().__init__(*args, **kwargs)
        self.fields["own"].choices = [("no", choices[0]), ("yes", choices[1])]
        shown = {**above, **stated}
        self.initial.update(plan_initial(shown), own="yes" if stated else "no", measure=shown["measure"])
        measures = MEASURES[event.kind]
        self.fields["measure"].choices = [(one, Event.Measure(one).label) for one in measures]
        if event.kind != Event.Kind.TEAMS:
            del self.fields["duplicate"]
        if self.is_bound:
            for name in self.beside_the_plan():
                self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("own") == "no":
            # What is hidden, because nothing of its own is stated, is nobody's fault.
            for name in set(self.errors) - {"own", "command_id"}:
                del self.errors[name]
        return cleaned

    def terms(self) -> dict[str, Any]:
        """What the services take."""
        if self.cleaned_data["own"] == "no":
            return {}
        terms = {
            "plan": self.stated_plan(),
            "segments": self.stated_segments(),
            "duplicate": self.cleaned_data.get("duplicate", False),
        }
        return terms | {"measure": self.cleaned_data["measure"]} if "measure" in self.fields else terms


def stage_terms_form(data: Any, stage: Stage, *, first: bool) -> TermsForm:
    """The form of a stage; what the first one is worth is for the event to say."""
    form = TermsForm(
        data,
        event=stage.event,
        stated=stage.terms,
        above=stated_terms(stage.event),
        choices=(_("as the event says"), _("otherwise")),
    )
    if first:
        form.fields["measure"].disabled = True
        form.fields["measure"].help_text = _("The first stage is worth what the event says.")
    return form


def round_terms_form(data: Any, round: Round) -> TermsForm:
    """The form of one round, which is worth what its stage says."""
    form = TermsForm(
        data,
        event=round.event,
        stated=round.terms,
        above=stated_terms(round.event) | round.stage.terms,
        choices=(_("as the others of its stage"), _("otherwise")),
    )
    form.fields["own"].label = _("This round is played")
    del form.fields["measure"]
    return form
