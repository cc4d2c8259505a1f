"""Answers that take their time, so that browser tests which do not wait for what they read are found.

Not part of any run: `SLOW_ANSWERS=400 make test-browser` lets requests and answers wait up to 400 ms
each, by chance.
"""

import os
import random
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

#: The longest wait of one answer, in milliseconds.
LONGEST_MS = int(os.environ.get("SLOW_ANSWERS", "0"))


class SlowAnswers:
    """Middleware that holds each answer back for a while."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        time.sleep(random.uniform(0, LONGEST_MS) / 1000)
        answer = self._get_response(request)
        time.sleep(random.uniform(0, LONGEST_MS) / 1000)
        return answer
