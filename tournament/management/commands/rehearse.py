"""`manage.py rehearse`: a whole event with random deals, its draws' quality and every step's seconds."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.models import Draw, Round
from tournament.queries.draw_formats import FORMATS
from tournament.rehearsal.plan import USUAL_FORMAT, RehearsalPlan, event_kinds
from tournament.rehearsal.play import Seconds, rehearse
from tournament.rehearsal.report import as_json, closing_lines, round_line
from tournament.rehearsal.scratch import scratch_database
from tournament.services.errors import Refused


class Command(BaseCommand):
    """Plays on a database in memory, so it can be run while an event is going on and leaves nothing
    behind.
    """

    help = "Play a whole event with random deals, in memory, and report on draws, speed and standings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--kind", choices=event_kinds(), default="individual")
        parser.add_argument("--entries", type=int, required=True, help="players, pairs or teams")
        parser.add_argument("--rounds", type=int, required=True)
        parser.add_argument("--format", choices=tuple(FORMATS), default=USUAL_FORMAT)
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same event")
        parser.add_argument("--deals", type=int, default=2, help="deals at each table in a round (default 2)")
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help="print the figures as JSON in the last line"
        )

    def handle(self, *args: Any, as_json: bool, **options: Any) -> None:
        plan = RehearsalPlan(
            **{name: options[name] for name in ("kind", "entries", "rounds", "format", "seed", "deals")}
        )
        try:
            plan.check()
            with scratch_database():
                found = rehearse(plan, self._tell)
                self._report(found, as_json)
        except Refused as refusal:
            raise CommandError("\n".join(str(problem) for problem in refusal.problems)) from refusal

    def _tell(self, round: Round, draw: Draw, seconds: Seconds) -> None:
        self.stdout.write(round_line(round, draw, seconds))
        self.stdout.flush()

    def _report(self, found: Any, json_too: bool) -> None:
        for line in closing_lines(found):
            self.stdout.write(line)
        if json_too:
            self.stdout.write(json.dumps(as_json(found), ensure_ascii=False))
