"""All addresses of the site."""

from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

urlpatterns = [
    # Sets a cookie and nothing else, so it needs no token: stored public pages hold the same form for all.
    path("language/", csrf_exempt(set_language), name="set_language"),
    path("accounts/", include("config.accounts")),
    path("manage/", include("tournament.urls.manage")),
    path("referee/", include("referee.urls")),
    path("api/", include("tournament.urls.api")),
    path("", include("tournament.urls.public")),
]

handler500 = "tournament.api.failed.failed"
