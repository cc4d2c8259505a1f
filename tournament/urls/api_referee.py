"""Addresses of the open interface for what referees, the desk and those who appeal do: endings of addresses
with their views and names, below those of a tournament, event, round or table (tournament.urls.api_v1).
"""

from tournament.api import appeals, calls, corrections, proposals, table_rules, table_rulings
from tournament.api.views import ApiView

Routes = list[tuple[str, type[ApiView], str]]

of_public_event: Routes = [
    ("/appeals", appeals.OwnAppealView, "own_appeal"),
    ("/appeals/follow", appeals.FollowAppealsView, "own_appeals"),
]

of_tournament: Routes = [
    ("/board", calls.LiveBoardView, "live_board"),
    ("/review", calls.ReviewView, "review"),
    ("/calls", calls.CallsView, "calls"),
    ("/calls/<int:call>", calls.TableCallView, "call"),
    ("/calls/<int:call>/take", calls.TakeCallView, "call_take"),
    ("/calls/<int:call>/close", calls.CloseCallView, "call_close"),
    ("/penalty-articles", table_rules.CatalogueView, "catalogue"),
]

of_event: Routes = [
    ("/corrections", corrections.CorrectionsView, "corrections"),
    ("/corrections/<int:correction>", corrections.CorrectionView, "correction"),
    ("/corrections/<int:correction>/apply", corrections.ApplyCorrectionView, "correction_apply"),
    ("/corrections/<int:correction>/drop", corrections.DropCorrectionView, "correction_drop"),
    ("/corrections/<int:correction>/finish", corrections.FinishCorrectionView, "correction_finish"),
    ("/corrections/<int:correction>/undo", corrections.UndoCorrectionView, "correction_undo"),
    ("/entries/<int:number>/rulings", proposals.EntryRulingsView, "entry_rulings"),
    ("/entries/<int:number>/rulings/lift", proposals.LiftEntryRulingView, "entry_ruling_lift"),
    ("/appeals", appeals.AppealsView, "appeals"),
    ("/appeals/<int:appeal>", appeals.AppealView, "appeal"),
    ("/appeals/<int:appeal>/steps", appeals.AppealStepView, "appeal_step"),
    ("/appeals/<int:appeal>/effect", appeals.AppealEffectView, "appeal_effect"),
    ("/appeal-time", appeals.AppealTimeView, "appeal_time"),
    ("/entry-codes", appeals.EntryCodesView, "entry_codes"),
    ("/disputes", calls.DisputesView, "disputes"),
    ("/disputes/<int:dispute>/rule", calls.RuleDisputeView, "dispute_rule"),
    ("/penalty-articles", table_rules.EventCatalogueView, "event_catalogue"),
    ("/signoff", table_rules.SignoffView, "signoff"),
    ("/cards", table_rules.CardsView, "cards"),
    ("/cards/<int:table>/renew", table_rules.RenewCardView, "card_renew"),
    ("/tablets", table_rules.TabletsView, "tablets"),
    ("/tablets/<int:tablet>/revoke", table_rules.RevokeTabletView, "tablet_revoke"),
]

of_round: Routes = [
    ("/corrections/deal", proposals.CorrectDealView, "correct_deal"),
    ("/corrections/void", proposals.CorrectVoidView, "correct_void"),
    ("/corrections/penalty", proposals.CorrectPenaltyView, "correct_penalty"),
    ("/corrections/penalty-cancel", proposals.CorrectPenaltyCancelView, "correct_penalty_cancel"),
    ("/corrections/walkover", proposals.CorrectWalkoverView, "correct_walkover"),
    ("/corrections/walkover-undo", proposals.CorrectWalkoverUndoView, "correct_walkover_undo"),
    ("/corrections/winner", proposals.CorrectWinnerView, "correct_winner"),
    ("/corrections/winner-undo", proposals.CorrectWinnerUndoView, "correct_winner_undo"),
    ("/corrections/seats", proposals.CorrectSeatsView, "correct_seats"),
    ("/corrections/tables", proposals.CorrectTablesView, "correct_tables"),
    ("/corrections/substitute", proposals.CorrectSubstituteView, "correct_substitute"),
    ("/exchange", table_rulings.ExchangeView, "exchange"),
    ("/exchange/preview", table_rulings.LookAtExchangeView, "exchange_preview"),
]

DEAL = "/deals/<int:deal>"
of_table: Routes = [
    ("/score", table_rulings.LiveScoreView, "table_score"),
    ("/rulings", table_rulings.TableRulingsView, "table_rulings"),
    ("/penalties", table_rulings.SeatPenaltyView, "table_penalty"),
    ("/seats", table_rulings.ReseatingsView, "reseatings"),
    ("/seats/<int:reseating>/undo", table_rulings.UndoReseatingView, "reseating_undo"),
    (f"{DEAL}/versions", table_rulings.DealVersionsView, "deal_versions"),
    (f"{DEAL}/ruling", table_rulings.TableRulingView, "deal_ruling"),
    (f"{DEAL}/colour", table_rulings.ColourView, "deal_colour"),
    (f"{DEAL}/tricks", table_rulings.TrickLogView, "deal_tricks"),
]
