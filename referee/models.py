"""What happens at a table: deals and their versions, checks, penalties, received commands.

Facts are appended. A deal's record is one row per version; the version with the highest number is the one in
force, and a check belongs to a version, so a corrected deal needs a new check.
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from referee.models_appeals import Appeal, AppealStep, EntryCode
from referee.models_corrections import Correction
from referee.models_desk import ReseatedDeal, Reseating, TableCall
from referee.models_rulings import EntryRuling
from referee.models_tablets import Device, JoinAttempt, TableCard
from scoring.models import RulesetVersion
from tournament.models import Entry, Event, Player, Round, Table, Tournament
from tournament.points import PointsField

__all__ = [
    "Appeal",
    "AppealStep",
    "Correction",
    "Deal",
    "DealCheck",
    "DealVersion",
    "Device",
    "Dispute",
    "EntryCode",
    "EntryRuling",
    "JoinAttempt",
    "Penalty",
    "PenaltyRule",
    "ReceivedCommand",
    "ReseatedDeal",
    "Reseating",
    "SeatSignoff",
    "SecondEntry",
    "TableCall",
    "TableCard",
    "TableRuling",
]


class Deal(models.Model):
    """A deal 副 at a table: its number and its place in the order of play differ (docs/rules.md §1)."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="deals")
    segment = models.PositiveSmallIntegerField(default=1)
    number = models.PositiveIntegerField(_("deal"))
    order = models.PositiveIntegerField(help_text="Place in the order of play, from 1.")
    dealing = models.PositiveIntegerField(
        help_text="Place among all dealings at the table: a replay is dealt later, and keeps its order."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["table_id", "order"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="deal_number_once_per_table"),
            models.UniqueConstraint(fields=["table", "order"], name="deal_order_once_per_table"),
        ]

    def __str__(self) -> str:
        return str(self.number)


