"""Every text that the table page's scripts show, in the reader's language. {name} places are filled by the
scripts.
"""

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.models import DealCheck, TableRuling
from referee.presenting_rules import ruling_words
from scoring.engine.tricks import IRREGULARITY_MESSAGES
from scoring.messages import EXPOSURE_NAMES, KEY_NAMES, fault_words


def page_texts(at: Collection[str]) -> dict[str, Any]:
    """The texts of the page of a table with the seats ``at``."""
    return {
        "words": fault_words(at),
        "keyNames": {card: str(name) for card, name in KEY_NAMES.items()},
        "kinds": {kind: str(name) for kind, name in EXPOSURE_NAMES.items()},
        # Translators: as short as can be, it stands on a button: 明, 首明, 暗卖.
        "kindsShort": {
            "exposed": pgettext("button", "Exp."),
            "first": pgettext("button", "First"),
            "dark": pgettext("button", "Dark"),
        },
        "states": state_names(),
        "actions": {
            "undo": _("Undo this entry"),
            "void": _("Void, deal again"),
            "correct": _("Correct"),
            "ruling": _("Ruling"),
            "log": _("Log of tricks"),
            "enter": _("Enter the replay"),
        },
        "dealtAndExposed": _("Dealt to, and exposed"),
        "exposed": _("Exposed cards"),
        "dealt": _("Dealt to"),
        "dealtTo": _("{card} was dealt to {seat}"),
        "nothingExposed": _("nothing exposed"),
        "capturedBy": _("Captured by"),
        "cards": _("Captured cards"),
        "tools": _("Tools"),
        "restTo": _("Rest to {seat} ({count})"),
        "restLeft": _("The other {count} to"),
        "undo": _("Undo"),
        "redo": _("Redo"),
        "clear": _("Clear"),
        "swap": _("The seat with all hearts lets pig and sheep exchange signs"),
        "fromSeat": _("dealt to {seat}"),
        "has": _("{seat} has it"),
        "nobody": _("nobody has it"),
        "missingExposure": _("Three are exposed, so must be the fourth:"),
        "missingHolder": _("Who was dealt:"),
        "missingCards": _("{count} cards nobody has:"),
        "nothingMissing": _("Every card has its place."),
        "stillMissing": _("The deal is not complete yet: see what is missing."),
        "scoreNeedsHolder": _("The score needs to know who was dealt these cards."),
        "noScoreYet": _("The score appears as cards are entered."),
        "deal": pgettext("one deal of cards", "Deal"),
        "whoTookFirstPig": _("Who took the first ♠Q?"),
        "dealNumber": _("Deal {deal}"),
        "enterDeal": _("Enter deal {deal}"),
        "showDeal": _("Show deal {deal}"),
        "state": _("State"),
        "seat": _("Seat"),
        "captured": _("Captured"),
        "score": _("Score"),
        "counts": _("Counts"),
        "total": _("Total"),
        "outside": _("Deals below the totals do not count: the game had ended before them."),
        "reason": _("Reason:"),
        "check": _("Check by a second person"),
        "checkHelp": _("Compare with the cards on the table, then tap who checked it."),
        "nobodyMayCheck": _("You entered this deal yourself: somebody else has to check it."),
        **signoff_texts(),
        **guide_texts(),
        "trickLog": log_texts(),
        "enteredBy": _("Entered by"),
        "checkedBy": _("Checked by"),
        "version": _("Version"),
        "penalty": _("Penalty"),
        "ruling": _("Ruling"),
        "drawNeedsAll": _("Drawing needs the agreement of all seats; without it the cards are dealt again."),
        "otherBreach": _("another breach"),
        "warningFirst": _("The first time this is a warning: no points."),
        "warnedBefore": _("Warned or punished for this before: now it costs points."),
        "noPenalties": _("No penalties at this table."),
        "cancelPenalty": _("Cancel this penalty"),
        "cancelled": _("cancelled"),
        "noRecord": _("No record: the deal was voided or its entry undone."),
        "stop": _("End play here"),
        "resume": _("Go on playing"),
        "nextSegment": _("Begin the next segment"),
        "subtotal": _("Subtotal: {segment}"),
        "stoppedBecause": _("Play at this table was ended: {reason}"),
        "notSent": _(
            "is not sent: the server cannot be reached. It is kept on this device and sent again by itself."
        ),
        "loggedOut": _("is not sent: you are logged out. It is kept on this device; log in and it is sent."),
        "cardAgain": _(
            "is not sent: the server does not know this tablet any more. It is kept on this device; scan the "
            "table's card again and it is sent."
        ),
        "nothingWaits": {
            "loggedOut": _("You are logged out: log in again. What is being entered stays on this device."),
            "cardAgain": _(
                "The server does not know this tablet any more: scan the table's card again. What is being "
                "entered stays on this device."
            ),
        },
        "lateUnsent": _(
            "Deals that the server did not have by then may be refused: tell the desk, which can let them "
            "count."
        ),
        **offline_texts(),
    }


