"""The Celery application.

Without CELERY_BROKER_URL every task runs in the calling process (see settings), so the site works
with no broker at all.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("huapai")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
