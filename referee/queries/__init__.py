"""Reading what happens at tables."""

from referee.queries.compare import ComparedDeal, compared_deals
from referee.queries.deals import (
    check_of,
    checking_seats,
    current_version,
    current_versions,
    deal_state,
    history,
    seats_of,
    version_facts,
)
from referee.queries.play import Column, DealLine, Play, columns_of, play_after, play_of, tables_in_play
from referee.queries.seating import seating_text, seats_at, segment_shown
from referee.queries.state import TableState, table_state
from referee.queries.tables import RoundTables, TableLine, tables_now

__all__ = [
    "Column",
    "ComparedDeal",
    "DealLine",
    "Play",
    "RoundTables",
    "TableLine",
    "TableState",
    "check_of",
    "checking_seats",
    "columns_of",
    "compared_deals",
    "current_version",
    "current_versions",
    "deal_state",
    "history",
    "play_after",
    "play_of",
    "seating_text",
    "seats_at",
    "seats_of",
    "segment_shown",
    "table_state",
    "tables_in_play",
    "tables_now",
    "version_facts",
]
