"""Addresses of the open interface, below /api/v1/."""

from django.urls import URLPattern, path, re_path

from tournament.api import (
    archives,
    audit,
    brackets,
    bulk,
    desk,
    events,
    field,
    lineups,
    matches,
    notices,
    penalties,
    people,
    plans,
    public,
    rounds,
    rulesets,
    stages,
    tables,
    workbooks,
)
from tournament.api.views import ApiView, UnknownView
from tournament.urls import api_referee

app_name = "api"

#: Endings of addresses with their views and names.
Routes = list[tuple[str, type[ApiView], str]]

public_event: Routes = [
    ("", public.EventView, "event"),
    ("/rounds", public.RoundsView, "rounds"),
    ("/entries", public.EntriesView, "entries"),
    ("/standings", public.StandingsView, "standings"),
    ("/rounds/<int:round>/pairings", public.PairingsView, "pairings"),
    ("/rounds/<int:round>/results", public.ResultsView, "results"),
    ("/rounds/<int:round>/deals", public.DealsView, "deals"),
    ("/rounds/<int:round>/versions", public.VersionsView, "versions"),
    ("/stages/<int:stage>/bracket", brackets.BracketView, "bracket"),
    ("/statistics", public.StatisticsView, "statistics"),
]

public_urls: Routes = [
    ("", public.TournamentsView, "tournaments"),
    ("/<slug:tournament>", public.TournamentView, "tournament"),
    ("/<slug:tournament>/announcements", public.AnnouncementsView, "announcements"),
    ("/<slug:tournament>/schedule", public.ScheduleView, "schedule"),
    ("/<slug:tournament>/events", public.EventsView, "events"),
]

DEAL = "/deals/<int:deal>"
table_urls: Routes = [
    ("", tables.TableStateView, "table"),
    ("/call", tables.CallView, "table_call"),
    ("/call/withdraw", tables.WithdrawCallView, "table_call_withdraw"),
    ("/segment", tables.SegmentView, "table_segment"),
    ("/stop", tables.StopView, "table_stop"),
    ("/resume", tables.ResumeView, "table_resume"),
    (f"{DEAL}/record", tables.RecordView, "deal_record"),
    (f"{DEAL}/check", tables.CheckView, "deal_check"),
    (f"{DEAL}/sign", tables.SignView, "deal_sign"),
    (f"{DEAL}/second", tables.SecondView, "deal_second"),
    (f"{DEAL}/undo", tables.UndoView, "deal_undo"),
    (f"{DEAL}/void", tables.VoidView, "deal_void"),
    (f"{DEAL}/correct", tables.CorrectView, "deal_correct"),
]

round_urls: Routes = [
    ("", rounds.RoundView, "own_round"),
    ("/close", rounds.CloseRoundView, "round_close"),
    ("/reopen", rounds.ReopenRoundView, "round_reopen"),
    ("/hold-back", rounds.HoldBackView, "round_hold_back"),
    ("/release", rounds.ReleaseView, "round_release"),
    ("/publish", rounds.PublishView, "round_publish"),
    ("/unpublish", rounds.UnpublishView, "round_unpublish"),
    ("/time", notices.RoundTimeView, "round_time"),
    ("/draw", rounds.DrawView, "draw"),
    ("/draw/swap", rounds.SwapView, "draw_swap"),
    ("/draw/publish", rounds.PublishDrawView, "draw_publish"),
    ("/draw/withdraw", rounds.WithdrawDrawView, "draw_withdraw"),
    ("/draw/verify", rounds.VerifyDrawView, "draw_verify"),
]

