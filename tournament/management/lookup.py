"""Finding what the commands are about."""

from django.core.management.base import CommandError

from tournament.models import Event


def find_event(given: str) -> Event:
    """The event of this id, or at TOURNAMENT/EVENT as in its address. Raises CommandError."""
    events = Event.objects.select_related("tournament", "ruleset_version__book")
    tournament, slash, slug = given.partition("/")
    found = (
        events.filter(tournament__slug=tournament, slug=slug)
        if slash
        else events.filter(pk=int(given) if given.isdecimal() and len(given) < 19 else None)
    )
    event = found.first()
    if event is None:
        raise CommandError(
            f"no such event: {given}. Name it by TOURNAMENT/EVENT as in its address, e.g. demo/individual"
        )
    return event
