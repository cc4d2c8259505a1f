"""Stage 阶段, round 轮, draw 抽签, match, table 桌, seat 座位, bye 轮空."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.models.event import Entry, Event, Player
from tournament.points import PointsField


class Stage(models.Model):
    """A part of an event played in one format."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(_("name"), max_length=80, blank=True)
    format = models.CharField(_("format"), max_length=30, default="random")
    options = models.JSONField(default=dict, blank=True)
    terms = models.JSONField(
        default=dict,
        blank=True,
        help_text="How its rounds are played and what they are worth; empty: as the event says.",
    )

    class Meta:
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="stage_number_once_per_event")
        ]

    def __str__(self) -> str:
        return self.name or str(self.number)


class Round(models.Model):
    """One encounter of everybody in the event; numbered through the whole event."""

    class State(models.TextChoices):
        PLANNED = "planned", _("not drawn")
        DRAWN = "drawn", _("drawn, not published")
        PLAYING = "playing", _("being played")
        CLOSED = "closed", _("closed")

    event = models.ForeignKey(Event, models.PROTECT, related_name="rounds")
    stage = models.ForeignKey(Stage, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PLANNED)
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    override_reason = models.CharField(
        max_length=300, blank=True, help_text="Why the round was closed with deals missing or unchecked."
    )
    terms = models.JSONField(
        default=dict, blank=True, help_text="How this round is played; empty: as its stage says."
    )
    held_back = models.BooleanField(
        default=False, help_text="Results and standings of this round are not published until released."
    )
    live_pending = models.UUIDField(
        null=True,
        editable=False,
        help_text="New with every change since results were last published by themselves.",
    )

    class Meta:
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_number_once_per_event")
        ]

    def __str__(self) -> str:
        return str(self.number)


class Draw(models.Model):
    """One drawing of a round: a pure function of its stored inputs and seed.

    At most one draw of a round lives (preview or published); a withdrawn one stays on record.
    """

    class State(models.TextChoices):
        PREVIEW = "preview", _("preview")
        PUBLISHED = "published", _("published")
        WITHDRAWN = "withdrawn", pgettext_lazy("draw", "withdrawn")

    round = models.ForeignKey(Round, models.PROTECT, related_name="draws")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.PREVIEW)
    method = models.CharField(max_length=30)
    seed = models.BigIntegerField(help_text="Same inputs and seed, same draw, on every machine.")
    inputs = models.JSONField(default=dict)
    quality = models.JSONField(default=dict)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(
        max_length=300, blank=True, help_text="Why withdrawn, or why a violation was accepted."
    )

    class Meta:
        ordering = ["round_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="draw_number_once_per_round"),
            models.UniqueConstraint(
                fields=["round"], condition=~models.Q(state="withdrawn"), name="one_living_draw_per_round"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}/{self.number}"


class Match(models.Model):
    """One encounter: a table of single players, or two pairs or teams against each other."""

    draw = models.ForeignKey(Draw, models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField()
    reasons = models.JSONField(default=dict, blank=True, help_text="Why these meet: points, repeats, clubs.")

    class Meta:
        ordering = ["draw_id", "number"]
        constraints = [models.UniqueConstraint(fields=["draw", "number"], name="match_number_once_per_draw")]

    def __str__(self) -> str:
        return str(self.number)


class MatchSide(models.Model):
    """An entry in a match. Position 1 … n."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="sides")
    position = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="match_sides")

    class Meta:
        ordering = ["match_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["match", "position"], name="side_position_once_per_match"),
            models.UniqueConstraint(fields=["match", "entry"], name="entry_once_per_match"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.entry_id}"


class Table(models.Model):
    """A table in the hall for one round; a match has one, a team match two."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="tables")
    draw = models.ForeignKey(Draw, models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField(_("table"))
    segment = models.PositiveSmallIntegerField(
        default=1,
        help_text="The segment now played: begun by the referee in timed rounds, else told by the deals.",
    )
    stopped_at = models.DateTimeField(
        null=True, blank=True, help_text="Play was ended here before the plan was complete (time, referee)."
    )
    stop_reason = models.CharField(max_length=300, blank=True)
    live_pending = models.UUIDField(
        null=True,
        editable=False,
        help_text="New with every change here since results were last published by themselves.",
    )

    class Meta:
        ordering = ["draw_id", "number"]
        constraints = [models.UniqueConstraint(fields=["draw", "number"], name="table_number_once_per_draw")]

    def __str__(self) -> str:
        return str(self.number)


class Seat(models.Model):
    """Who sits where: N W S E at a table of four, A B C … otherwise; per segment 节."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    segment = models.PositiveSmallIntegerField(default=1)
    direction = models.CharField(_("seat"), max_length=1)
    order = models.PositiveSmallIntegerField(
        help_text="Place in the order of play, counter-clockwise from 1."
    )
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats")
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["table_id", "segment", "order"]
        constraints = [
            models.UniqueConstraint(fields=["table", "segment", "direction"], name="one_player_per_seat"),
            models.UniqueConstraint(
                fields=["table", "segment", "player"], name="one_seat_per_player_at_table"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.direction}: {self.player_id}"


class Bye(models.Model):
    """An entry that sits out a round, with the score given for it (points)."""

    draw = models.ForeignKey(Draw, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="byes")
    points = PointsField(default=0)
    reason = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["draw_id", "entry__number"]
        constraints = [models.UniqueConstraint(fields=["draw", "entry"], name="bye_once_per_draw")]

    def __str__(self) -> str:
        return f"{self.draw_id}: {self.entry_id}"