def offline_texts() -> dict[str, Any]:
    """What the page says by itself while the server cannot be asked."""
    return {
        "places": {
            "tablet": _("on this tablet"),
            "server": _("at the server"),
        },
        "tableStates": {
            "waiting": _("waits for a check or a replay"),
            "playing": _("being played"),
            "done": _("all played and checked"),
        },
        "rulingKinds": {str(kind): str(name) for kind, name in TableRuling.Kind.choices},
        "ruled": ruling_words(),
        "relations": {str(relation): str(name) for relation, name in DealCheck.Relation.choices},
        "procedure": {
            "shuffles": _("Shuffles"),
            "cuts": _("Cuts"),
            "drawsFirst": _("Draws first"),
            "leads": _("Leads"),
            "holderLeads": _("holder of {card}"),
            "holderLeadsCard": _("holder of {card}, with that card"),
            "firstPigOf": _("the one of {seats} who took the first pig"),
            "or": _(" or "),
        },
        "betweenNames": pgettext("between names", ", "),
        "gameTitle": _("Game {number}"),
        "gameDrawn": _("Drawn."),
        "gameWon": _("Won: {winners}."),
        "gameWonPigs": _("Won: {winners}. Made pig: {pigs}."),
        "thisTablet": _("this tablet"),
        "unsentCount": _("{count} not sent"),
        "refusedBy": _("The server does not take it: {reason}"),
        "held": _("is being changed on this tablet"),
        "decide": _("Compare and decide"),
        "sendAgain": _("Send again"),
        "storageFull": _(
            "This tablet has no room left: the entry is not kept. Save what waits to a file, make room, and "
            "submit again. Do not reload the page before."
        ),
        "storageGone": _(
            "This browser cannot keep entries: do not close or reload the page before they are sent, or save "
            "them to a file."
        ),
        "noOffline": _(
            "Without network this page cannot be opened again: it is not on a secure address (https)."
        ),
        "newVersion": _("A new version of this page is ready. What waits to be sent stays here."),
        "fileLoaded": _("Taken from the file: {count}."),
        "replaceDraft": _(
            "Deal {here} is being entered here. Put the entry of deal {file} from the file in its place?"
        ),
        "fileWrong": _("This is no file of entries saved by a table tablet."),
        "fileName": _("table-entries"),
        "setAsideSure": _(
            "It will not be sent. It stays on this tablet and in its file, and the desk can enter it."
        ),
        "setAside": _("Do not send"),
    }


def state_names() -> dict[str, str]:
    """Where a deal stands, in words."""
    return {
        "recorded": _("waits for its check"),
        "checked": _("checked"),
        "void": _("void, to be replayed"),
        "withdrawn": _("entry undone"),
    }


def signoff_texts() -> dict[str, Any]:
    """What the page says about sign-off and disputes."""
    return {
        "signoff": _("Sign-off"),
        "signoffHelp": _("Each player compares and taps for the own seat. When all agree the deal counts."),
        "notSaid": _("not yet"),
        "verdicts": {"agree": _("agrees"), "dispute": _("disputes")},
        "agree": _("Agree"),
        "dispute": _("Dispute"),
        "somebodyDisputes": _("Somebody disputes this deal"),
        "deskRules": _("The desk has both versions and rules."),
        "disputeWaits": _("Not sent yet: the desk hears of it once there is a network."),
        "atServer": _("At the server"),
        "other": _("The other version"),
        "rulings": {
            "stands": _("The record stands"),
            "offered": _("Take the other version"),
            "noted": _("Noted"),
        },
        "second": _("Second entry"),
        "secondHelp": _("Another person enters the deal from the cards, without seeing the first entry."),
        "enterSecond": _("Enter it a second time"),
        "hidden": _("The first entry stays hidden until the second one is made."),
        "purposes": {
            "correct": _("Correction"),
            "second": _("Second entry"),
            "log": _("Log of tricks, compared with the captured cards on record"),
            "dispute": _("Dispute: change the record to what is right, then submit."),
        },
    }


def log_texts() -> dict[str, Any]:
    """What the page says about the log of a deal's tricks."""
    return {
        "title": _("Log of tricks"),
        "onTable": _("Cards on the table"),
        "cards": _("All cards"),
        "whoLeads": _("Tap the seat that leads the first trick."),
        "turn": _("Trick {trick}: {seat} {player} plays."),
        "empty": _("Nothing is logged yet."),
        "whole": _("All cards are played."),
        "turnTo": _("{seat} plays next"),
        "hasPlayed": _("{seat} has played"),
        "pair": _("A pair is led"),
        "take": _("Take the captured cards from the log"),
        "close": _("Put the log away"),
        "played": _("Tricks so far"),
        "differs": _("The captured cards entered differ from the log:"),
        "difference": _("log: {logged}; entered: {entered}"),
        "irregularities": {code: _(sentence) for code, sentence in IRREGULARITY_MESSAGES.items()},
    }


def guide_texts() -> dict[str, Any]:
    """The steps of a deal."""
    return {
        "guide": {
            "shuffle": pgettext("step of a deal", "Shuffle"),
            "first": pgettext("step of a deal", "First-expose"),
            "expose": pgettext("step of a deal", "Expose"),
            "play": pgettext("step of a deal", "Play"),
            "captures": pgettext("step of a deal", "Captured cards"),
        },
        "guideHelp": {
            "shuffle": _("Shuffle, cut, and deal one card to each."),
            "first": _("Before the second circle of dealing: who exposes the first card?"),
            "expose": _("All cards are dealt: who exposes? Enter it below."),
            "play": _("No more exposing: the tricks are played. They can be logged one by one."),
            "captures": _("Enter who captured which cards."),
        },
        "seconds": _("{seconds} s"),
        "startClock": _("start the clock"),
        "restartClock": _("start again"),
        "timeUp": _("time is up"),
        "stepBack": _("Back"),
        "stepNext": _("Next"),
    }
