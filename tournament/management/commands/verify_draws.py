"""Draws everything again from the stored inputs and seeds, and has the checker look at it once more."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.management.lookup import find_event
from tournament.models import Draw
from tournament.pairing.model import PairingError
from tournament.queries.draw_check import violations
from tournament.queries.draw_inputs import DrawInputs
from tournament.queries.draws import same_as_stored


class Command(BaseCommand):
    """``manage.py verify_draws EVENT``: ends with an error if a draw is not what its inputs and seed give."""

    help = "Recompute every draw of an event from its stored inputs and seed, and compare."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", help="id of the event, or TOURNAMENT/EVENT as in its address")
        parser.add_argument("--withdrawn", action="store_true", help="look at withdrawn draws as well")

    def handle(self, *args: Any, **options: Any) -> None:
        event = find_event(options["event"])
        draws = Draw.objects.filter(round__event=event).select_related("round__event")
        if not options["withdrawn"]:
            draws = draws.exclude(state=Draw.State.WITHDRAWN)
        different = 0
        for draw in draws.order_by("round__number", "number"):
            outcome = _verdict(draw)
            different += outcome != "same"
            found = violations(draw, inputs := DrawInputs.from_json(draw.inputs), inputs.entrants)
            self.stdout.write(
                f"round {draw.round.number} draw {draw.number} {draw.method} seed {draw.seed} "
                f"{draw.state}: {outcome}, {len(found)} violations"
                + "".join(f"\n    {one['code']}" for one in found)
            )
        if different:
            raise CommandError(f"{different} draws are not what their inputs and seed give")
        self.stdout.write(self.style.SUCCESS(f"{draws.count()} draws verified"))


def _verdict(draw: Draw) -> str:
    try:
        return "same" if same_as_stored(draw) else "DIFFERENT"
    except PairingError as fault:
        return f"CANNOT BE DRAWN ({fault})"
