"""Addresses of rulesets, below /manage/rulesets/."""

from django.urls import path

from tournament.views.manage import rulesets as views

urlpatterns = [
    path("", views.ruleset_list, name="rulesets"),
    path("<slug:key>/", views.ruleset_detail, name="ruleset"),
    path("<slug:key>/edit/", views.ruleset_edit, name="ruleset_edit"),
    path("<slug:key>/<int:number>/", views.ruleset_detail, name="ruleset_version"),
    path("<slug:key>/<int:number>/copy/", views.ruleset_copy, name="ruleset_copy"),
    path("<slug:key>/<int:number>/try/", views.ruleset_try, name="ruleset_try"),
]
