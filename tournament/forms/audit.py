"""Filtering the audit trail."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.forms.base import small_number
from tournament.models import Event, Tournament
from tournament.queries.audit import AuditFilter, areas_and_people

#: Areas of actions, in words.
AREAS = {
    "absence": _("absences"),
    "account": _("accounts"),
    "announcement": _("announcements"),
    "apart": _("kept apart"),
    "bulk": _("many at once"),
    "appeal": _("appeals"),
    "call": _("calls for a referee"),
    "card": _("cards of tables"),
    "cards": _("cards of tables"),
    "clock": _("clock of a timed round"),
    "correction": _("corrections"),
    "deal": _("deals"),
    "deals": _("deals from paper"),
    "dispute": _("disputes"),
    "draw": _("draws"),
    "entries": _("import of entries"),
    "entry": _("entries"),
    "event": _("event"),
    "lineup": _("line-ups"),
    "match": _("matches"),
    "penalties": _("lists of penalties"),
    "penalty": _("penalties"),
    "penalty_catalogue": _("penalty catalogue"),
    "publication": _("publications"),
    "role": _("roles"),
    "round": _("rounds"),
    "ruleset": _("rulesets"),
    "ruling": _("rulings"),
    "schedule": _("schedule"),
    "stage": _("stages"),
    "table": _("tables"),
    "tables": _("tables of referees"),
    "tablet": _("tablets"),
    "token": _("tokens of other programs"),
    "tournament": _("tournament"),
}

#: Actions, in words.
ACTIONS = {
    "absence.mark": _("marked as absent"),
    "absence.unmark": _("comes after all"),
    "account.create": _("account created"),
    "account.password": _("new password"),
    "announcement.edit": _("announcement changed"),
    "announcement.post": _("announced"),
    "announcement.restore": _("announcement put up again"),
    "announcement.withdraw": _("announcement withdrawn"),
    "apart.add": _("kept apart"),
    "apart.remove": _("may meet again"),
    "apart.rounds": _("rounds with clubs or seeds apart"),
    "appeal.accept": _("ruling on an appeal accepted"),
    "appeal.codes": _("codes of entries made"),
    "appeal.decide": _("appeal decided by the committee"),
    "appeal.escalate": _("appeal taken to the committee"),
    "appeal.file": _("appeal filed"),
    "appeal.link": _("correction made for an appeal"),
    "appeal.minutes": _("time for appeals"),
    "appeal.rule": _("appeal ruled on"),
    "appeal.withdraw": _("appeal withdrawn"),
    "bulk.clear": _("rounds cleared"),
    "bulk.undo": _("many changes undone"),
    "bulk.withdraw": _("several entries withdrawn"),
    "call.close": _("call for a referee closed"),
    "call.make": _("referee called"),
    "call.take": _("call for a referee taken"),
    "call.withdraw": _("call for a referee taken back"),
    "card.renew": _("card of a table renewed"),
    "cards.make": _("cards of tables made"),
    "clock.late_deal": _("deal let count after time was up"),
    "clock.move": _("end of a timed round moved"),
    "clock.start": _("clock of a timed round started"),
    "correction.apply": _("correction made"),
    "correction.drop": _("correction dropped"),
    "correction.finish": _("correction published"),
    "correction.propose": _("correction proposed"),
    "deal.check": _("deal checked"),
    "deal.correct": _("deal corrected"),
    "deal.figure_differs": _("tablet showed another score"),
    "deal.record": _("deal recorded"),
    "deal.reseat": _("deal moved to the seats of those who played it"),
    "deal.restore": _("earlier record of a deal restored"),
    "deal.second": _("second entry of a deal"),
    "deal.sign": _("seat agreed or disputed"),
    "deal.undo": _("deal undone"),
    "deal.void": _("deal declared void"),
    "deal.void_unrecorded": _("deal declared void before it was recorded"),
    "deals.import": _("deals brought in from paper"),
    "dispute.rule": _("dispute ruled on"),
    "draw.make": _("round drawn"),
    "draw.publish": _("draw published"),
    "draw.restore": _("withdrawn draw restored"),
    "draw.swap": _("places exchanged"),
    "draw.withdraw": _("draw withdrawn"),
    "entries.import": _("entries imported"),
    "entry.add": _("entry added"),
    "entry.delete": _("entry deleted"),
    "entry.edit": _("entry edited"),
    "entry.house": _("house player entered"),
    "entry.import": _("entry imported"),
    "entry.return": _("entry takes part again"),
    "entry.rule": _("ruling on an entry"),
    "entry.rule_lift": _("ruling on an entry lifted"),
    "entry.withdraw": _("entry withdrawn"),
    "event.create": _("event created"),
    "event.edit": _("event edited"),
    "event.finished": _("event finished"),
    "event.lots": _("lots drawn"),
    "event.publicity": _("what the public sees"),
    "event.recompute": _("scores and results stored anew from the records"),
    "event.signoff": _("way of checking deals chosen"),
    "event.started": _("event started"),
    "event.tie_breaks": _("tie-breaks chosen"),
    "lineup.set": _("line-up set"),
    "lineup.substitute": _("player substituted"),
    "lineup.substitute_undo": _("substitution taken back"),
    "match.decide": _("match decided"),
    "match.undecide": _("decision of a match taken back"),
    "match.walkover": _("walkover"),
    "match.walkover_undo": _("walkover taken back"),
    "penalties.import": _("penalties brought in from a list"),
    "penalty.cancel": _("penalty cancelled"),
    "penalty.give": _("penalty given"),
    "penalty_catalogue.save": _("penalty catalogue changed"),
    "publication.live": _("published by itself from now on"),
    "publication.publish": pgettext_lazy("change", "published"),
    "publication.withdraw": _("taken off the public pages"),
    "role.give": _("role given"),
    "role.take": _("role taken away"),
    "round.close": pgettext_lazy("change", "round closed"),
    "round.hold_back": _("round held back"),
    "round.plan": _("time of a round"),
    "round.terms": _("way of playing a round"),
    "round.release": _("round released"),
    "round.reopen": _("round reopened"),
    "ruleset.copy": _("ruleset copied"),
    "ruleset.edit": _("ruleset edited"),
    "ruling.card_count": _("ruling on a wrong number of cards"),
    "ruling.claim": _("ruling on a claim"),
    "ruling.colour": _("ruling on a discard of the wrong colour"),
    "ruling.exposure": _("ruling on a misplaced exposure"),
    "ruling.record": _("record changed by a ruling"),
    "ruling.trick_log": _("log of tricks kept"),
    "ruling.tricks": _("record changed by the log of tricks"),
    "schedule.add": _("line of the schedule added"),
    "schedule.remove": _("line of the schedule removed"),
    "stage.add": _("stage added"),
    "stage.advance": _("it was confirmed who advances"),
    "stage.advance_withdraw": _("who advances was taken back"),
    "stage.edit": _("stage changed"),
    "stage.newcomers": _("late entries taken into the plan"),
    "stage.remove": _("stage removed"),
    "stage.terms": _("way of playing a stage"),
    "table.exchange": _("players exchanged at a table"),
    "table.reseat": _("deals moved to the right seats"),
    "table.reseat_undo": _("deals moved back"),
    "table.resume": _("play resumed at a table"),
    "table.segment": _("next segment begun"),
    "table.stop": _("play ended at a table"),
    "tables.give": _("tables given to a referee"),
    "tablet.join": _("tablet joined a table"),
    "tablet.revoke": _("tablet shut out"),
    "token.create": _("token made for another program"),
    "token.revoke": _("token revoked"),
    "tournament.copy": _("tournament made after the pattern of another"),
    "tournament.create": _("tournament created"),
    "tournament.edit": _("tournament edited"),
    "tournament.import": _("tournament imported"),
}


def audit_form(values: QueryDict, tournament: Tournament, event: Event | None) -> "AuditForm":
    """The filter of an event's changes, or of a whole tournament's: then its events can be chosen among."""
    areas, people = areas_and_people(tournament, event)
    events = [] if event else [(one.slug, one.name) for one in tournament.events.order_by("pk")]
    return AuditForm(values or None, areas=areas, people=people, events=events)


class AuditForm(forms.Form):
    """Which changes are shown."""

    area = forms.ChoiceField(label=_("What"), required=False)
    person = forms.ChoiceField(label=_("Who"), required=False)
    first_day = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    last_day = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    event = forms.ChoiceField(label=pgettext_lazy("audit", "Event"), required=False)
    table = small_number(label=_("Table"), required=False, min_value=1)
    words = forms.CharField(label=_("Words"), required=False, max_length=100)

    use_required_attribute = False

    def __init__(
        self,
        *args: Any,
        areas: list[str],
        people: list[str],
        events: list[tuple[str, str]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["area"].choices = [
            ("", _("everything")),
            *((area, AREAS.get(area, area)) for area in areas),
        ]
        self.fields["person"].choices = [("", _("everybody")), *((name, name) for name in people)]
        if events:
            self.fields["event"].choices = [("", _("all events")), *events]
        else:
            del self.fields["event"]

    def wanted(self) -> AuditFilter:
        """The filter, of those fields that are right."""
        cleaned = self.cleaned_data if self.is_bound and (self.is_valid() or self.cleaned_data) else {}
        return AuditFilter(**{name: value for name, value in cleaned.items() if value})
