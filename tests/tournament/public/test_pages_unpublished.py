"""What is not published appears on no public page, whichever address is tried."""

import re
from itertools import cycle, product
from random import Random

import pytest
from django.urls import get_resolver, reverse
from django.utils import timezone

from referee.models import DealVersion
from tests.played import drawn_round, given_penalty, played_deal, played_event, played_round, random_record
from tournament.models import Draw, Entry, Event, Player, Publication, Tournament
from tournament.queries.public_statistics import COLUMNS
from tournament.services.audit import SYSTEM
from tournament.services.notices import post_announcement, withdraw_announcement
from tournament.services.publicity import set_publicity
from tournament.services.publish import publish, publish_round, withdraw_publication
from tournament.services.schedule import add_schedule_item, plan_round
from tournament.services.tie_breaks import draw_lots

pytestmark = pytest.mark.django_db

#: Stands in everything below that nobody has published.
MARK = "未公布标记"
LANGUAGES = ("zh-hans", "zh-hant", "en")


@pytest.fixture
def secrets(public_event):
    """Every kind of matter that the public must not see yet, in one tournament."""
    tournament = public_event.tournament
    Tournament.objects.create(name=f"{MARK}比赛", slug="secret")
    Event.objects.create(
        tournament=tournament,
        name=f"{MARK}项目",
        slug="secret",
        kind=Event.Kind.INDIVIDUAL,
        measure=Event.Measure.POINTS,
        plan={},
        ruleset_version=public_event.ruleset_version,
    )
    new = Entry.objects.create(event=public_event, number=77, name=f"{MARK}新人", club=f"{MARK}队")
    Player.objects.create(entry=new, name=f"{MARK}新人")
    # A name corrected after publication, a preview of round 3, results being recorded in round 2.
    public_event.entries.filter(number=4).update(name=f"{MARK}改名")
    preview = drawn_round(public_event, 3, seed=3, byes=2)
    Draw.objects.filter(pk=preview.pk).update(state=Draw.State.PREVIEW)
    table = public_event.rounds.get(number=2).draws.get().tables.get(number=1)
    played_deal(table, 1)
    played = public_event.rounds.get(number=1).draws.get().tables.get(number=1)
    record = random_record(Random(4))
    played_deal(played, 3, checked=False, record=record)
    DealVersion.objects.create(
        deal=played.deals.get(number=1),
        number=2,
        state="void",
        reason=f"{MARK}作废",
        ruleset_version=public_event.ruleset_version,
    )
    given_penalty(new, -7777, reason=f"{MARK}罚分", rule=f"{MARK}规则")
    given_penalty(
        public_event.entries.get(number=5), -1, cancelled_at=timezone.now(), cancel_reason=f"{MARK}撤销"
    )
    # An event of which everything was taken off again.
    other = played_event([f"{MARK}{n}" for n in "甲乙丙丁"], tournament=tournament, name="撤下的项目")
    publication = publish(actor=SYSTEM, round=drawn_round(other).round, what=Publication.What.DRAW)
    withdraw_publication(actor=SYSTEM, publication=publication, reason=f"{MARK}理由")
    hidden = _hidden_event(tournament)
    withdrawn = post_announcement(actor=SYSTEM, tournament=tournament, title=f"{MARK}误发", body=MARK)
    withdraw_announcement(actor=SYSTEM, announcement=withdrawn)
    return [public_event, other, hidden, Event.objects.get(slug="secret", tournament=tournament)]


#: What each part of an address may be, published or not. A page with a new kind of part needs a line here.
VALUES = {
    **dict.fromkeys(("number", "after", "stage", "part", "table", "match"), range(1, 5)),
    "order": [column.key for column in COLUMNS],
    "matter": list(Publication.What),
    "address": ["t/secret/", "manage/"],
}
#: Entries have higher numbers than anything else.
ENTRIES = (*range(1, 11), 77)


def _hidden_event(tournament):
    """Played and published in full, announced and planned, then hidden by the organiser."""
    event = played_event([f"{MARK}{n}" for n in "戊己庚辛"], tournament=tournament, name=f"{MARK}隐藏")
    draw = played_round(event, 1, deals=1)
    publish(actor=SYSTEM, round=draw.round, what=Publication.What.DRAW)
    publish_round(actor=SYSTEM, round=draw.round)
    post_announcement(actor=SYSTEM, tournament=tournament, event=event, title=f"{MARK}公告")
    when = timezone.now()
    plan_round(actor=SYSTEM, round=draw.round, starts_at=when)
    add_schedule_item(actor=SYSTEM, tournament=tournament, event=event, title=MARK, starts_at=when)
    return set_publicity(actor=SYSTEM, event=event, visibility=Event.Visibility.HIDDEN, live=event.live)


def _public_routes():
    """Every named public address with the names of its parts."""
    found = get_resolver("tournament.urls.public").reverse_dict
    return {name: found.getlist(name)[0][0][0][1] for name in found if isinstance(name, str)}


