"""Rows of the standings put together as text: what comes from outside is text there too."""

import re

import pytest

from tests.played import given_penalty, played_event, played_round
from tournament.models import Event, Publication
from tournament.queries.public_tables import members_of
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert('x')</script>\"&"


def _rows(client, event):
    address = f"/t/{event.tournament.slug}/{event.slug}/standings/"
    html = client.get(address, headers={"accept-language": "en"}).content.decode()
    return html[html.index("<tbody>") : html.index("</tbody>")]


def _published(event, **round):
    draw = played_round(event, 1, deals=2, **round)
    publish(actor=SYSTEM, round=draw.round, what=Publication.What.DRAW)
    publish_round(actor=SYSTEM, round=draw.round)
    return event


@pytest.fixture
def pairs():
    """Pairs of hostile names, one sitting out, one withdrawn, one with points at entry and a penalty."""
    made = played_event(
        [HOSTILE, "乙", "丙", "丁", "戊"],
        kind=Event.Kind.PAIRS,
        measure=Event.Measure.DIFFERENCE,
        clubs=(HOSTILE, "西队"),
    )
    made.entries.filter(number=2).update(start_points=15)
    given_penalty(made.entries.get(number=3), -20)
    return _published(made, byes=1)


def test_names_clubs_and_players_are_escaped(client, pairs):
    rows = _rows(client, pairs)
    assert "<script" not in rows
    assert rows.count("&lt;script&gt;") >= 4  # name, club and both players


def test_every_row_has_as_many_cells_as_the_head(client, pairs):
    address = f"/t/{pairs.tournament.slug}/{pairs.slug}/standings/"
    html = client.get(address).content.decode()
    head = html[html.index("<thead>") : html.index("</thead>")].count("<th ")
    rows = re.findall(r"<tr .*?</tr>", html[html.index("<tbody>") : html.index("</tbody>")], re.DOTALL)
    assert len(rows) == 5
    assert {row.count("<td ") + row.count("<th ") for row in rows} == {head}


def test_each_entry_is_linked_and_marks_are_explained(client, pairs):
    rows = _rows(client, pairs)
    base = f"/t/{pairs.tournament.slug}/{pairs.slug}/entry/"
    assert set(re.findall(rf'href="{base}(\d+)/"', rows)) == {"1", "2", "3", "4", "5"}
    assert '<abbr title="sat out">*</abbr>' in rows
    assert 'data-label="at entry">15' in rows
    assert 'data-label="penalties">−20' in rows


def test_shared_ranks_and_withdrawn_entries_say_so(client):
    event = _published(played_event(list("甲乙丙丁")))
    publication = Publication.objects.get(event=event, what="standings")
    for row in publication.payload["rows"][:2]:
        row["rank"] = 1
    publication.payload["rows"][3]["withdrawn"] = True
    publication.save()
    rows = _rows(client, event)
    assert rows.count('<span class="visually-hidden"> shared</span>') == 2
    assert rows.count(">withdrawn</span>") == 1


@pytest.mark.parametrize(
    ("name", "players", "said"),
    [
        ("王小明", ["王小明"], []),
        ("何文博 / 吕思齐", ["何文博", "吕思齐"], []),
        ("飞鸟", ["何文博", "吕思齐"], ["何文博", "吕思齐"]),
        ("何文博队", ["何文博", "吕思齐"], ["何文博", "吕思齐"]),
    ],
)
def test_players_are_named_where_the_entry_is_not_called_by_their_names(name, players, said):
    assert members_of({"name": name, "players": players}) == said
