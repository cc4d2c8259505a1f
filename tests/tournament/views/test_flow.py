"""From nothing to a published draw and a closed round, through the pages alone."""

import io
import re
from urllib.parse import quote

import pytest
from openpyxl import Workbook, load_workbook

from tests.factories import make_event, make_published_draw, make_ruleset_version
from tests.pages import hidden_fields
from tests.played import played_event, played_round
from tournament.models import AuditRow, Draw, Entry, Event, Publication, Round, Tournament
from tournament.queries.draw_formats import FORMATS
from tournament.queries.next_step import next_step
from tournament.services.audit import SYSTEM
from tournament.services.draw import make_draw
from tournament.services.events import least_entries
from tournament.services.publish import publish

pytestmark = pytest.mark.django_db

EVENT = "/manage/t/cup/e/ge-ren-sai/"


def _list(rows):
    book = Workbook()
    book.active.append(["编号", "姓名", "单位"])
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    stream.seek(0)
    stream.name = "名单.xlsx"
    return stream


def _event_values(**fields):
    return {
        "name": "个人赛",
        "kind": "individual",
        "ruleset_version": str(make_ruleset_version("huapai").pk),
        "plan_kind": "game",
        "lines": "ruleset",
        "best_of": "1",
        "deals": "16",
        "minutes": "60",
        "measure": "usual",
        "planned_rounds": "2",
        "clubs_apart_rounds": "1",
        "odd": "byes",
        "bye_points": "0",
        **fields,
    }


def _step(event):
    step = next_step(event, least_entries(event.kind))
    return step.code, step.round and step.round.number


def test_the_whole_way(organiser, send, tournament):
    answer = send("/manage/t/cup/new-event/", _event_values())
    assert answer.headers["Location"] == EVENT
    event = Event.objects.get()
    assert (event.plan, event.measure, event.planned_rounds) == ({"kind": "game", "best_of": 1}, "points", 2)
    assert _step(event) == ("entries", None)
    assert f'href="{EVENT}entries/import/"' in organiser.get(EVENT).content.decode()

    to_draw = f'href="{EVENT}rounds/1/draw/"'
    assert to_draw not in organiser.get(f"{EVENT}entries/").content.decode()

    # A list with faults stores nothing and names the cells.
    wrong = _list([[1, "张三", "甲"], [1, "李四", "甲"], [3, "", "乙"]])
    page = send(f"{EVENT}entries/import/", {"file": wrong})
    assert page.status_code == 400
    assert "A3" in page.content.decode()
    assert "B4" in page.content.decode()
    assert not Entry.objects.exists()

    good = _list([[n, f"选手{n}", f"{'甲乙丙丁'[n % 4]}队"] for n in range(1, 9)])
    preview = send(f"{EVENT}entries/import/", {"file": good})
    assert preview.status_code == 200
    assert not Entry.objects.exists()
    confirm = f"{EVENT}entries/import/confirm/"
    hidden = hidden_fields(preview.content.decode(), confirm)
    for _again in range(2):
        assert organiser.post(confirm, hidden).headers["Location"] == f"{EVENT}entries/"
    assert event.entries.count() == 8
    assert AuditRow.objects.filter(action="entries.import").count() == 1
    assert _step(event) == ("draw", 1)
    assert to_draw in organiser.get(f"{EVENT}entries/").content.decode()

    draw = f"{EVENT}rounds/1/draw/"
    assert send(f"{draw}make/", {"seed": "7"}, page=draw).headers["Location"] == draw
    assert Draw.objects.get().seed == 7
    assert _step(event) == ("publish_draw", 1)
    page = organiser.get(draw).content.decode()
    assert "seed 7" in page
    assert "no objection" in page
    assert not Publication.objects.exists()

    assert send(f"{draw}swap/", {"swap-first": "1", "swap-second": "2"}, page=draw).status_code == 302
    assert organiser.get(f"{draw}verify/").content.decode().count("the same tables, seats and byes") == 1

    published = send(f"{draw}publish/", {"publish-reason": "wished"}, page=draw)
    assert published.headers["Location"] == f"{EVENT}rounds/1/"
    event.refresh_from_db()
    assert event.state == Event.State.STARTED
    assert _step(event) == ("play", 1)

    board = f"{EVENT}rounds/1/"
    page = organiser.get(board).content.decode()
    assert page.count("no deal yet") == 2

    refused = send(f"{board}close/", {}, page=board)
    assert refused.status_code == 400
    assert Round.objects.get(event=event, number=1).state == Round.State.PLAYING
    closed = send(f"{board}close/", {"close-override_reason": "停电"}, page=board)
    assert closed.headers["Location"] == board
    assert Round.objects.get(event=event, number=1).override_reason == "停电"
    assert _step(event) == ("publish_results", 1)

    # Nothing has been checked, so there is nothing to publish, and the page says so.
    refused = send(f"{board}publish/results/", {}, page=board)
    assert refused.status_code == 400
    assert "no checked deal" in refused.content.decode()

    workbook = organiser.get(f"{EVENT}results.xlsx")
    assert quote("个人赛") in workbook.headers["Content-Disposition"]
    names = load_workbook(io.BytesIO(b"".join(workbook.streaming_content))).sheetnames
    assert len(names) >= 4


