"""Forms of an event's table rules: the penalty catalogue and the sign-off."""

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from referee.catalogue import Article
from referee.queries.signoffs import ALL, ONE, SECOND
from tournament.forms.base import CommandForm
from tournament.points import read_points

#: Empty rows offered below the articles.
SPARE_ROWS = 3


class SignoffForm(CommandForm):
    """How a deal of the event becomes checked."""

    policy = forms.ChoiceField(
        label=_("Sign-off of a deal"),
        widget=forms.RadioSelect,
        choices=[
            (ONE, _("One second person checks: previous, next or partner seat, or a referee")),
            (ALL, _("All seats agree")),
            (SECOND, _("A second, blind entry agrees card by card")),
        ],
    )


class CatalogueForm(CommandForm):
    """A row of fields for each article; a row left empty is no article."""

    def __init__(self, *args: Any, articles: Sequence[Article] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.articles = tuple(articles)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """What stands in the rows: as sent, else the articles as they are, and some empty ones."""
        if self.is_bound:
            return [*self._sent(), *({} for _row in range(SPARE_ROWS))]
        known = [
            {
                "article": one.article,
                "name": one.name,
                "points": one.points,
                "warning_first": one.warning_first,
            }
            for one in self.articles
        ]
        return [*known, *({} for _row in range(SPARE_ROWS))]

    def _sent(self) -> Iterator[dict[str, Any]]:
        columns = [self.data.getlist(name) for name in ("article", "name", "points", "warning_first")]
        for article, name, points, warning in zip(*columns, strict=False):
            if article.strip() or name.strip():
                yield {
                    "article": article,
                    "name": name,
                    "points": points,
                    "warning_first": warning == "yes",
                }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        found = []
        for number, row in enumerate(self._sent(), start=1):
            try:
                points = read_points(row["points"].strip() or "0")
            except ValueError:
                message = _("Row %(row)s: “%(points)s” is not a number of points.")
                self.add_error(None, message % {"row": number, "points": row["points"][:20]})
                continue
            found.append(Article(row["article"], row["name"], points, row["warning_first"]))
        cleaned["articles"] = found
        return cleaned
