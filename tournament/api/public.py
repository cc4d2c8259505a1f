"""What is published, read without a token: nothing but publications, announcements and the schedule."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from tournament.api.fields import ObjectOut, PointsOut, WholeNumber
from tournament.api.operations import operation
from tournament.api.paging import Listed
from tournament.api.views import PublicEventView, PublicView
from tournament.models import Event, Publication
from tournament.queries import public_data
from tournament.queries.notices import public_announcements, public_schedule
from tournament.queries.public_changes import changes_page
from tournament.queries.public_data import DataTable
from tournament.queries.public_statistics import columns_of, count_deals
from tournament.queries.published import Published, public_events, public_tournaments

What = Publication.What


class TournamentOut(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    venue = serializers.CharField(allow_blank=True)
    starts_on = serializers.DateField(allow_null=True)
    ends_on = serializers.DateField(allow_null=True)
    time_zone = serializers.CharField()


class EventOut(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(Event.Kind.choices)
    measure = serializers.ChoiceField(Event.Measure.choices)
    planned_rounds = serializers.IntegerField()


class PublishedRoundOut(serializers.Serializer):
    """Versions of what is public of a round; null where it is not."""

    round = serializers.IntegerField()
    pairings = serializers.IntegerField(allow_null=True)
    results = serializers.IntegerField(allow_null=True)
    standings = serializers.IntegerField(allow_null=True)


class AnnouncementOut(serializers.Serializer):
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    pinned = serializers.BooleanField()
    event = serializers.CharField(source="event.slug", allow_null=True)
    published_at = serializers.DateTimeField()
    edited_at = serializers.DateTimeField(allow_null=True)


class ScheduleLineOut(serializers.Serializer):
    """A round with its time (``round`` is its number), or a line of its own with a title."""

    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)
    title = serializers.CharField(allow_blank=True)
    place = serializers.CharField(allow_blank=True)
    event = serializers.CharField(source="event.slug", allow_null=True)
    round = serializers.IntegerField(source="round.number", allow_null=True)


#: Which version it is, and since when it has been public.
class FactsOut(serializers.Serializer):
    round = serializers.IntegerField()
    version = serializers.IntegerField()
    published_at = serializers.CharField()


class CompleteFactsOut(FactsOut):
    complete = serializers.BooleanField(help_text="Whether nothing is missing.")


class NamedOut(serializers.Serializer):
    entry = serializers.IntegerField(help_text="The entry's number.")
    name = serializers.CharField()
    club = serializers.CharField(allow_blank=True)


class PublishedEntryOut(NamedOut):
    players = serializers.ListField(child=serializers.CharField())


class RoundValueOut(serializers.Serializer):
    round = serializers.IntegerField()
    value = PointsOut(allow_null=True)


class StandingsRowOut(PublishedEntryOut):
    rank = serializers.IntegerField(allow_null=True)
    group = serializers.IntegerField(allow_null=True)
    group_rank = serializers.IntegerField(allow_null=True)
    rounds = RoundValueOut(many=True)
    at_entry = PointsOut(allow_null=True)
    penalties = PointsOut(allow_null=True)
    total = PointsOut(allow_null=True)
    withdrawn = serializers.BooleanField()


class PairingOut(NamedOut):
    """A seat; who sits out has no table."""

    table = serializers.IntegerField(allow_null=True)
    match = serializers.IntegerField(allow_null=True)
    segment = serializers.IntegerField(allow_null=True)
    seat = serializers.CharField(allow_null=True)
    player = serializers.CharField(allow_null=True)


class ResultOut(NamedOut):
    kind = serializers.ChoiceField(["table", "bye", "penalty"])
    table = serializers.IntegerField(allow_null=True)
    match = serializers.IntegerField(allow_null=True)
    points = PointsOut(allow_null=True)
    value = PointsOut(allow_null=True)
    deals = serializers.IntegerField(allow_null=True)
    complete = serializers.BooleanField(allow_null=True)
    note = serializers.CharField(allow_null=True, allow_blank=True)


class DealRowOut(NamedOut):
    """What a seat took, showed and scored in a checked deal."""

    table = serializers.IntegerField()
    match = serializers.IntegerField(allow_null=True)
    deal = serializers.IntegerField()
    order = serializers.IntegerField()
    segment = serializers.IntegerField()
    seat = serializers.CharField()
    player = serializers.CharField()
    captures = serializers.ListField(child=serializers.CharField())
    exposed = serializers.ListField(child=serializers.CharField())
    score = PointsOut(allow_null=True)
    credited = PointsOut(allow_null=True)
    formula = serializers.CharField(allow_blank=True)
    all_hearts = serializers.BooleanField()
    grand_slam = serializers.BooleanField()
    counts = serializers.BooleanField()


class StatisticsRowOut(NamedOut):
    """What an entry did in its deals: figures by name, those of cards shown only where any were."""

    figures = serializers.SerializerMethodField()

    def get_figures(self, row: dict[str, Any]) -> dict[str, int | str | None]:
        shown = PointsOut()
        return {name: shown.to_representation(value) for name, value in row["figures"].items()}


class StatisticsFactsOut(serializers.Serializer):
    deals = serializers.IntegerField(help_text="Deals counted, each once.")


class MatterQuery(serializers.Serializer):
    what = serializers.ChoiceField(What.choices)


class PublishedVersionOut(serializers.Serializer):
    """A version of what is published, and what it changed: ``kind`` says of what, with ``before`` and
    ``after``; a side that did not exist is null.
    """

    version = serializers.IntegerField(source="publication.version")
    published_at = serializers.DateTimeField(source="publication.published_at")
    note = serializers.CharField(source="publication.note", allow_blank=True)
    changes = serializers.ListField(child=ObjectOut())


class AfterQuery(serializers.Serializer):
    after = WholeNumber(required=False, help_text="After this round; without it after the newest.")


class TournamentsView(PublicView):
    @operation(output=TournamentOut, paged=True)
    def get(self, request: Request) -> Listed:
        """Tournaments with anything public, the latest first."""
        return Listed(public_tournaments())


class TournamentView(PublicView):
    @operation(output=TournamentOut)
    def get(self, request: Request) -> Any:
        """A tournament."""
        return self.tournament


class AnnouncementsView(PublicView):
    @operation(output=AnnouncementOut, paged=True)
    def get(self, request: Request) -> Listed:
        """Announcements, pinned ones first."""
        return Listed(public_announcements(self.tournament))


class ScheduleView(PublicView):
    @operation(output=ScheduleLineOut, paged=True)
    def get(self, request: Request) -> Listed:
        """The schedule, in order of time."""
        return Listed([line for day in public_schedule(self.tournament) for line in day.lines])


class EventsView(PublicView):
    @operation(output=EventOut, paged=True)
    def get(self, request: Request) -> Listed:
        """The public events of a tournament."""
        return Listed(public_events().filter(tournament=self.tournament))


class EventView(PublicEventView):
    @operation(output=EventOut)
    def get(self, request: Request) -> Event:
        """An event."""
        return self.published.event


class RoundsView(PublicEventView):
    @operation(output=PublishedRoundOut, paged=True)
    def get(self, request: Request) -> Listed:
        """The rounds of which anything is public."""
        return Listed([_round(self.published, number) for number in self.published.rounds()])


class EntriesView(PublicEventView):
    @operation(output=PublishedEntryOut, paged=True)
    def get(self, request: Request) -> Listed:
        """Everybody named in anything published."""
        table = public_data.entries_data(self.published)
        return Listed(table.rows if table else [])


class StandingsView(PublicEventView):
    @operation(output=StandingsRowOut, facts=CompleteFactsOut, query=AfterQuery, paged=True)
    def get(self, request: Request, query: dict[str, Any]) -> Listed:
        """The standings after a round."""
        table = public_data.standings_data(self.published, query.get("after"))
        if table is None:
            raise Http404
        no_group = {"group": None, "group_rank": None}
        rows = [{**no_group, **row, "rounds": _rounds_of(row)} for row in table.rows]
        return Listed(rows, {**table.facts, "round": table.facts["after_round"]})


class PairingsView(PublicEventView):
    @operation(output=PairingOut, facts=FactsOut, paged=True)
    def get(self, request: Request, round: int) -> Listed:
        """Who sits where in a round."""
        return _listed(public_data.pairings_data(self.published, round))


class ResultsView(PublicEventView):
    @operation(output=ResultOut, facts=CompleteFactsOut, paged=True)
    def get(self, request: Request, round: int) -> Listed:
        """What each entry has from a round: at its tables, for sitting out, and by penalties."""
        return _listed(public_data.results_data(self.published, round))


class DealsView(PublicEventView):
    @operation(output=DealRowOut, facts=FactsOut, paged=True)
    def get(self, request: Request, round: int) -> Listed:
        """The checked deals of a round, a row for each seat."""
        return _listed(public_data.deals_data(self.published, round))


class StatisticsView(PublicEventView):
    @operation(output=StatisticsRowOut, facts=StatisticsFactsOut, paged=True)
    def get(self, request: Request) -> Listed:
        """What each entry took, showed and scored in all published deals."""
        found = count_deals(self.published.load_all())
        rows = [
            {
                "entry": number,
                **{name: self.published.entries[number][name] for name in ("name", "club")},
                "figures": {one.key: one.figure(tally) for one in columns_of(found)},
            }
            for number, tally in sorted(found.by_entry.items())
        ]
        return Listed(rows, {"deals": found.everybody.deals})


class VersionsView(PublicEventView):
    @operation(query=MatterQuery, output=PublishedVersionOut, paged=True)
    def get(self, request: Request, round: int, query: dict[str, Any]) -> Listed:
        """The versions of a round's pairings, results or standings, the newest first, and their changes."""
        found = changes_page(self.published, round, query["what"])
        if found is None:
            raise Http404
        for step in found["steps"]:
            step["changes"] = [_change(one) for one in step["changes"]]
        return Listed(found["steps"])


def _change(one: dict[str, Any]) -> dict[str, Any]:
    """A change with the entry's name in place of all that a page shows of it."""
    told = {name: value for name, value in one.items() if name != "info"}
    return told | ({"name": one["info"]["name"]} if "info" in one else {})


def _round(published: Published, number: int) -> dict[str, Any]:
    found = {
        name: published.publication(what, number)
        for name, what in (("pairings", What.DRAW), ("results", What.RESULTS), ("standings", What.STANDINGS))
    }
    return {"round": number, **{name: one and one.version for name, one in found.items()}}


def _rounds_of(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Columns named ``round_3`` as a list: in a schema, names cannot depend on the event."""
    return [
        {"round": int(name.removeprefix("round_")), "value": value}
        for name, value in row.items()
        if name.startswith("round_")
    ]


def _listed(table: DataTable | None) -> Listed:
    """The rows of a table. Raises Http404 where it is not published."""
    if table is None:
        raise Http404
    return Listed(table.rows, table.facts)
