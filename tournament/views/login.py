"""Logging in: Django's own page, shut for a while to an address that guesses."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import views
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from referee.services.attempts import WINDOW, count_wrong_password, logins_shut
from tournament.demo.cast import PASSWORD
from tournament.templatetags.site import staff_links
from tournament.views.access import address_of


class LoginView(views.LoginView):
    """The page to log in. 429 once too many passwords from the sender's address were wrong."""

    template_name = "registration/login.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not logins_shut(address_of(request)):
            return super().post(request, *args, **kwargs)
        minutes = int(WINDOW.total_seconds() // 60)
        text = _("Too many attempts. Wait %(minutes)s minutes, or ask the desk.") % {"minutes": minutes}
        messages.error(request, text)
        form = self.get_form_class()(request)  # empty: what was sent is not even looked at
        return self.render_to_response(self.get_context_data(form=form), status=429)

    def get_success_url(self) -> str:
        """The page that was asked for; from the site's first page on, the one the user's role works at."""
        asked = self.get_redirect_url()
        if asked and asked != reverse("home"):
            return str(asked)
        first = staff_links(self.request.user, "")[:1]
        return first[0]["url"] if first else reverse("home")

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        if form.cleaned_data["password"] == PASSWORD:
            # The demo's organiser is a good account to hold an event with, but for this.
            messages.warning(
                self.request,
                _("Everybody knows this password. Before a real event change it: “Password” at the top."),
            )
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        if form.has_error("__all__", "invalid_login"):
            count_wrong_password(address_of(self.request))
        return super().form_invalid(form)
