"""The penalty catalogue and the rulings of a table as JSON for its page."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from referee.catalogue import Article
from referee.models import Correction, TableRuling
from referee.services.trick_log import irregularity_text
from scoring.engine.cards import split_copy, symbol
from scoring.engine.tricks import Irregularity
from scoring.messages import exposure_name, joined, seat_name
from tournament.models import Event
from tournament.points import show_points


def articles_json(articles: Iterable[Article], in_points: bool) -> list[dict[str, Any]]:
    """Articles in their order; ``rule`` is how a penalty under one is named.

    Their points are proposed only where the event counts points of deals (``in_points``).
    """
    return [
        {
            "id": one.pk,
            "rule": one.rule,
            "points": str(one.points) if in_points else "",
            "shown": show_points(one.points) if in_points else "",
            "warning_first": one.warning_first,
        }
        for one in articles
    ]


def ruling_json(
    ruling: TableRuling,
    record: Mapping[str, Any] | None,
    at: Collection[str],
    *,
    proposed: Mapping[int, Correction] = MappingProxyType({}),
    look: Callable[[Correction], str] | None = None,
) -> dict[str, Any]:
    """A ruling at a table with the seats ``at`` as a line: what it was, in which deal, and what was ruled;
    ``details`` of a log of tricks name its irregularities, and the cards that ``record``, the deal's in
    force, gives to another seat. ``proposal`` says what became of the other record that it has proposed:
    ``proposed`` has the corrections by number, ``look`` gives their addresses to whoever may open them.
    """
    correction = proposed.get(ruling.facts.get("correction", 0))
    kind = ruling.get_kind_display()
    return {
        "deal": ruling.deal_number,
        "kind": kind,
        "title": str(_RULED["title"]) % {"deal": ruling.deal_number, "kind": kind},
        "text": _TEXTS[ruling.kind](ruling.facts, at),
        "note": ruling.note,
        "details": _log_details(ruling.facts, record, at)
        if ruling.kind == TableRuling.Kind.TRICK_LOG
        else [],
        "proposal": correction
        and {"text": proposal_text(correction), "look": look(correction) if look else ""},
    }


def proposal_text(correction: Correction) -> str:
    """What became of a record that a ruling has proposed."""
    texts = {
        Correction.State.PROPOSED: _("Proposed only: the record changes once correction %(number)s is made."),
        Correction.State.APPLIED: _("Made with correction %(number)s."),
        Correction.State.DROPPED: _("Correction %(number)s was dropped: the record has not changed."),
        Correction.State.UNDONE: _("Correction %(number)s was made and undone."),
    }
    return texts[Correction.State(correction.state)] % {"number": correction.number}


def correction_look(event: Event) -> Callable[[Correction], str]:
    """Gives the address of a correction of the event: what it moves, and making it."""
    where = (event.tournament.slug, event.slug)
    return lambda correction: reverse("manage:correction", args=(*where, correction.number))


def _log_details(
    facts: Mapping[str, Any], record: Mapping[str, Any] | None, at: Collection[str]
) -> list[str]:
    found = [
        irregularity_text(Irregularity(one["code"], one["trick"], one["seat"], one["card"] or None), at)
        for one in facts["irregularities"]
    ]
    if record is None:
        return found
    logged, entered = _takers(facts["captures"]), _takers(record["captures"])
    return found + [
        _("%(card)s: log: %(logged)s; entered: %(entered)s")
        % {"card": symbol(card), "logged": _names(seats, at), "entered": _names(entered.get(card, ()), at)}
        for card, seats in logged.items()
        if Counter(seats) - Counter(entered.get(card, ()))
    ]


def _takers(captures: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Who has each card, seats sorted; a copy's dealt seat does not matter here."""
    found: dict[str, list[str]] = {}
    for seat, cards in sorted(captures.items()):
        for card in cards:
            found.setdefault(split_copy(card)[0], []).append(seat)
    return found


def _names(seats: Iterable[str], at: Collection[str]) -> str:
    return joined(seat_name(seat, at) for seat in seats) or "—"


_PLACE = re.compile(r"%\((\w+)\)s")

#: The title of a ruling, and what was ruled: by its kind or, where one says several things, by what it says.
_RULED: Mapping[str, Any] = {
    "title": gettext_lazy("Deal %(deal)s: %(kind)s"),
    "claim": gettext_lazy("%(seat)s takes %(tricks)s of %(remaining)s tricks; agreed: %(agreed)s."),
    "draw": gettext_lazy("%(hands)s; the short hand drew from the long one."),
    "redeal": gettext_lazy("%(hands)s; dealt again."),
    "stands": gettext_lazy("it stands"),
    "taken_back": gettext_lazy("it is taken back"),
    "as_kind": gettext_lazy("it counts as %(kind)s"),
    "colour": gettext_lazy("%(seat)s takes %(cards)s."),
}


def ruling_words() -> dict[str, str]:
    """The words of a ruling with {name} places, for a tablet that has not sent it yet."""
    return {code: _PLACE.sub(r"{\1}", str(text)) for code, text in _RULED.items()}


def _claim(facts: Mapping[str, Any], at: Collection[str]) -> str:
    return str(_RULED["claim"]) % {
        **facts,
        "seat": seat_name(facts["seat"], at),
        "agreed": _names(facts["agreed"], at),
    }


def _card_count(facts: Mapping[str, Any], at: Collection[str]) -> str:
    hands = joined(f"{seat_name(seat, at)} {count}" for seat, count in facts["hands"].items())
    return str(_RULED["draw" if facts["procedure"] == "draw" else "redeal"]) % {"hands": hands}


def _exposure(facts: Mapping[str, Any], at: Collection[str]) -> str:
    ruled = str(_RULED[facts["ruling"]]) % {"kind": exposure_name(facts["as_kind"])}
    shown = exposure_name(facts["exposure"])
    return f"{seat_name(facts['seat'], at)} {symbol(facts['card'])} {shown}: {ruled}"


def _colour(facts: Mapping[str, Any], at: Collection[str]) -> str:
    cards = " ".join(symbol(card.partition(":")[0]) for card in facts["cards"])
    return str(_RULED["colour"]) % {"seat": seat_name(facts["seat"], at), "cards": cards}


def _trick_log(facts: Mapping[str, Any], _at: Collection[str]) -> str:
    found = len(facts["irregularities"])
    return ngettext("%(found)s irregularity", "%(found)s irregularities", found) % {"found": found}


_TEXTS: Mapping[str, Callable[[Mapping[str, Any], Collection[str]], str]] = {
    TableRuling.Kind.CLAIM: _claim,
    TableRuling.Kind.CARD_COUNT: _card_count,
    TableRuling.Kind.EXPOSURE: _exposure,
    TableRuling.Kind.COLOUR: _colour,
    TableRuling.Kind.TRICK_LOG: _trick_log,
}