def test_template_can_be_filled_in_and_imported(organiser, send, tournament):
    send("/manage/t/cup/new-event/", _event_values(name="对家赛", kind="pairs", plan_kind="set"))
    event = Event.objects.get()
    address = f"/manage/t/cup/e/{event.slug}/entries/"

    answer = organiser.get(f"{address}template.xlsx")
    book = load_workbook(io.BytesIO(b"".join(answer.streaming_content)))
    sheet = book.worksheets[0]
    headings = next(row for row in sheet.iter_rows() if sum(bool(cell.value) for cell in row) >= 3)
    assert len([cell for cell in headings if cell.value]) >= 4

    row = headings[0].row + 1
    for column, value in enumerate([1, "张三", "李四", "甲队"], start=1):
        sheet.cell(row, column, value)
    stream = io.BytesIO()
    book.save(stream)
    stream.seek(0)
    stream.name = "x.xlsx"
    preview = send(f"{address}import/", {"file": stream})
    assert preview.status_code == 200, preview.content.decode()


def test_new_tournament_page(organiser, send):
    answer = send("/manage/new/", {"name": "春季公开赛", "time_zone": "Asia/Shanghai"})

    assert answer.headers["Location"] == "/manage/t/chun-ji-gong-kai-sai/"
    assert Tournament.objects.filter(slug="chun-ji-gong-kai-sai").exists()


def test_tournament_faults_stand_beside_their_fields_and_keep_what_was_typed(organiser, send):
    values = {
        "name": "公开赛",
        "slug": "cup",
        "time_zone": "Asia/Nowhere",
        "starts_on": "2026-05-03",
        "ends_on": "2026-05-01",
    }

    page = send("/manage/new/", values)

    assert page.status_code == 400
    form = page.context["form"]
    assert set(form.errors) == {"ends_on"}
    page = send("/manage/new/", {**values, "ends_on": "2026-05-04"})
    assert {"slug", "time_zone"} == set(page.context["form"].errors)
    assert 'value="公开赛"' in page.content.decode()
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        ({"name": ""}, {"name"}),
        ({"plan_kind": "set", "deals": ""}, {"deals"}),
        ({"plan_kind": "time", "minutes": ""}, {"minutes"}),
        ({"lines": "own", "lose_line": "", "win_line": "5"}, {"lose_line"}),
        ({"lines": "own", "lose_line": "1000", "win_line": "-1000"}, {"lose_line", "win_line"}),
        ({"kind": "pairs", "plan_kind": "set", "measure": "games"}, {"measure"}),
        ({"planned_rounds": "0", "clubs_apart_rounds": "-1"}, {"planned_rounds", "clubs_apart_rounds"}),
        ({"kind": "pig_sheep", "ruleset_version": "double-pig"}, {"ruleset_version"}),
    ],
)
def test_event_faults_stand_beside_their_fields(organiser, send, values, fields):
    if values.get("ruleset_version"):
        values = {**values, "ruleset_version": str(make_ruleset_version(values["ruleset_version"]).pk)}

    page = send("/manage/t/cup/new-event/", _event_values(**values))

    assert page.status_code == 400
    assert set(page.context["form"].errors) == fields
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("values", "plan", "measure"),
    [
        (
            {"lines": "800", "best_of": "3"},
            {"kind": "game", "lose_line": -800, "win_line": 800, "best_of": 3},
            "points",
        ),
        ({"kind": "pairs", "best_of": "3"}, {"kind": "game", "best_of": 3}, "games"),
        (
            {"kind": "teams", "plan_kind": "set", "deals": "20", "best_of": ""},
            {"kind": "set", "deals": 20},
            "difference",
        ),
        (
            {"plan_kind": "time", "minutes": "45", "lines": "own", "lose_line": "-500", "win_line": "600"},
            {"kind": "time", "lose_line": -500, "win_line": 600, "minutes": 45, "finish_current_deal": False},
            "points",
        ),
    ],
)
def test_event_form_makes_the_plan(organiser, send, values, plan, measure):
    send("/manage/t/cup/new-event/", _event_values(**values))

    event = Event.objects.get()
    assert (event.plan, event.measure) == (plan, measure)
    # The form for changing it shows what is stored, and sending it unchanged changes nothing.
    page = organiser.get(f"/manage/t/cup/e/{event.slug}/settings/")
    shown = {name: page.context["form"][name].value() for name in page.context["form"].fields}
    sent = {name: value for name, value in shown.items() if value is not None and value is not False}
    answer = organiser.post(f"/manage/t/cup/e/{event.slug}/settings/", sent)
    assert answer.status_code == 302, answer.context["form"].errors
    event.refresh_from_db()
    assert (event.plan, event.measure) == (plan, measure)


