"""The organiser's addresses of what the public sees and is told."""

from django.urls import path

from tournament.views.manage import notices, publicity, schedule

of_event = [
    path("publicity/", publicity.publicity, name="publicity"),
    path("publicity/hold-back/", publicity.hold_back, name="round_hold_back"),
    path("publicity/release/<int:round>/", publicity.release, name="round_release"),
]

of_tournament = [
    path("announcements/", notices.announcements, name="announcements"),
    path("announcements/<int:announcement>/", notices.edit, name="announcement"),
    path("announcements/<int:announcement>/withdraw/", notices.withdraw, name="announcement_withdraw"),
    path("announcements/<int:announcement>/restore/", notices.restore, name="announcement_restore"),
    path("schedule/", schedule.schedule, name="schedule"),
    path("schedule/round/", schedule.round_time, name="schedule_round"),
    path("schedule/<int:item>/remove/", schedule.remove, name="schedule_remove"),
]
