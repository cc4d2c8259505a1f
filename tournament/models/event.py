"""Tournament 比赛, event 项目, entry 参赛者 and the players of an entry."""

from uuid import uuid4
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models import RulesetVersion
from tournament.points import PointsField


def check_time_zone(name: str) -> None:
    """Raises ValidationError unless the name is one of the IANA time zones, e.g. Asia/Shanghai."""
    if name not in available_timezones():
        raise ValidationError(_("“%(name)s” is not a time zone."), params={"name": name})


class Tournament(models.Model):
    """One gathering with one or more events, at a place, over some days.

    ``uid`` names it on every site: an archive brings it along, and the seals of its audit trail contain it.
    """

    uid = models.UUIDField(default=uuid4, editable=False, unique=True)
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    venue = models.CharField(_("venue"), max_length=200, blank=True)
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    time_zone = models.CharField(
        _("time zone"), max_length=60, default="Asia/Shanghai", validators=[check_time_zone]
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-starts_on", "name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__isnull=True) | models.Q(ends_on__gte=models.F("starts_on")),
                name="tournament_ends_after_it_starts",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def tz(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class Event(models.Model):
    """One competition within a tournament, with its kind, ruleset version and round plan."""

    class Kind(models.TextChoices):
        INDIVIDUAL = "individual", _("individual")  # 个人赛
        CHANGING = "changing", _("individual, changing partners")  # 换搭档个人赛
        PAIRS = "pairs", _("pairs")  # 对家赛
        TEAMS = "teams", _("teams")  # 队式赛
        PIG_SHEEP = "pig_sheep", _("pig-and-sheep")  # 猪羊一家

    class Measure(models.TextChoices):
        """What an encounter is worth in the standings."""

        POINTS = "points", _("total points")  # 总分
        DIFFERENCE = "difference", _("difference")  # 净胜分
        GAMES = "games", _("games won")  # 胜局
        VICTORY_POINTS = "victory_points", _("victory points")  # 胜利分
        PLACE_POINTS = "place_points", _("place points")  # 名次分

    class State(models.TextChoices):
        SETUP = "setup", _("being set up")
        STARTED = "started", _("under way")
        FINISHED = "finished", _("finished")

    class Visibility(models.TextChoices):
        """Whether the public may know of the event at all."""

        AUTO = "auto", _("public once it has started or something of it is published")
        SHOWN = "shown", _("public from now on")
        HIDDEN = "hidden", _("hidden, whatever is published of it")

    class Live(models.TextChoices):
        """What becomes public by itself as deals are checked 复核."""

        HAND = "hand", _("nothing: the organiser publishes by hand")
        RESULTS = "results", _("results")
        STANDINGS = "standings", _("results and standings")

    uid = models.UUIDField(default=uuid4, editable=False, unique=True, help_text="Its name on every site.")
    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="events")
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    ruleset_version = models.ForeignKey(
        RulesetVersion, models.PROTECT, related_name="events", verbose_name=_("ruleset")
    )
    plan = models.JSONField(_("round plan"), help_text="As scoring.engine.game.GamePlan.from_dict reads it.")
    measure = models.CharField(_("result measure"), max_length=20, choices=Measure)
    planned_rounds = models.PositiveSmallIntegerField(_("number of rounds"), default=3)
    clubs_apart_rounds = models.PositiveSmallIntegerField(_("rounds with clubs kept apart"), default=1)
    options = models.JSONField(default=dict, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.SETUP)
    visibility = models.CharField(_("visibility"), max_length=10, choices=Visibility, default=Visibility.AUTO)
    live = models.CharField(_("published by itself"), max_length=10, choices=Live, default=Live.HAND)
    public_version = models.PositiveIntegerField(
        default=0, help_text="Raised with every change of what the public sees (see PublicPart)."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["tournament_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "slug"], name="event_address_once_per_tournament")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def scoring_mode(self) -> str:
        """The engine's mode for a deal of this event: individual, partnership or pig_sheep."""
        if self.kind == self.Kind.INDIVIDUAL:
            return "individual"
        return "pig_sheep" if self.kind == self.Kind.PIG_SHEEP else "partnership"

    @property
    def entry_size(self) -> int:
        """The fewest players an entry of this event has."""
        return {self.Kind.PAIRS: 2, self.Kind.TEAMS: 4}.get(self.Kind(self.kind), 1)


class Entry(models.Model):
    """What is ranked: a player, a pair or a team."""

    class Status(models.TextChoices):
        ACTIVE = "active", _("taking part")
        WITHDRAWN = "withdrawn", _("withdrawn")

    event = models.ForeignKey(Event, models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=120)
    club = models.CharField(_("club"), max_length=120, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.ACTIVE)
    seeding = models.PositiveIntegerField(_("seed"), null=True, blank=True)
    first_round = models.PositiveSmallIntegerField(_("enters in round"), default=1)
    start_points = PointsField(_("points at entry"), default=0)
    house = models.BooleanField(
        _("house player"), default=False, help_text="Fills a table and is not ranked."
    )

    class Meta:
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once_per_event")
        ]

    def __str__(self) -> str:
        return self.name


class RosterManager(models.Manager["Player"]):
    """The players entered; those who only stand in for somebody in one match are left out."""

    def get_queryset(self) -> models.QuerySet["Player"]:
        return super().get_queryset().filter(match=None)


class Player(models.Model):
    """A person in an entry; the place is 1 for a single player, 1 and 2 for a pair, and so on.

    A substitute 替补 from outside the entry belongs to one match alone and is not part of the roster: neither
    ``Player.objects`` nor ``entry.players`` has them; a seat names them as it names anybody.
    """

    #: Places of substitutes begin here, beyond any roster's.
    FIRST_SUBSTITUTE = 101

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="players")
    place = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(_("name"), max_length=120)
    match = models.ForeignKey(
        "tournament.Match", models.PROTECT, null=True, blank=True, related_name="substitutes"
    )

    objects = RosterManager()
    everyone = models.Manager()  # noqa: DJ012 - a manager, taken for a field because of its class

    class Meta:
        ordering = ["entry_id", "place"]
        constraints = [models.UniqueConstraint(fields=["entry", "place"], name="player_place_once_per_entry")]

    def __str__(self) -> str:
        return self.name