def _interface_addresses(slugs):
    """The same of the open interface, whose public part needs no token."""
    resolver = get_resolver("tournament.urls.api_v1").reverse_dict
    for name in [one for one in resolver if isinstance(one, str)]:
        address, parts = resolver.getlist(name)[0][0][0]
        if address.startswith("public/"):
            for number in range(1, 5) if "round" in parts else (1,):
                given = {part: slugs.get(part, number) for part in parts}
                asked = [f"?what={what}" for what in Publication.What] if name == "versions" else [""]
                yield from (reverse(f"api:{name}", kwargs=given) + one for one in asked)
    standings = reverse("api:standings", kwargs=slugs)
    yield from (f"{standings}?after={number}" for number in range(5))


def _addresses(events):
    """Every public address with every number there might be, published or not."""
    found = {"/t/secret/"}
    for event in events:
        slugs = {"tournament": event.tournament.slug, "event": event.slug}
        for name, parts in _public_routes().items():
            own = [part for part in parts if part not in slugs]
            values = [ENTRIES if name == "entry" else VALUES[part] for part in own]
            given = {part: slugs[part] for part in parts if part in slugs}
            for chosen in product(*values):
                found.add(reverse(name, kwargs=given | dict(zip(own, chosen, strict=True))))
        found |= set(_interface_addresses(slugs))
        for typed in (MARK[:3], "wgb", "77", "甲", "new"):
            found.add(reverse("find", kwargs=slugs) + f"?q={typed}")
    return found


def test_unpublished_data_is_on_no_public_page(client, secrets):
    open_pages = 0
    todo = sorted(_addresses(secrets))
    seen = set(todo)
    # What is shown does not depend on the language: of each kind of page each language is asked for some.
    languages = cycle(LANGUAGES)
    while todo:
        path = todo.pop()
        response = client.get(path, headers={"accept-language": next(languages)})
        # 405: an appeal is filed and followed with a code that is sent, never by asking for an address.
        assert response.status_code in {200, 404, 405}, path
        html = response.content.decode(errors="replace")  # one of them is a picture
        if "find/?q=" in path:  # the page repeats what was typed, and that is all
            html = re.sub(r'value="[^"]*"', "", html).replace(f"“{MARK[:3]}”", "")
        assert MARK not in html, path
        assert "7777" not in html, path
        open_pages += response.status_code == 200
        for link in re.findall(r'href="(/[^"#]*)', html):
            if not link.startswith(("/static/", "/accounts/", "/manage/", "/referee/")) and link not in seen:
                seen.add(link)
                todo.append(link)
    assert open_pages > 60


def _hide(event):
    return set_publicity(actor=SYSTEM, event=event, visibility=Event.Visibility.HIDDEN, live=event.live)


def _touch_one_being_set_up(event):
    """A change that public pages show, of an event nobody has been told of."""
    Event.objects.filter(pk=event.pk).update(state=Event.State.SETUP)
    Publication.objects.filter(event=event).update(withdrawn=True)
    return draw_lots(actor=SYSTEM, event=event, seed=1)


@pytest.mark.parametrize("change", [_hide, _touch_one_being_set_up])
def test_pages_prepared_after_a_change_are_none_of_an_event_the_public_may_not_know_of(
    client, public_event, django_capture_on_commit_callbacks, change
):
    """Stored pages are served without a question; those of the last publication are void by then."""
    here = f"/t/{public_event.tournament.slug}/{public_event.slug}/"
    paths = [here, f"{here}standings/", f"{here}round/1/", f"{here}standings.json"]
    assert [client.get(path).status_code for path in paths] == [200] * 4
    with django_capture_on_commit_callbacks(execute=True) as called:
        change(public_event)
    assert called
    for language in LANGUAGES:
        codes = [client.get(path, headers={"accept-language": language}).status_code for path in paths]
        assert codes == [404] * 4


def test_the_mark_appears_once_it_is_published(client, secrets):
    """The walk above would find it: the same pages, after publishing."""
    event = secrets[0]
    publish(actor=SYSTEM, round=event.rounds.get(number=1), what=Publication.What.RESULTS)
    html = client.get(f"/t/{event.tournament.slug}/{event.slug}/round/1/").content.decode()
    assert MARK in html
    assert "7777" in html


@pytest.mark.parametrize("path", ["secret/", "secret/standings/", "secret/round/1/", "secret/find/"])
def test_an_event_being_set_up_has_no_public_page(client, secrets, path):
    assert client.get(f"/t/{secrets[0].tournament.slug}/{path}").status_code == 404


def test_organisers_see_no_more_on_public_pages(client, secrets, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("chief"))
    event = secrets[0]
    for path in ("", "standings/", "round/1/", "round/1/table/1/", "entry/4/"):
        html = client.get(f"/t/{event.tournament.slug}/{event.slug}/{path}").content.decode()
        assert MARK not in html
    assert client.get(f"/t/{event.tournament.slug}/{event.slug}/round/3/").status_code == 404