def test_double_submit_stores_once(organiser, send, tournament):
    send("/manage/t/cup/new-event/", _event_values())
    page = organiser.get(f"{EVENT}entries/new/").content.decode()
    values = {**hidden_fields(page), "number": "1", "name": "张三", "first_round": "1", "start_points": "0"}

    first, second = (organiser.post(f"{EVENT}entries/new/", values) for _ in range(2))

    assert first.headers["Location"] == second.headers["Location"] == f"{EVENT}entries/"
    assert Entry.objects.count() == 1
    # The same form, filled in otherwise after "back", is not taken for the same request.
    other = organiser.post(f"{EVENT}entries/new/", {**values, "number": "2", "name": "李四"})
    assert other.status_code == 400
    fresh = hidden_fields(other.content.decode())
    assert fresh["command_id"] != values["command_id"]
    assert (
        organiser.post(f"{EVENT}entries/new/", {**values, **fresh, "number": "2", "name": "李四"}).status_code
        == 302
    )
    assert Entry.objects.count() == 2


def test_workbook_of_an_event_without_anything(organiser, tournament):
    make_event(tournament=tournament, slug="ge-ren-sai")

    answer = organiser.get(f"{EVENT}results.xlsx")

    assert load_workbook(io.BytesIO(b"".join(answer.streaming_content))).sheetnames


def test_started_event_keeps_kind_and_rules_whatever_is_sent(organiser, send, tournament):
    event = make_event(entries=8, tournament=tournament, slug="ge-ren-sai")
    make_published_draw(event)

    values = _event_values(
        kind="pairs", name="新名", planned_rounds="4", ruleset_version=str(make_ruleset_version("classic").pk)
    )
    assert send(f"{EVENT}settings/", values).status_code == 302

    event.refresh_from_db()
    assert (event.name, event.kind, event.planned_rounds) == ("新名", "individual", 4)
    assert event.ruleset_version.book.key == "huapai"


def test_odd_field_shows_the_possible_answers_side_by_side(organiser, send, tournament):
    make_event(entries=10, tournament=tournament, slug="ge-ren-sai")
    draw = f"{EVENT}rounds/1/draw/"

    form = organiser.get(draw).context["form"]
    assert [value for value, _label in form.fields["answer"].choices] == ["threes", "fives", "byes", "house"]
    assert send(f"{draw}make/", {"answer": "threes", "bye_points": "0"}, page=draw).status_code == 302
    assert sorted(table.seats.count() for table in Draw.objects.get().tables.all()) == [3, 3, 4]