round_urls += [
    ("/absences", field.AbsencesView, "absences"),
    ("/absences/<int:number>/undo", field.PresentView, "absence_undo"),
    ("/clock", matches.ClockView, "clock"),
    ("/clock/start", matches.StartClockView, "clock_start"),
    ("/clock/move", matches.MoveClockView, "clock_move"),
    ("/clock/late/<int:table>", matches.LateDealView, "clock_late"),
    ("/matches", matches.MatchesView, "matches"),
    ("/matches/<int:match>", matches.MatchView, "match"),
    ("/matches/<int:match>/walkover", matches.WalkoverView, "walkover"),
    ("/matches/<int:match>/walkover/undo", matches.UndoWalkoverView, "walkover_undo"),
    ("/matches/<int:match>/decide", matches.DecideView, "match_decide"),
    ("/matches/<int:match>/undecide", matches.UndecideView, "match_undecide"),
    ("/matches/<int:match>/lineups", lineups.LineupsView, "lineups"),
    ("/matches/<int:match>/substitute", lineups.SubstituteView, "substitute"),
    ("/board", desk.BoardView, "round_board"),
    ("/terms", plans.RoundTermsView, "round_terms"),
    ("/paper", workbooks.PaperView, "paper"),
    ("/paper/preview", workbooks.PreviewPaperView, "paper_preview"),
    ("/paper/sheets.xlsx", workbooks.ScoreSheetsView, "paper_sheets"),
    ("/paper/cards.xlsx", workbooks.TableCardsView, "paper_cards"),
]

stage_urls: Routes = [
    ("", stages.StageView, "stage"),
    ("/advance", stages.AdvanceView, "advance"),
    ("/advance/withdraw", stages.WithdrawAdvanceView, "advance_withdraw"),
    ("/draw", stages.DrawPlanView, "draw_plan"),
    ("/terms", plans.StageTermsView, "stage_terms"),
    ("/bracket", brackets.OwnBracketView, "own_bracket"),
    ("/newcomers", plans.NewcomersView, "newcomers"),
    ("/overtaken", plans.OvertakenView, "overtaken"),
    ("/overtaken/keep", plans.KeepBracketView, "overtaken_keep"),
    ("/overtaken/withdraw", plans.WithdrawOvertakenView, "overtaken_withdraw"),
]

own_event: Routes = [
    ("", events.OwnEventView, "own_event"),
    ("/finish", events.FinishEventView, "event_finish"),
    ("/publicity", events.PublicityView, "event_publicity"),
    ("/results.xlsx", events.WorkbookView, "workbook"),
    ("/entries.xlsx", events.TemplateView, "entries_template"),
    ("/entries", events.OwnEntriesView, "own_entries"),
    ("/entries/import", events.ImportEntriesView, "entries_import"),
    ("/entries/import/preview", events.ImportPreviewView, "entries_preview"),
    ("/entries/<int:number>", events.EntryView, "entry"),
    ("/entries/<int:number>/withdraw", events.WithdrawEntryView, "entry_withdraw"),
    ("/entries/<int:number>/return", events.ReturnEntryView, "entry_return"),
    ("/apart", field.ApartGroupsView, "apart_groups"),
    ("/apart/<int:group>", field.ApartGroupView, "apart_group"),
    ("/tie-breaks", field.TieBreaksView, "tie_breaks"),
    ("/lots", field.LotsView, "lots"),
    ("/penalties", penalties.PenaltiesView, "penalties"),
    ("/penalties/<int:penalty>/cancel", penalties.CancelPenaltyView, "penalty_cancel"),
    ("/stages", stages.StagesView, "stages"),
    ("/rounds", rounds.OwnRoundsView, "own_rounds"),
    ("/apart-rounds", field.ApartRoundsView, "apart_rounds"),
    ("/penalties.xlsx", workbooks.PenaltyTemplateView, "penalties_template"),
    ("/penalties/import", workbooks.ImportPenaltiesView, "penalties_import"),
    ("/penalties/import/preview", workbooks.PreviewPenaltiesView, "penalties_preview"),
    ("/referees", people.RefereesView, "referees"),
    ("/next-step", desk.NextStepView, "next_step"),
    ("/standings", desk.OwnStandingsView, "own_standings"),
    ("/bulk", bulk.ChangesOfManyView, "bulk"),
    ("/bulk/withdraw", bulk.WithdrawManyView, "bulk_withdraw"),
    ("/bulk/withdraw/preview", bulk.PreviewWithdrawManyView, "bulk_withdraw_preview"),
    ("/bulk/clear", bulk.ClearView, "bulk_clear"),
    ("/bulk/clear/preview", bulk.PreviewClearView, "bulk_clear_preview"),
    ("/bulk/<int:change>/undo", bulk.UndoManyView, "bulk_undo"),
]

