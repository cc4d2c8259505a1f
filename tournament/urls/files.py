"""Addresses of workbooks: score sheets and cards to be printed, and lists that come back filled in."""

from django.urls import path

from tournament.views.manage import paper, penalty_lists, workbooks

of_round = [
    path("paper/", paper.upload, name="paper"),
    path("paper/confirm/", paper.confirm, name="paper_confirm"),
    path("paper/sheets.xlsx", paper.blank, name="paper_sheets"),
    path("paper/cards.xlsx", paper.cards, name="paper_cards"),
]

of_event = [
    path("results/order/", workbooks.order_event, name="workbook_order"),
    path("penalties/import/", penalty_lists.upload, name="penalties_import"),
    path("penalties/import/confirm/", penalty_lists.confirm, name="penalties_confirm"),
    path("penalties/template.xlsx", penalty_lists.template, name="penalties_template"),
]

of_tournament = [
    path("workbooks/", workbooks.workbooks, name="workbooks"),
    path("workbooks/<int:workbook>/results.xlsx", workbooks.download, name="workbook_download"),
]
