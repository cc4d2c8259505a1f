"""What changed between versions: in names and figures, only between versions that are public."""

import re

import pytest

from tests.played import given_penalty, played_deal, update_results
from tests.tournament.public.bracket_play import bracket_event, draw_and_publish, play_round
from tournament.models import Publication
from tournament.queries.public_changes import changes_between
from tournament.services.audit import SYSTEM
from tournament.services.publish import publish, publish_round, withdraw_publication
from tournament.services.stages import StageData, configure_stage

pytestmark = pytest.mark.django_db
What = Publication.What
ENGLISH = {"accept-language": "en"}


def _corrected(event):
    """A deal of round 1 corrected, an entry renamed, a penalty given; published with the reason."""
    table = event.rounds.get(number=1).draws.get().tables.get(number=1)
    played_deal(table, 1, seed=9)
    event.entries.filter(number=4).update(name="改名者")
    given_penalty(event.entries.get(number=6), -45)
    round = event.rounds.get(number=1)
    publish(actor=SYSTEM, round=round, what=What.RESULTS, note="第一副改分")
    publish(actor=SYSTEM, round=round, what=What.STANDINGS, note="第一副改分")
    return table


def _page(client, base, matter):
    return client.get(f"{base}round/1/changes/{matter}/", headers=ENGLISH)


def test_a_correction_is_told_with_deal_figures_names_and_reason(client, public_event, base):
    table = _corrected(public_event)
    html = _page(client, base, "results").content.decode()
    assert "From version 1 to version 2" in html
    assert "第一副改分" in html
    assert f"Table {table.number}, deal 1" in html
    assert "改名者" in html
    assert "−45" in html


def test_ranks_and_totals_that_moved_are_told(client, public_event, base):
    before = Publication.objects.get(event=public_event, what=What.STANDINGS).payload
    _corrected(public_event)
    after = Publication.objects.filter(event=public_event, what=What.STANDINGS).last().payload
    moved = {
        row["entry"]
        for row in after["rows"]
        if [row["rank"], row["total"]]
        != next([old["rank"], old["total"]] for old in before["rows"] if old["entry"] == row["entry"])
    }
    told = {one["entry"] for one in changes_between(before, after) if one["kind"] == "rank"}
    assert told == moved != set()
    assert "total" in _page(client, base, "standings").content.decode()


def test_the_version_line_leads_to_the_changes(client, public_event, base):
    assert "/changes/" not in client.get(f"{base}round/1/").content.decode()
    _corrected(public_event)
    assert f"{base}round/1/changes/results/" in client.get(f"{base}round/1/").content.decode()
    assert f"{base}round/1/changes/standings/" in client.get(f"{base}standings/").content.decode()


def test_versions_from_before_a_withdrawal_are_not_shown_again(client, public_event, base):
    round = public_event.rounds.get(number=1)
    public_event.entries.filter(number=4).update(name="误公布的名字")
    wrong = publish(actor=SYSTEM, round=round, what=What.RESULTS, note="误公布")
    withdraw_publication(actor=SYSTEM, publication=wrong, reason="误公布的理由")
    assert _page(client, base, "results").status_code == 404
    public_event.entries.filter(number=4).update(name="赵六")
    publish(actor=SYSTEM, round=round, what=What.RESULTS)
    html = _page(client, base, "results").content.decode()
    assert "误公布" not in html
    assert "Version 4" in html


@pytest.mark.parametrize(
    "path", ["round/2/changes/results/", "round/1/changes/secrets/", "round/9/changes/draw/"]
)
def test_what_is_not_public_has_no_changes(client, base, path):
    assert client.get(f"{base}round/{path}").status_code == 404


def test_equal_payloads_differ_in_nothing(public_event):
    for publication in Publication.objects.filter(event=public_event):
        assert changes_between(publication.payload, publication.payload) == []


@pytest.mark.parametrize("what", list(What))
def test_whatever_differs_is_told(public_event, what):
    """Against an empty payload everything is new: nothing that a page shows of a matter is left out."""
    payload = Publication.objects.filter(event=public_event, what=what).first().payload
    empty = {**payload, "tables": [], "byes": [], "penalties": [], "rows": []}
    told = changes_between(empty, payload)
    kinds = {one["kind"] for one in told}
    assert (
        kinds
        == {
            What.DRAW: {"seat", "bye"},
            What.RESULTS: {"seat", "bye", "points", "deal", "penalty"},
            What.STANDINGS: {"rank", "penalty"},
        }[what]
    )
    back = changes_between(payload, empty)
    assert len(back) == len(told)


def _group_row(entry, rank, total):
    return {"entry": entry, "rank": rank, "total": total}


def _grouped_payload(*groups, staged=True):
    return {
        "entries": {str(n): {"name": f"第{n}队", "club": "", "players": []} for n in range(1, 7)},
        "rows": [],
        "staged": staged,
        "groups": [
            {"stage": 1, "name": "小组赛", "group": number, "rows": list(rows)}
            for number, rows in enumerate(groups, start=1)
        ],
    }


def test_ranks_totals_and_members_of_a_group_that_changed_are_told_with_the_group():
    first, third = _group_row(1, 1, "30"), _group_row(3, 1, "9")
    before = _grouped_payload([first, _group_row(2, 2, "20")], [third, _group_row(4, 2, "8")])
    after = _grouped_payload([_group_row(2, 1, "40"), first | {"rank": 2}, _group_row(4, 3, "8")], [third])
    told = [
        (one["kind"], one["title"], one["group"], one["entry"], one["before"], one["after"])
        for one in changes_between(before, after)
    ]
    assert told == [
        ("group", "小组赛", 1, 1, {"rank": 1, "total": "30"}, {"rank": 2, "total": "30"}),
        ("group", "小组赛", 1, 2, {"rank": 2, "total": "20"}, {"rank": 1, "total": "40"}),
        ("group", "小组赛", 1, 4, None, {"rank": 3, "total": "8"}),
        ("group", "小组赛", 2, 4, {"rank": 2, "total": "8"}, None),
    ]


def test_a_version_from_before_groups_were_told_is_not_compared_by_groups():
    new = _grouped_payload([_group_row(1, 1, "30")])
    old = {key: value for key, value in new.items() if key != "groups"}
    assert changes_between(old, new) == []


def test_the_page_names_the_group_whose_standings_changed(client):
    event = bracket_event(8)
    configure_stage(
        actor=SYSTEM,
        stage=event.stages.get(),
        data=StageData(format="groups", rounds=3, options={"groups": 2}),
    )
    draw = draw_and_publish(event, 1)
    round = play_round(draw)
    publish(actor=SYSTEM, round=round, what=What.STANDINGS)
    table = draw.tables.first()
    played_deal(table, 1, seed=5)
    update_results(table, complete=True)
    publish_round(actor=SYSTEM, round=round, note="改分")
    address = f"/t/{event.tournament.slug}/{event.slug}/round/1/changes/standings/"
    html = client.get(address, headers=ENGLISH).content.decode()
    assert set(re.findall(r"<li>(Group [12]), <a", html)) == {"Group 1"}


def test_who_was_drawn_into_another_group_is_told():
    entries = {str(n): {"name": f"第{n}队", "club": "", "players": []} for n in (1, 2, 3, 4)}
    before, after = (
        {"entries": entries, "tables": [], "byes": [], "stage": {"groups": groups}}
        for groups in ([[1, 2], [3, 4]], [[1, 3], [2, 4]])
    )
    told = {one["entry"]: (one["before"], one["after"]) for one in changes_between(before, after)}
    assert told == {2: (1, 2), 3: (2, 1)}
