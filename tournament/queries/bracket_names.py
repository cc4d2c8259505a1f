"""What the rounds of a bracket are called, and how far an entry came, in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.pairing.bracket import Section
from tournament.pairing.knockout import Fate

#: Names of the last rounds by how many rounds are still to come after them.
_LAST = (gettext_lazy("Final"), gettext_lazy("Semi-finals"), gettext_lazy("Quarter-finals"))


def section_title(section: str, level: int, levels: int) -> str:
    """What a round of a section is called, e.g. semi-finals."""
    if section == Section.THIRD_PLACE:
        return _("Match for third place")
    if section == Section.DECIDER:
        return _("Second final")
    if section == Section.LOSERS:
        return _("Losers' round %(n)s") % {"n": level}
    to_come = levels - level
    if section == Section.MAIN and to_come == 0:
        return _("Final of the main bracket")
    if section == Section.FINAL or to_come < len(_LAST):
        return str(_LAST[0 if section == Section.FINAL else to_come])
    return _("Round of %(n)s") % {"n": 2 ** (to_come + 1)}


def fate_text(fate: Mapping[str, Any]) -> str:
    """How an entry stands in its bracket, e.g. “Semi-finals: lost”; ``fate`` as standings_parts makes it."""
    if fate["fate"] == Fate.STILL_IN:
        return _("plays for third place") if fate["section"] == Section.THIRD_PLACE else _("still in")
    where = section_title(fate["section"], fate["level"], fate["levels"])
    if fate["fate"] == Fate.WON:
        return _("%(match)s: won") % {"match": where}
    return _("%(match)s: lost") % {"match": where}


def reached_text(reached: Mapping[str, Any]) -> str:
    """How far an entry came: its fate in a bracket, the round of heats, the place in a group, the stage."""
    if reached["fate"]:
        return fate_text(reached["fate"])
    if reached.get("final"):
        return _("Final")
    if reached["round"]:
        return _("heats: round %(round)s") % {"round": reached["round"]}
    if reached.get("place"):
        return _("place %(place)s in the group") % {"place": reached["place"]}
    return stage_title(reached["name"], reached["stage"])


def stage_title(name: str, number: int) -> str:
    """A stage by its name, or by its number where it has none."""
    return name or _("Stage %(number)s") % {"number": number}
