"""Django application configuration."""

from django.apps import AppConfig


class RefereeConfig(AppConfig):
    name = "referee"
