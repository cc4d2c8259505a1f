"""Logging in and out."""

from django.contrib.auth import views
from django.urls import path, reverse_lazy

from tournament.views.login import LoginView

urlpatterns = [
    path("login/", LoginView.as_view(), name="login"),
    path("logout/", views.LogoutView.as_view(), name="logout"),
    path(
        "password/",
        views.PasswordChangeView.as_view(
            template_name="registration/password_change_form.html", success_url=reverse_lazy("home")
        ),
        name="password_change",
    ),
]
