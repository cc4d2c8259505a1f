"""Everything the pages do, the open interface does: each page that changes something, with its operation.

A page changes something where its code reaches a service that acts for somebody (one that takes ``actor``),
or where it takes a form. The operation stated for it must reach the same services, so that a row of the table
cannot merely claim it.
"""

import dis
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

#: Modules whose functions are followed from a view, and those whose functions act.
VIEWS = ("tournament.views", "tournament.api", "referee.views", "referee.api", "referee.tablets")
SERVICES = ("tournament.services", "referee.services", "tournament.tasks")
#: Services that are part of how a request is carried out, whatever it asks.
FRAME = frozenset(("run_once",))

#: Name of a page → names of the addresses of the open interface whose operations do the same.
OPERATIONS: dict[str, tuple[str, ...]] = {
    # A tournament and its people
    "manage:tournament_create": ("tournament_create",),
    "manage:tournament_edit": ("own_tournament",),
    "manage:tournament_copy": ("tournament_copy",),
    "manage:tournament_import": ("tournament_import",),
    "manage:archive_download": ("archive",),
    "manage:account": ("account",),
    "manage:password": ("password",),
    "manage:role": ("people",),
    "manage:role_take": ("person",),
    "manage:tables": ("referees",),
    "manage:token_revoke": ("token_revoke",),
    "manage:ruleset_copy": ("ruleset_copy",),
    "manage:ruleset_edit": ("ruleset_versions",),
    "manage:announcements": ("own_announcements",),
    "manage:announcement": ("announcement",),
    "manage:announcement_withdraw": ("announcement",),
    "manage:announcement_restore": ("announcement_restore",),
    "manage:schedule": ("own_schedule",),
    "manage:schedule_remove": ("schedule_item",),
    "manage:schedule_round": ("round_time",),
    "manage:workbooks": ("workbook_orders",),
    # An event and its entries
    "manage:event_create": ("own_events",),
    "manage:event_edit": ("own_event",),
    "manage:event_finish": ("event_finish",),
    "manage:publicity": ("event_publicity",),
    "manage:workbook_order": ("workbook_orders",),
    "manage:entry_add": ("own_entries",),
    "manage:entry": ("entry",),
    "manage:entry_delete": ("entry",),
    "manage:entry_withdraw": ("entry_withdraw",),
    "manage:entry_return": ("entry_return",),
    "manage:entries_confirm": ("entries_import",),
    "manage:bulk_withdraw": ("bulk_withdraw",),
    "manage:bulk_clear": ("bulk_clear",),
    "manage:bulk_undo": ("bulk_undo",),
    "manage:apart_rounds": ("apart_rounds",),
    "manage:apart_add": ("apart_groups",),
    "manage:apart_remove": ("apart_group",),
    "manage:absent_mark": ("absences",),
    "manage:absent_remove": ("absence_undo",),
    "manage:tie_breaks": ("tie_breaks",),
    "manage:lots": ("lots",),
    # Stages, draws and rounds
    "manage:stage_add": ("stages",),
    "manage:stage": ("stage",),
    "manage:stage_remove": ("stage",),
    "manage:stage_terms": ("stage_terms",),
    "manage:advance": ("advance",),
    "manage:advance_withdraw": ("advance_withdraw",),
    "manage:draw_all": ("draw_plan",),
    "manage:newcomers": ("newcomers",),
    "manage:bracket_keep": ("overtaken_keep",),
    "manage:bracket_withdraw": ("overtaken_withdraw",),
    "manage:match_decide": ("match_decide", "correct_winner"),
    "manage:match_undecide": ("match_undecide", "correct_winner_undo"),
    "manage:draw_make": ("draw",),
    "manage:draw_swap": ("draw_swap",),
    "manage:draw_publish": ("draw_publish",),
    "manage:draw_withdraw": ("draw_withdraw",),
    "manage:round_close": ("round_close",),
    "manage:round_end": ("round_close", "round_publish"),
    "manage:round_reopen": ("round_reopen",),
    "manage:round_terms": ("round_terms",),
    "manage:round_hold_back": ("round_hold_back",),
    "manage:round_release": ("round_release",),
    "manage:publish": ("round_publish",),
    "manage:unpublish": ("round_unpublish",),
    "manage:clock_start": ("clock_start",),
    "manage:clock_move": ("clock_move",),
    "manage:clock_late": ("clock_late",),
    "manage:match_lineup": ("lineups",),
    "manage:match_substitute": ("substitute", "correct_substitute"),
    "manage:match_walkover": ("walkover", "correct_walkover"),
    "manage:match_walkover_undo": ("walkover_undo", "correct_walkover_undo"),
    "manage:paper_confirm": ("paper",),
    # Penalties, corrections, rulings, appeals
    "manage:penalties": ("penalties", "correct_penalty"),
    "manage:penalty_cancel": ("penalty_cancel", "correct_penalty_cancel"),
    "manage:penalties_import": ("penalties_preview",),
    "manage:penalties_confirm": ("penalties_import", "penalties_preview"),
    "manage:deal_correct": ("correct_deal",),
    "manage:correction": ("correction", "correction_apply"),
    "manage:correction_drop": ("correction_drop",),
    "manage:correction_finish": ("correction_finish",),
    "manage:correction_undo": ("correction_undo",),
    "manage:entry_ruling": ("entry_rulings",),
    "manage:entry_ruling_lift": ("entry_ruling_lift",),
    "manage:appeal": ("appeal_step",),
    "manage:appeal_new": ("appeals",),
    "manage:appeal_minutes": ("appeal_time",),
    "manage:appeal_codes": ("entry_codes",),
    "appeal": ("own_appeal",),
    "appeals": ("own_appeals",),
    # The desk and the tables
    "referee:cards": ("cards",),
    "referee:tablets": ("card_renew", "tablet_revoke"),
    "referee:tournament_rules": ("catalogue", "signoff"),
    "referee:event_rules": ("event_catalogue", "signoff"),
    "referee:seats": ("reseatings", "correct_seats"),
    "referee:seats_undo": ("reseating_undo", "correct_seats"),
    "referee:exchange": ("exchange", "correct_tables"),
    "referee:dispute": ("dispute_rule",),
    "referee:call": ("call_close",),
    "referee:call_take": ("call_take",),
    "referee:api_call": ("table_call",),
    "referee:api_withdraw_call": ("table_call_withdraw",),
    "referee:api_segment": ("table_segment",),
    "referee:api_stop": ("table_stop",),
    "referee:api_resume": ("table_resume",),
    "referee:api_penalty": ("table_penalty",),
    "referee:api_cancel_penalty": ("penalty_cancel", "correct_penalty_cancel"),
    "referee:api_score": ("table_score",),
    "referee:api_record": ("deal_record",),
    "referee:api_check": ("deal_check",),
    "referee:api_sign": ("deal_sign",),
    "referee:api_second": ("deal_second",),
    "referee:api_undo": ("deal_undo",),
    "referee:api_void": ("deal_void",),
    "referee:api_correct": ("deal_correct",),
    "referee:api_ruling": ("deal_ruling",),
    "referee:api_colour": ("deal_colour",),
    "referee:api_tricks": ("deal_tricks",),
    "referee:api_dispute": ("dispute_rule",),
}

