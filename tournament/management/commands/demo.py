"""`manage.py demo`: a tournament in mid-play to look at, and log-ins for each role."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournament.demo.build import build_demo, demo_tournament
from tournament.demo.cast import PASSWORD, USERS
from tournament.management.terminal import terminal_language
from tournament.models import Role, Tournament


class Command(BaseCommand):
    """Makes the demo once; afterwards it changes nothing and prints the log-ins again."""

    help = "Make a demo tournament in mid-play, with a log-in for each role."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--anyway",
            action="store_true",
            help="also on a site that has tournaments of its own (the demo's passwords are public!)",
        )

    def handle(self, *args: Any, anyway: bool, **options: Any) -> None:
        tournament = demo_tournament()
        if tournament is None:
            with translation.override(terminal_language()):
                self._refuse_if_in_use(anyway)
            # The demo itself is in the site's language, whoever makes it.
            with translation.override(terminal_language()):
                self.stdout.write(_("Playing the demo tournament: this takes some seconds, once …"))
            self.stdout.flush()
            tournament = build_demo(password=PASSWORD, today=timezone.localdate())
        with translation.override(terminal_language()):
            self._print_logins(tournament)

    def _refuse_if_in_use(self, anyway: bool) -> None:
        if not anyway and Tournament.objects.exists():
            raise CommandError(
                _(
                    "This site has tournaments of its own. The demo comes with passwords that everybody "
                    "knows; use --anyway to add it all the same."
                )
            )
        names = [one.username for one in USERS]
        taken = get_user_model().objects.filter(username__in=names).order_by("username")
        if taken:
            raise CommandError(
                _("The demo needs log-in names that exist already: %(names)s.")
                % {"names": ", ".join(user.get_username() for user in taken)}
            )

    def _print_logins(self, tournament: Tournament) -> None:
        lines = [("", "", reverse("home"), _("public pages"))]
        accounts = {user.get_username(): user for user in get_user_model().objects.filter(is_active=True)}
        # The accounts share a hash as long as nobody changes a password: checked once, it is known for all.
        unchanged: dict[str, bool] = {}
        for one in USERS:
            user = accounts.get(one.username)
            if user is None or not tournament.memberships.filter(user=user, role=one.role).exists():
                continue
            if user.password not in unchanged:
                unchanged[user.password] = user.check_password(PASSWORD)
            password = PASSWORD if unchanged[user.password] else _("(changed)")
            lines.append((one.username, password, reverse(one.start), str(Role(one.role).label)))
        self.stdout.write(_("Demo tournament “%(name)s”") % {"name": tournament.name})
        for username, password, address, role in lines:
            self.stdout.write(f"  {username:<10} {password:<10} {address:<12} {role}")
