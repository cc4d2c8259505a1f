"""The organiser's addresses of corrections, rulings on entries, and appeals."""

from django.urls import path

from tournament.views.manage import appeals, corrections

of_event = [
    path("corrections/", corrections.corrections, name="corrections"),
    path("corrections/<int:correction>/", corrections.correction, name="correction"),
    path("corrections/<int:correction>/drop/", corrections.drop, name="correction_drop"),
    path("corrections/<int:correction>/finish/", corrections.finish, name="correction_finish"),
    path("corrections/<int:correction>/undo/", corrections.undo, name="correction_undo"),
    path(
        "rounds/<int:round>/table/<int:table>/deal/<int:deal>/correct/", corrections.deal, name="deal_correct"
    ),
    path("appeals/", appeals.appeals, name="appeals"),
    path("appeals/minutes/", appeals.minutes, name="appeal_minutes"),
    path("appeals/codes/", appeals.codes, name="appeal_codes"),
    path("appeals/<int:appeal>/", appeals.appeal, name="appeal"),
    path("rounds/<int:round>/table/<int:table>/appeal/", appeals.new, name="appeal_new"),
    path("entries/<int:number>/ruling/", corrections.ruling, name="entry_ruling"),
    path("entries/<int:number>/ruling/lift/", corrections.ruling_lift, name="entry_ruling_lift"),
]