def test_violations_are_said_in_words_and_need_a_reason(organiser, send, tournament):
    event = make_event(entries=4, tournament=tournament, slug="ge-ren-sai", clubs_apart_rounds=1)
    draw = f"{EVENT}rounds/1/draw/"
    send(f"{draw}make/", {}, page=draw)
    page = organiser.get(draw).content.decode()
    assert "same club, 甲队" in page

    refused = send(f"{draw}publish/", {}, page=draw)
    assert refused.status_code == 400
    assert set(refused.context["publish_form"].errors) == {"reason"}
    assert send(f"{draw}publish/", {"publish-reason": "只有一队"}, page=draw).status_code == 302
    assert event.rounds.get(number=1).state == Round.State.PLAYING


def test_withdrawn_draw_stays_listed_with_its_reason(organiser, send, tournament):
    make_published_draw(make_event(entries=8, tournament=tournament, slug="ge-ren-sai"))
    draw = f"{EVENT}rounds/1/draw/"

    assert send(f"{draw}withdraw/", {"reason": "名单有误"}).headers["Location"] == draw
    assert "名单有误" in organiser.get(draw).content.decode()


def test_from_the_last_checked_deal_to_the_next_draw_by_the_overviews_buttons(organiser, send, tournament):
    event = played_event([f"选手{n}" for n in range(16)], tournament=tournament, rounds=2)
    overview = f"/manage/t/cup/e/{event.slug}/"
    rounds = f"{overview}rounds/"
    played_round(event)
    publish(actor=SYSTEM, round=event.rounds.get(number=1), what=Publication.What.DRAW)
    assert _step(event) == ("close", 1)
    page = organiser.get(overview).content.decode()
    assert "Closes the round and publishes its results and the standings after it." in page

    for _again in range(2):
        # The second time the overview has another form: what was sent once is sent once more.
        hidden = hidden_fields(page, f"{rounds}1/end/")
        assert organiser.post(f"{rounds}1/end/", hidden).headers["Location"] == overview
    assert "its results and the standings are public" in organiser.get(overview).content.decode()
    assert AuditRow.objects.filter(action="round.close").count() == 1
    assert _step(event) == ("draw", 2)

    send(f"{rounds}2/draw/make/", {"seed": "7"}, page=f"{rounds}2/draw/")
    assert send(f"{rounds}2/draw/publish/", {}, page=overview).headers["Location"] == f"{rounds}2/"
    assert _step(event) == ("play", 2)
    # With anything missing it asks for the reason, as closing alone does.
    refused = send(f"{rounds}2/end/", {}, page=f"{rounds}2/")
    assert refused.status_code == 400
    assert set(refused.context["close_form"].errors) == {"override_reason"}


def test_a_new_event_is_asked_for_its_format_with_the_usual_one_chosen(organiser, send, tournament):
    page = organiser.get("/manage/t/cup/new-event/").content.decode()
    assert page.count('name="format"') == len(FORMATS)
    assert re.search(r'value="random"[^>]*checked', page)
    refused = send("/manage/t/cup/new-event/", _event_values(format="knockout"))
    assert set(refused.context["form"].errors) == {"format"}
    send("/manage/t/cup/new-event/", _event_values(format="swiss"))
    event = Event.objects.get()
    assert event.stages.get().format == "swiss"
    assert 'name="format"' not in organiser.get(f"{EVENT}settings/").content.decode()


def test_a_round_robin_says_that_clubs_apart_mean_nothing(organiser, tournament):
    event = make_event(Event.Kind.PAIRS, 4, tournament=tournament, clubs_apart_rounds=1)
    overview = f"/manage/t/cup/e/{event.slug}/"
    assert "in the first round" in organiser.get(overview).content.decode()
    event.stages.update(format="round_robin")
    event.entries.update(club="甲")
    for address in (overview, f"{overview}rounds/1/draw/"):
        assert "no: everybody meets everybody" in organiser.get(address).content.decode()
    draw = make_draw(actor=SYSTEM, round=Round.objects.get(event=event, number=1), seed=1)
    assert draw.quality["club_clashes"] == 2
    page = organiser.get(f"{overview}rounds/1/draw/").content.decode()
    assert "Pairs of one club together" not in page
    assert "no objection" in page
