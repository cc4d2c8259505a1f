"""The referee's addresses: pages and the interface of the table."""

from django.urls import path

from referee import (
    api,
    api_desk,
    api_rulings,
    api_signoff,
    views,
    views_calls,
    views_desk,
    views_exchange,
    views_offline,
    views_rules,
    views_tablets,
)

app_name = "referee"

TABLE = "api/tables/<int:table>/"
DEAL = f"{TABLE}deals/<int:number>/"

urlpatterns = [
    path("", views.home, name="home"),
    path("join/", views_tablets.join, name="join"),
    path("join/<str:code>/", views_tablets.join, name="join_code"),
    path("tablet/", views_tablets.tablet, name="tablet"),
    path("cards/<slug:tournament>/<slug:event>/", views_tablets.cards, name="cards"),
    path("tablets/<slug:tournament>/<slug:event>/", views_tablets.desk, name="tablets"),
    path("sw.js", views_offline.service_worker, name="service_worker"),
    path("tablet.webmanifest", views_offline.manifest, name="manifest"),
    path("rules/<slug:tournament>/", views_rules.tournament_rules, name="tournament_rules"),
    path("rules/<slug:tournament>/<slug:event>/", views_rules.event_rules, name="event_rules"),
    path("table/<int:table>/", views.table_page, name="table"),
    path("table/<int:table>/seats/", views_desk.seats, name="seats"),
    path("table/<int:table>/exchange/", views_exchange.exchange, name="exchange"),
    path("seats/<int:reseating>/undo/", views_desk.seats_undo, name="seats_undo"),
    path("board/<slug:tournament>/", views_desk.board, name="board"),
    path("board/<slug:tournament>/tables/", views_desk.board_tables, name="board_tables"),
    path("board/<slug:tournament>/calls/", views_calls.calls, name="calls"),
    path("review/<slug:tournament>/", views_desk.review, name="review"),
    path("deal/<int:deal>/", views_desk.deal, name="deal"),
    path("dispute/<int:dispute>/", views_desk.dispute, name="dispute"),
    path("call/<int:call>/", views_calls.call, name="call"),
    path("call/<int:call>/take/", views_calls.call_take, name="call_take"),
    path(TABLE, api.StateView.as_view(), name="api_table"),
    path(f"{TABLE}score/", api.ScoreView.as_view(), name="api_score"),
    path(f"{TABLE}call/", api_desk.CallView.as_view(), name="api_call"),
    path(f"{TABLE}call/withdraw/", api_desk.WithdrawCallView.as_view(), name="api_withdraw_call"),
    path(f"{TABLE}stop/", api.StopView.as_view(), name="api_stop"),
    path(f"{TABLE}resume/", api.ResumeView.as_view(), name="api_resume"),
    path(f"{TABLE}segment/", api.SegmentView.as_view(), name="api_segment"),
    path(f"{TABLE}penalties/", api.PenaltyView.as_view(), name="api_penalty"),
    path(
        f"{TABLE}penalties/<int:penalty>/cancel/",
        api.CancelPenaltyView.as_view(),
        name="api_cancel_penalty",
    ),
    path(f"{DEAL}record/", api.RecordView.as_view(), name="api_record"),
    path(f"{DEAL}check/", api.CheckView.as_view(), name="api_check"),
    path(f"{DEAL}undo/", api.UndoView.as_view(), name="api_undo"),
    path(f"{DEAL}void/", api.VoidView.as_view(), name="api_void"),
    path(f"{DEAL}sign/", api_signoff.SignView.as_view(), name="api_sign"),
    path(f"{DEAL}ruling/", api_rulings.RulingView.as_view(), name="api_ruling"),
    path(f"{DEAL}colour/", api_rulings.ColourView.as_view(), name="api_colour"),
    path(f"{DEAL}tricks/", api_rulings.TrickLogView.as_view(), name="api_tricks"),
    path(f"{DEAL}second/", api_signoff.SecondView.as_view(), name="api_second"),
    path(f"{TABLE}disputes/<int:dispute>/", api_signoff.RuleView.as_view(), name="api_dispute"),
    path(f"{DEAL}correct/", api.CorrectView.as_view(), name="api_correct"),
]
