"""What a service asks before it writes. The system itself (a command, a task) may do everything."""

from django.utils.translation import gettext_lazy as _

from tournament.models import Tournament
from tournament.queries import access
from tournament.services.audit import Actor
from tournament.services.errors import NotAllowed


def require_organiser(actor: Actor, tournament: Tournament) -> None:
    """Raises NotAllowed unless the actor is an organiser of the tournament, or the system."""
    if not actor.is_system and not access.can_organise(actor.person, tournament):
        raise NotAllowed("not_organiser", _("Only an organiser of this tournament may do this."))


def require_director(actor: Actor, tournament: Tournament) -> None:
    """Raises NotAllowed unless the actor is an organiser or chief referee, or the system."""
    if not actor.is_system and not access.can_direct(actor.person, tournament):
        raise NotAllowed("not_director", _("Only an organiser or the chief referee may do this."))


def require_founder(actor: Actor) -> None:
    """Raises NotAllowed unless the actor may create tournaments."""
    if not actor.is_system and not access.can_create_tournaments(actor.person):
        raise NotAllowed("not_founder", _("Your account may not create tournaments."))