organise_urls: Routes = [
    ("", events.OwnTournamentView, "own_tournament"),
    ("/archive", archives.ArchiveView, "archive"),
    ("/copy", archives.CopyTournamentView, "tournament_copy"),
    ("/changes", audit.ChangesView, "changes"),
    ("/changes.csv", audit.ChangesCsvView, "changes_csv"),
    ("/changes.xlsx", audit.ChangesWorkbookView, "changes_xlsx"),
    ("/changes/digest", audit.DigestView, "changes_digest"),
    ("/people", people.PeopleView, "people"),
    ("/people/accounts", people.AccountView, "account"),
    ("/people/<int:person>", people.PersonView, "person"),
    ("/people/<int:person>/password", people.PasswordView, "password"),
    ("/tokens", people.TokensView, "tokens"),
    ("/tokens/<int:token>/revoke", people.RevokeTokenView, "token_revoke"),
    ("/workbooks", workbooks.OrdersView, "workbook_orders"),
    ("/workbooks/<int:order>", workbooks.OrderView, "workbook_order"),
    ("/workbooks/<int:order>/results.xlsx", workbooks.OrderedWorkbookView, "ordered_workbook"),
    ("/announcements", notices.OwnAnnouncementsView, "own_announcements"),
    ("/announcements/<int:announcement>", notices.AnnouncementView, "announcement"),
    ("/announcements/<int:announcement>/restore", notices.RestoreView, "announcement_restore"),
    ("/schedule", notices.OwnScheduleView, "own_schedule"),
    ("/schedule/<int:item>", notices.ScheduleItemView, "schedule_item"),
    ("/events", events.OwnEventsView, "own_events"),
]

VERSION = "/<slug:ruleset>/versions/<int:version>"
ruleset_urls: Routes = [
    ("", rulesets.RulesetsView, "rulesets"),
    ("/<slug:ruleset>", rulesets.RulesetView, "ruleset"),
    ("/<slug:ruleset>/versions", rulesets.RulesetVersionsView, "ruleset_versions"),
    (VERSION, rulesets.RulesetVersionView, "ruleset_version"),
    (f"{VERSION}/copy", rulesets.CopyRulesetView, "ruleset_copy"),
    (f"{VERSION}/try", rulesets.TryRulesetView, "ruleset_try"),
]

#: Addresses that belong to no tournament.
site_urls: Routes = [
    ("tournaments", archives.NewTournamentView, "tournament_create"),
    ("archives", archives.ImportTournamentView, "tournament_import"),
]


def _below(base: str, routes: Routes) -> list[URLPattern]:
    return [path(base + ending, view.as_view(), name=name) for ending, view, name in routes]


PUBLIC = "public/tournaments"
TOURNAMENT = "tournaments/<slug:tournament>"
EVENT = f"{TOURNAMENT}/events/<slug:event>"
ROUND = f"{EVENT}/rounds/<int:round>"

urlpatterns = [
    *_below(PUBLIC, public_urls),
    *_below(f"{PUBLIC}/<slug:tournament>/events/<slug:event>", public_event),
    *_below(TOURNAMENT, organise_urls),
    *_below(EVENT, own_event),
    *_below(f"{EVENT}/stages/<int:stage>", stage_urls),
    *_below(ROUND, round_urls),
    *_below(f"{ROUND}/tables/<int:table>", table_urls),
    *_below(f"{PUBLIC}/<slug:tournament>/events/<slug:event>", api_referee.of_public_event),
    *_below(TOURNAMENT, api_referee.of_tournament),
    *_below(EVENT, api_referee.of_event),
    *_below(ROUND, api_referee.of_round),
    *_below(f"{ROUND}/tables/<int:table>", api_referee.of_table),
    *_below("rulesets", ruleset_urls),
    *_below("", site_urls),
    re_path("^", UnknownView.as_view(), name="unknown"),
]