_SESSION = "A program has no session: its token says who it is."
_TABLET = "It binds a browser to a table by a cookie: a program has a token to record at its table."
#: Name of a page → why no operation does the same.
NONE: dict[str, str] = {
    "login": _SESSION,
    "logout": _SESSION,
    "password_change": "It needs the old password of the person, whom a token only stands for.",
    "set_language": "It is kept in a cookie: a program says Accept-Language.",
    "referee:join": _TABLET,
    "referee:join_code": _TABLET,
    "manage:tokens": "A token that made others would outlive being revoked.",
}


def _addresses(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every named address with its view."""
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from _addresses(one, f"{prefix}{one.namespace}:" if one.namespace else prefix)
        elif isinstance(one, URLPattern) and one.name:
            view = one.callback
            yield (
                f"{prefix}{one.name}",
                getattr(view, "view_class", getattr(view, "cls", inspect.unwrap(view))),
            )


VIEW_OF = dict(_addresses(get_resolver()))
PAGES = [name for name in VIEW_OF if not name.startswith(("api:", "admin:"))]


def _acts(start: object) -> set[str]:
    """Names of the services acting for somebody that a view reaches."""
    found: set[str] = set()
    seen: set[object] = set()
    waiting = [start]
    while waiting:
        thing = inspect.unwrap(waiting.pop())
        if thing in seen:
            continue
        seen.add(thing)
        module = getattr(thing, "__module__", None) or ""
        if inspect.isclass(thing) and module.startswith(VIEWS):
            waiting += [one for base in thing.__mro__ for one in vars(base).values() if callable(one)]
        elif isinstance(thing, FunctionType) and module.startswith(SERVICES):
            if "actor" in inspect.signature(thing).parameters:
                found.add(thing.__name__)
        elif isinstance(thing, FunctionType) and module.startswith(VIEWS):
            waiting += _named(thing)
    return found - FRAME


def _named(function: FunctionType) -> Iterator[object]:
    """What the code of a function names of its module, and of other modules."""
    for code in _codes(function.__code__):
        steps = list(dis.get_instructions(code))
        for step, after in zip(steps, [*steps[1:], None], strict=True):
            thing = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
            if isinstance(thing, ModuleType) and after is not None:
                thing = getattr(thing, str(after.argval), None)
            if callable(thing):
                yield thing


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _writes(view: object) -> bool:
    return bool(_acts(view)) or hasattr(view, "post") or "request.POST" in inspect.getsource(view)


#: Services of a page that do at once what can be done at once and propose the rest, or several things in one
#: go; an operation for each.
EITHER = {
    "cancel_penalty_or_propose": {"cancel_penalty", "propose_correction"},
    "end_round": {"close_round", "publish"},
}


def test_every_page_that_changes_something_has_its_operation_or_a_reason():
    writing = {name for name in PAGES if _writes(VIEW_OF[name])}
    assert len(writing) > 100
    stated = {*OPERATIONS, *NONE}
    assert writing - stated == set(), "pages without a row"
    assert stated - writing == set(), "rows without a page that writes"
    assert set(OPERATIONS) & set(NONE) == set()


@pytest.mark.parametrize("page", OPERATIONS)
def test_the_operation_stated_for_a_page_reaches_the_same_services(page):
    operations = [VIEW_OF[f"api:{name}"] for name in OPERATIONS[page]]
    reached = set().union(*(_acts(one) for one in operations))
    reached |= {whole for whole, parts in EITHER.items() if parts <= reached}
    assert _acts(VIEW_OF[page]) <= reached


def test_what_pages_reach_is_found():
    # Else the rows would prove nothing. A live score acts for nobody: nothing is stored.
    assert {page for page in OPERATIONS if not _acts(VIEW_OF[page])} == {"referee:api_score"}
