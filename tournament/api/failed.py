"""What is answered when the program itself fails: a page, or a problem to another program."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.defaults import server_error

from tournament.api.problems import KINDS, PROBLEM, problem_json
from tournament.services.errors import Problem


def failed(request: HttpRequest) -> HttpResponse:
    """500, in the form that the sender reads."""
    if not request.path.startswith("/api/v1/"):
        return server_error(request)
    body = problem_json(500, [Problem("failed", KINDS[500][1])])
    return JsonResponse(body, status=500, content_type=PROBLEM)
