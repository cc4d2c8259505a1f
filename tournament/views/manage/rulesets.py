"""Pages about rulesets: who has an account reads and tries them, organisers copy, owners edit."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.engine import Ruleset
from scoring.engine.cards import FOUR_SEATS
from scoring.labels import GROUP_TITLES, ruleset_title
from scoring.models import RulesetBook, RulesetVersion
from tournament.forms.deal_trial import TrialForm, outcomes
from tournament.forms.rulesets import CopyForm, RulesetForm, copy_title
from tournament.queries.rulesets import (
    RuleRow,
    can_copy_rulesets,
    can_edit_ruleset,
    rule_groups,
    ruleset_rows,
)
from tournament.services import rulesets as services
from tournament.services.errors import Refused, Stale
from tournament.views.access import actor_of, founder_required, login_needed
from tournament.views.manage.common import home_crumbs


@login_needed
@require_safe
def ruleset_list(request: HttpRequest) -> HttpResponse:
    """All rulesets, with the events that use them."""
    context = {"rows": ruleset_rows(), "crumbs": _crumbs()}
    return render(request, "scoring/ruleset_list.html", context)


@login_needed
@require_safe
def ruleset_detail(request: HttpRequest, key: str, number: int | None = None) -> HttpResponse:
    """One version, every rule in words, compared with the base rules, its origin or the version before."""
    version = _version(key, number)
    others = _comparable(version)
    against = request.GET.get("against", "base")
    if against not in others:
        against = "base"
    base = others[against][1]
    groups = [
        (GROUP_TITLES[group], rows, sum(row.differs for row in rows))
        for group, rows in rule_groups(version.ruleset(), base)
        if group != "identity"
    ]
    context = {
        "version": version,
        "ruleset": version.ruleset(),
        "versions": version.book.versions.order_by("-number").select_related("created_by"),
        "events": version.events.select_related("tournament"),
        "groups": groups,
        "differences": sum(count for _title, _rows, count in groups),
        "others": [(name, label) for name, (label, _ruleset) in others.items()],
        "against": against,
        "may_copy": can_copy_rulesets(request.user),
        "may_edit": can_edit_ruleset(request.user, version.book),
        "crumbs": _crumbs(version),
    }
    return render(request, "scoring/ruleset_detail.html", context)


@founder_required
def ruleset_copy(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Makes an own ruleset of a version."""
    version = _version(key, number)
    form = CopyForm(request.POST or None, initial={"title": copy_title(version.data)})
    if request.method == "POST" and form.is_valid():
        try:
            book = services.copy_ruleset(
                actor=actor_of(request),
                version=version,
                key=form.cleaned_data["key"],
                title=form.cleaned_data["title"],
            )
        except Refused as refused:
            form.add_refusal(refused)
        else:
            messages.success(request, _("The ruleset is yours now. Change what you like."))
            return redirect("manage:ruleset_edit", key=book.key)
    context = {"form": form, "version": version, "crumbs": _crumbs(version, _("Copy"))}
    return render(request, "scoring/ruleset_copy.html", context)


@login_needed
def ruleset_edit(request: HttpRequest, key: str) -> HttpResponse:
    """Adds a version to an own ruleset."""
    version = _version(key)
    if not can_edit_ruleset(request.user, version.book):
        raise PermissionDenied
    form = RulesetForm(request.POST or None, ruleset=version.ruleset(), based_on=version.number)
    conflicts: list[RuleRow] = []
    if request.method == "POST" and form.is_valid():
        try:
            stored = services.edit_ruleset(
                actor=actor_of(request),
                book=version.book,
                data=form.data_for_service(),
                based_on=form.cleaned_data["based_on"],
                note=form.cleaned_data["note"],
            )
        except Stale as stale:
            form.add_refusal(stale)
            # From here on the form builds on the newest version: saving again is a decision, not an accident.
            form.data = form.data.copy()
            form.data["based_on"] = str(stale.params["number"])
            conflicts = _differing(stale.offered, stale.current)
        except Refused as refused:
            form.add_refusal(refused)
        else:
            messages.success(request, _saved(form.cleaned_data["based_on"], stored))
            return redirect("manage:ruleset", key=key)
    context = {
        "form": form,
        "version": version,
        "conflicts": conflicts,
        "events": version.events.select_related("tournament"),
        "crumbs": _crumbs(version, _("Edit")),
    }
    return render(request, "scoring/ruleset_edit.html", context)


@login_needed
@require_safe
def ruleset_try(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Scores a deal laid out on the page, with formulas; stores nothing, so its address can be passed on."""
    version = _version(key, number)
    ruleset = version.ruleset()
    asked = "mode" in request.GET
    form = TrialForm(request.GET if asked else None, ruleset=ruleset, table=FOUR_SEATS)
    score = form.score() if asked and form.is_valid() else None
    context = {
        "form": form,
        "version": version,
        "ruleset": ruleset,
        "score": score,
        "outcomes": outcomes(score) if score else [],
        "crumbs": _crumbs(version, _("Try it")),
    }
    return render(request, "scoring/ruleset_try.html", context)


def _version(key: str, number: int | None = None) -> RulesetVersion:
    """A version of a ruleset, the newest without a number. Raises Http404."""
    book = get_object_or_404(RulesetBook, key=key)
    versions = book.versions.select_related("book__copied_from__book", "book__created_by", "created_by")
    if number is None:
        newest = versions.order_by("-number")[:1]
        return get_object_or_404(newest)
    return get_object_or_404(versions, number=number)


def _comparable(version: RulesetVersion) -> dict[str, tuple[str, Ruleset]]:
    """What a version can be compared with: name in the address → words, ruleset."""
    found = {"base": (_("Base rules"), Ruleset())}
    origin = version.book.copied_from
    if origin is not None:
        found["origin"] = (_title(origin), origin.ruleset())
    before = version.book.versions.filter(number__lt=version.number).order_by("-number").first()
    if before is not None:
        found["before"] = (_("Version %(number)s") % {"number": before.number}, before.ruleset())
    return found


def _differing(offered: Mapping[str, Any], current: Mapping[str, Any]) -> list[RuleRow]:
    """The rules in which what was typed differs from what somebody else stored meanwhile."""
    groups = rule_groups(Ruleset.from_dict(offered), Ruleset.from_dict(current))
    return [row for _group, rows in groups for row in rows if row.differs]


def _saved(based_on: int, stored: RulesetVersion) -> str:
    if stored.number == based_on:
        return _("Nothing was changed, so version %(number)s stays.") % {"number": stored.number}
    return _("Saved as version %(number)s. Events keep the version they name until you change it there.") % {
        "number": stored.number
    }


def _title(version: RulesetVersion) -> str:
    return _("%(title)s, version %(number)s") % {
        "title": ruleset_title(version.data),
        "number": version.number,
    }


def _crumbs(version: RulesetVersion | None = None, last: str = "") -> list[tuple[Any, str]]:
    crumbs = [*home_crumbs(), (_("Rulesets"), reverse("manage:rulesets"))]
    if version is not None:
        address = reverse("manage:ruleset_version", args=[version.book.key, version.number])
        crumbs.append((ruleset_title(version.data), address))
    if last:
        crumbs.append((last, ""))
    label, _address = crumbs[-1]
    return [*crumbs[:-1], (label, "")]
