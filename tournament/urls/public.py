"""Public addresses: what players read without logging in. They never change once published."""

from django.urls import URLPattern, path

from tournament.views import public, public_appeals, public_feeds, public_notices, public_screen, public_share

EVENT = "t/<slug:tournament>/<slug:event>/"


def _data_files(address: str, name: str) -> list[URLPattern]:
    """A matter as rows, at the address of its page with the ending json or csv."""
    return [
        path(
            f"{EVENT}{address}.{ending}", public.stored_page, {"page": f"{name}_{ending}"}, f"{name}_{ending}"
        )
        for ending in ("json", "csv")
    ]


urlpatterns = [
    path("", public.home, name="home"),
    path("t/<slug:tournament>/", public.tournament_home, name="tournament"),
    path("schedule/<slug:tournament>/", public_notices.schedule, name="schedule"),
    path("announcements/<slug:tournament>/", public_notices.announcements, name="announcements"),
    path("announcements/<slug:tournament>.atom", public_feeds.announcements, name="announcements_feed"),
    path("schedule/<slug:tournament>.ics", public_feeds.schedule, name="schedule_calendar"),
    path(EVENT, public.stored_page, {"page": "event"}, name="event"),
    path(
        f"{EVENT}round/<int:number>/changes/<slug:matter>/",
        public.stored_page,
        {"page": "changes"},
        name="changes",
    ),
    path(f"{EVENT}find/", public.find, name="find"),
    path(f"{EVENT}round/<int:number>/", public.stored_page, {"page": "round"}, name="round"),
    path(
        f"{EVENT}round/<int:number>/table/<int:table>/", public.stored_page, {"page": "table"}, name="table"
    ),
    path(
        f"{EVENT}round/<int:number>/match/<int:match>/", public.stored_page, {"page": "match"}, name="match"
    ),
    path(f"{EVENT}round/<int:number>/table/<int:table>/appeal/", public_appeals.appeal, name="appeal"),
    path(f"{EVENT}appeals/", public_appeals.follow, name="appeals"),
    path(f"{EVENT}bracket/<int:stage>/", public.stored_page, {"page": "bracket"}, name="bracket"),
    *(
        path(
            f"{EVENT}round/<int:number>/print/{what}/",
            public.stored_page,
            {"page": f"{what}_print"},
            f"{what}_print",
        )
        for what in ("seats", "wall", "sheets")
    ),
    path(
        f"{EVENT}standings/<int:after>/certificates/",
        public.stored_page,
        {"page": "certificates"},
        name="certificates",
    ),
    path("code/<path:address>", public_share.page_code, name="page_code"),
    path(f"{EVENT}preview.png", public_share.preview, name="preview"),
    path(f"{EVENT}screen/", public.stored_page, {"page": "screen"}, name="screen"),
    path(f"{EVENT}screen/now.json", public_screen.now, name="screen_now"),
    path(f"{EVENT}cross/", public.stored_page, {"page": "cross"}, name="cross"),
    path(f"{EVENT}cross/<int:part>/", public.stored_page, {"page": "cross_more"}, name="cross_more"),
    path(f"{EVENT}statistics/", public.stored_page, {"page": "statistics"}, name="statistics"),
    path(
        f"{EVENT}statistics/by/<slug:order>/",
        public.stored_page,
        {"page": "statistics_by"},
        name="statistics_by",
    ),
    path(f"{EVENT}standings/", public.stored_page, {"page": "standings"}, name="standings"),
    path(
        f"{EVENT}standings/<int:after>/",
        public.stored_page,
        {"page": "standings_after"},
        name="standings_after",
    ),
    *_data_files("standings", "standings"),
    *_data_files("standings/<int:after>", "standings_after"),
    *_data_files("entries", "entries"),
    *_data_files("round/<int:number>/pairings", "pairings"),
    *_data_files("round/<int:number>/results", "results"),
    *_data_files("round/<int:number>/deals", "deals"),
    path(f"{EVENT}entry/<int:number>/", public.stored_page, {"page": "entry"}, name="entry"),
]
