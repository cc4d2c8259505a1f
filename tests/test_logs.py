"""What a site in use writes to its log."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = """
import django
from django.conf import settings
# Nobody has collected the files that a page of refusal names.
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
django.setup()
from django.test import Client
assert Client(headers={"host": "evil.example"}).get("/").status_code == 400
from django.core.exceptions import PermissionDenied
from django.test import RequestFactory
from django.http import HttpResponse
from django.utils.log import log_response
request = RequestFactory().get("/manage/secret/")
for title, status, fault in (
    ("Forbidden", 403, PermissionDenied()),
    ("Error", 500, ZeroDivisionError("a true fault")),
):
    answer = HttpResponse(status=status)
    log_response(title + ": %s", request.path, response=answer, request=request, exception=fault)
from config.celery import app
assert settings.CELERY_TASK_ALWAYS_EAGER and app.conf.task_always_eager


@app.task(name="nothing")
def nothing():
    pass


nothing.delay()
"""


def test_refusals_are_lines_faults_have_their_traceback_and_tasks_in_process_are_silent(tmp_path):
    environment = {
        **{name: value for name, value in os.environ.items() if name != "CELERY_BROKER_URL"},
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "HUAPAI_DATA": str(tmp_path),
        "HUAPAI_SECRETS": str(tmp_path),
        "DATABASE_URL": "sqlite://:memory:",
        "LOG_LEVEL": "INFO",
        "SITE_HTTPS": "0",
    }
    (tmp_path / "static").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    host, forbidden, *fault = done.stderr.splitlines()
    assert "evil.example" in host
    assert "/manage/secret/" in forbidden
    assert fault[0].endswith("Error: /manage/secret/")
    assert fault[-1] == "ZeroDivisionError: a true fault"
