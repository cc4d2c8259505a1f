"""Appeals 申诉 against a published deal, every step of them, and the codes by which entries file them."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from referee.models_corrections import Correction
from tournament.models import Entry, Event, Round


class EntryCode(models.Model):
    """An entry's own code, printed on its sheet: whoever has it speaks for the entry."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="code")
    code = models.CharField(max_length=12)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["entry_id"]

    def __str__(self) -> str:
        return str(self.entry_id)


class Appeal(models.Model):
    """An appeal of an entry against a deal. Numbered through the event.

    ``version`` is the record at issue and ``published`` the version of the round's results that showed it;
    neither moves when the deal is corrected.
    """

    class State(models.TextChoices):
        FILED = "filed", _("waits for the referee's ruling")
        RULED = "ruled", _("ruled by the referee")
        COMMITTEE = "committee", _("before the appeals committee")
        CLOSED = "closed", _("closed")
        WITHDRAWN = "withdrawn", _("withdrawn by the appellant")

    class Outcome(models.TextChoices):
        UPHELD = "upheld", _("upheld")
        PARTLY = "partly", _("upheld in part")
        REJECTED = "rejected", _("rejected")

    #: States in which the result is still in question.
    OPEN = (State.FILED, State.RULED, State.COMMITTEE)

    event = models.ForeignKey(Event, models.PROTECT, related_name="appeals")
    number = models.PositiveIntegerField()
    round = models.ForeignKey(Round, models.PROTECT, related_name="appeals")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="appeals")
    version = models.ForeignKey("referee.DealVersion", models.PROTECT, related_name="appeals")
    published = models.PositiveIntegerField(help_text="Version of the published results it is against.")
    deadline = models.DateTimeField(null=True, blank=True, help_text="Until when it could be filed.")
    statement = models.TextField(_("statement"))
    at_desk = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State, default=State.FILED)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome, blank=True)
    correction = models.ForeignKey(Correction, models.PROTECT, null=True, blank=True, related_name="appeals")
    filed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["event_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="appeal_number_once_per_event"),
            models.UniqueConstraint(
                fields=["version", "entry"],
                condition=models.Q(state__in=("filed", "ruled", "committee")),
                name="one_open_appeal_of_an_entry_against_a_record",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}/{self.number}"


class AppealStep(models.Model):
    """What was done about an appeal, in its order; never changed."""

    appeal = models.ForeignKey(Appeal, models.CASCADE, related_name="steps")
    place = models.PositiveSmallIntegerField()
    action = models.CharField(max_length=10)
    outcome = models.CharField(max_length=10, choices=Appeal.Outcome, blank=True)
    text = models.TextField(blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["appeal_id", "place"]
        constraints = [models.UniqueConstraint(fields=["appeal", "place"], name="appeal_step_once")]

    def __str__(self) -> str:
        return f"{self.appeal_id}: {self.action}"
