"""Addresses of what is taken away and brought in as a whole: the audit trail as files, archives."""

from django.urls import path, re_path

from tournament.views.manage import archives, audit_files

_KIND = "(?P<kind>csv|xlsx|json)"

of_event = [
    re_path(rf"^changes/export\.{_KIND}$", audit_files.of_event, name="audit_export"),
]

of_tournament = [
    re_path(rf"^changes/export\.{_KIND}$", audit_files.of_tournament, name="tournament_audit_export"),
    path("changes/digest/", audit_files.digest, name="audit_digest"),
    path("archive/", archives.archive, name="archive"),
    path("archive/download/", archives.download, name="archive_download"),
    path("archive/copy/", archives.copy, name="tournament_copy"),
]

of_site = [
    path("import/", archives.upload, name="tournament_import"),
]