class DealVersion(models.Model):
    """One version of a deal's record, never changed after it is stored.

    (deal, number) is unique: of two people who build on the same version, one is told that theirs is stale.
    """

    class State(models.TextChoices):
        RECORDED = "recorded", _("recorded")
        VOID = "void", _("void, to be replayed")  # 作废重打
        WITHDRAWN = "withdrawn", _("entry undone")

    deal = models.ForeignKey(Deal, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(_("version"))
    state = models.CharField(max_length=10, choices=State, default=State.RECORDED)
    record = models.JSONField(null=True, help_text="The deal as docs/rules.md §9 writes it.")
    answer = models.JSONField(
        null=True, help_text="Scores, sides, flags and formula as computed when stored."
    )
    ruleset_version = models.ForeignKey(RulesetVersion, models.PROTECT, related_name="+")
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    device = models.ForeignKey(
        "Device", models.PROTECT, null=True, related_name="+", help_text="The tablet it was entered on."
    )
    entered_seat = models.CharField(
        max_length=1, blank=True, help_text="The seat that kept the score; blank where the referee did."
    )
    reason = models.CharField(max_length=300, blank=True, help_text="Why corrected, voided or undone.")
    tablet_at = models.DateTimeField(
        null=True, help_text="When it was entered by the tablet's own clock, right or wrong."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["deal_id", "number"]
        constraints = [models.UniqueConstraint(fields=["deal", "number"], name="deal_version_number_once")]

    def __str__(self) -> str:
        return f"{self.deal_id} v{self.number}"


class DealCheck(models.Model):
    """What makes a version checked 复核, as its event has that done: one second person (previous, next or
    partner of the seat that entered it, or a referee), all seats, or a second entry that agrees.
    """

    class Relation(models.TextChoices):
        PREVIOUS = "previous", _("previous seat")  # 上家
        NEXT = "next", _("next seat")  # 下家
        PARTNER = "partner", _("partner seat")  # 对家
        PLAYER = "player", _("player at the table")  # the entry was a referee's
        REFEREE = "referee", _("referee")  # 裁判
        ALL = "all", _("all seats agreed")  # 四家同意
        SECOND = "second", _("second entry agreed")  # 双录一致

    version = models.OneToOneField(DealVersion, models.PROTECT, related_name="check_row")
    relation = models.CharField(max_length=10, choices=Relation)
    seat = models.CharField(max_length=1, blank=True)
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["version_id"]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.relation}"


class SeatSignoff(models.Model):
    """What a seat says of a version: agree 同意 or dispute 异议. A seat's last word counts; all are kept."""

    class Verdict(models.TextChoices):
        AGREE = "agree", _("agrees")
        DISPUTE = "dispute", _("disputes")

    version = models.ForeignKey(DealVersion, models.PROTECT, related_name="signoffs")
    seat = models.CharField(max_length=1)
    place = models.PositiveSmallIntegerField(default=1, help_text="1 for the seat's first word, and so on.")
    verdict = models.CharField(max_length=10, choices=Verdict)
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["version_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["version", "seat", "place"], name="seat_says_one_thing_at_a_time")
        ]

    def __str__(self) -> str:
        return f"{self.version_id} {self.seat}: {self.verdict}"


class SecondEntry(models.Model):
    """A second record of the same deal, made without seeing the first, to be compared card by card."""

    version = models.OneToOneField(DealVersion, models.PROTECT, related_name="second_entry")
    record = models.JSONField(help_text="The deal as docs/rules.md §9 writes it.")
    differences = models.JSONField(default=list, help_text="What differs; empty where both agree.")
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    entered_seat = models.CharField(max_length=1, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["version_id"]
        verbose_name_plural = "second entries"

    def __str__(self) -> str:
        return f"{self.version_id}: {len(self.differences)}"


class Dispute(models.Model):
    """Something about a version that the desk has to settle, with both sides of it kept.

    A seat's dispute and two entries that differ hold the deal back until the desk has ruled; a tablet's score
    that differs from the server's is an alarm and does not.
    """

    class Kind(models.TextChoices):
        SEAT = "seat", _("a seat disputes the record")
        SECOND_ENTRY = "second_entry", _("two entries differ")
        FIGURE = "figure", _("the tablet showed another score")

    class Outcome(models.TextChoices):
        STANDS = "stands", _("the record stands")
        OFFERED = "offered", _("the other record was taken")
        REPLACED = "replaced", _("the record was changed")
        NOTED = "noted", _("noted")

    #: Kinds that hold the deal back.
    BLOCKING = (Kind.SEAT, Kind.SECOND_ENTRY)

    version = models.ForeignKey(DealVersion, models.PROTECT, related_name="disputes")
    kind = models.CharField(max_length=15, choices=Kind)
    seat = models.CharField(max_length=1, blank=True)
    offered = models.JSONField(null=True, help_text="The other version: a record, or a tablet's scores.")
    differences = models.JSONField(default=list)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    raised_at = models.DateTimeField(auto_now_add=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    ruling = models.CharField(_("ruling"), max_length=300, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["version_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["version", "kind", "seat"],
                condition=models.Q(closed_at__isnull=True),
                name="one_open_dispute_of_a_kind_and_seat",
            ),
            models.CheckConstraint(
                condition=models.Q(closed_at__isnull=True, outcome="")
                | (models.Q(closed_at__isnull=False) & ~models.Q(outcome="")),
                name="closed_dispute_has_an_outcome",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version_id} {self.kind}"


class TableRuling(models.Model):
    """What happened at a table besides the cards captured, and what was ruled; never changed."""

    class Kind(models.TextChoices):
        CLAIM = "claim", _("claim")  # 声称
        CARD_COUNT = "card_count", _("wrong number of cards")  # 多牌少牌
        EXPOSURE = "exposure", _("misplaced exposure")  # 错明
        COLOUR = "colour", _("discard of the wrong colour")  # 垫错色
        TRICK_LOG = "trick_log", _("log of tricks")  # 逐圈记录

    table = models.ForeignKey(Table, models.PROTECT, related_name="rulings")
    deal_number = models.PositiveIntegerField(_("deal"))
    version = models.ForeignKey(DealVersion, models.PROTECT, null=True, blank=True, related_name="rulings")
    kind = models.CharField(max_length=15, choices=Kind)
    facts = models.JSONField()
    note = models.CharField(_("note"), max_length=300, blank=True)
    ruled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    ruled_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["table_id", "id"]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.deal_number} {self.kind}"


class PenaltyRule(models.Model):
    """An article of the penalty catalogue: a tournament's, or of one event in place of the tournament's.

    A changed article is a new row; the old one is retired, so that penalties given under it keep their text.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="penalty_rules")
    event = models.ForeignKey(Event, models.PROTECT, null=True, blank=True, related_name="penalty_rules")
    article = models.CharField(_("article"), max_length=20)
    name = models.CharField(_("breach"), max_length=120)
    points = PointsField(_("points"), default=0)
    warning_first = models.BooleanField(_("a warning first"), default=False)
    place = models.PositiveSmallIntegerField(default=1)
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament_id", "event_id", "place", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "article"],
                condition=models.Q(retired_at__isnull=True, event__isnull=True),
                name="penalty_article_once_per_tournament",
            ),
            models.UniqueConstraint(
                fields=["event", "article"],
                condition=models.Q(retired_at__isnull=True, event__isnull=False),
                name="penalty_article_once_per_event",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.article} {self.name}"


class Penalty(models.Model):
    """A penalty 罚分, added to an entry's result, not to a deal (docs/rules.md §5).

    Cancelling keeps it on record. One against a side of two entries is a row for each of them.
    """

    class Target(models.TextChoices):
        SEAT = "seat", _("player")
        SIDE = "side", _("side")
        ENTRY = "entry", _("entry or team")

    class Scope(models.TextChoices):
        DEAL = "deal", _("a deal")
        GAME = "game", _("a game")
        ROUND = "round", _("the round")

    event = models.ForeignKey(Event, models.PROTECT, related_name="penalties")
    round = models.ForeignKey(Round, models.PROTECT, related_name="penalties")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="penalties", verbose_name=_("entry"))
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="penalties")
    table = models.ForeignKey(Table, models.SET_NULL, null=True, blank=True, related_name="penalties")
    deal = models.ForeignKey(Deal, models.SET_NULL, null=True, blank=True, related_name="penalties")
    target = models.CharField(max_length=6, choices=Target, default=Target.ENTRY)
    scope = models.CharField(max_length=5, choices=Scope, default=Scope.ROUND)
    game = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Its number at the table.")
    article = models.ForeignKey(
        PenaltyRule,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="penalties",
        verbose_name=_("article"),
    )
    rule = models.CharField(_("rule"), max_length=120)
    points = PointsField(
        _("points"), help_text="Added to the result: negative takes points away, 0 is a warning."
    )
    reason = models.CharField(_("reason"), max_length=300)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    given_at = models.DateTimeField(auto_now_add=True)
    cancelled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancel_reason = models.CharField(_("reason for cancelling"), max_length=300, blank=True)

    class Meta:
        ordering = ["event_id", "given_at", "id"]
        verbose_name_plural = "penalties"

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.points}"


class ReceivedCommand(models.Model):
    """A command of a tablet or page, by its sender's id: seen again, it gets the stored answer again."""

    id = models.UUIDField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=40)
    digest = models.CharField(
        max_length=64, help_text="SHA-256 of the payload: same id, other payload is refused."
    )
    status = models.PositiveSmallIntegerField()
    answer = models.JSONField()
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["received_at"]

    def __str__(self) -> str:
        return f"{self.action} {self.id}"
