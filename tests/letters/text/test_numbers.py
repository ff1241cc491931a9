"""The numbers in letters and pages are those of the program.

If you change one, a test tells you where else it stands.
"""

from datetime import timedelta

import pytest

from pbmserv import paths
from pbmserv.boards import closing_accounts
from pbmserv.boards.ratings import rating_formula
from pbmserv.commands.accounts import (
    CHANGE_ADDRESS,
    CHANGE_PASSWORD,
    FORGOT,
    MAX_ADDRESSES,
    NEW_ADDRESSES,
    RESET_WITHIN,
    RESETS_A_DAY,
    SIGNUP,
)
from pbmserv.commands.challenge import CHALLENGE, INVITED_EVERY
from pbmserv.commands.help import MULTIPLE, command_page
from pbmserv.commands.lists import MOST_STANDINGS, STANDINGS
from pbmserv.commands.seeks import SEEK, SEEK_LASTS
from pbmserv.commands.talk import BROADCAST, BROADCASTS_A_DAY, MESSAGE
from pbmserv.errors import PASSWORD_LENGTH
from pbmserv.inbox.command import MOST_READERS
from pbmserv.inbox.context import Command
from pbmserv.inbox.lines.parse import MOST_LINES
from pbmserv.letters.policy import Policy
from pbmserv.letters.text.wording import number_word, time_words
from pbmserv.model import Settings
from pbmserv.model.players import USERID_LENGTH

TEMPLATES = paths.data("templates")
#: German for the results of number_word and time_words, as far as templates use them.
GERMAN = {"three": "drei", "six": "sechs", "ten": "zehn", "an hour": "einer Stunde", "one hour": "eine Stunde"}
HOUR = time_words(RESET_WITHIN)
ONE_HOUR = HOUR.replace("an ", "one ")
RESETS = number_word(RESETS_A_DAY)
TEN = number_word(rating_formula.ESTABLISHED)
FEWEST, MOST = PASSWORD_LENGTH[0], PASSWORD_LENGTH[-1]
BEGIN = rating_formula.points(rating_formula.UNRATED.mu)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (SIGNUP, f"{USERID_LENGTH[0]} to {USERID_LENGTH[-1]} letters"),
        (SIGNUP, f"{FEWEST} to {MOST} characters"),
        (SIGNUP, f"at most {number_word(NEW_ADDRESSES)} new addresses"),
        (SIGNUP, f"within {time_words(closing_accounts.CONFIRM_WITHIN)}, the account"),
        (CHANGE_PASSWORD, f"{FEWEST} to {MOST} characters"),
        (CHANGE_ADDRESS, f"at most {number_word(MAX_ADDRESSES)} addresses"),
        (FORGOT, f"within {HOUR}"),
        (FORGOT, f"at most {RESETS} in a day"),
        (MESSAGE, f"up to {number_word(MOST_READERS)} userids"),
        (MESSAGE, f"at most {number_word(Policy().messages_a_day)} players a day"),
        (CHALLENGE, f"gets a reminder ({Settings.nag:g})"),
        (CHALLENGE, f"is lost ({Settings.forfeit:g})"),
        (SEEK, f"After {SEEK_LASTS.days} days a seek expires"),
        (SEEK, f"count as {BEGIN}"),
        (STANDINGS, f"up to {number_word(MOST_STANDINGS)} lines"),
        (STANDINGS, f"fewer than {TEN} rated boards"),
    ],
)
def test_the_help_page_of_a_command(command: Command, words: str) -> None:
    assert words in " ".join(command_page(command, None).split())


def test_what_needs_no_word_for_its_number() -> None:
    assert f"at most {number_word(MOST_LINES)}. A line" in MULTIPLE
    assert Settings.total is None
    assert "for all moves of a player together, in days (none)" in " ".join(command_page(CHALLENGE, None).split())
    assert BROADCASTS_A_DAY == 1
    assert "once a day" in BROADCAST.text
    assert timedelta(weeks=1) == INVITED_EVERY  # an error says: less than a week ago


@pytest.mark.parametrize(
    ("page", "words", "german"),
    [
        ("mail/forgot.txt", f"use it for {ONE_HOUR}", f"gilt {GERMAN[ONE_HOUR]}"),
        ("mail/forgot.txt", f"at most {RESETS} such", f"höchstens {GERMAN[RESETS]} solche"),
        ("mail/reset.txt", f"within {HOUR}", f"binnen {GERMAN[HOUR]}"),
        ("mail/reset.txt", f"{FEWEST} to {MOST} characters", f"{FEWEST} bis {MOST} Zeichen"),
        ("mail/standings.txt", f"fewer than {TEN} rated boards", f"weniger als {GERMAN[TEN]} gewertete"),
        ("mail/who.txt", f"fewer than {TEN} rated", f"weniger als {GERMAN[TEN]} gewertete"),
        ("help/ratings.txt", f"fewer than {TEN} ", f"weniger als {GERMAN[TEN]} gewertete"),
        ("help/ratings.txt", f"begins at {BEGIN}", f"beginnen bei {BEGIN}"),
        (
            "help/tutorial.txt",
            f"password of {number_word(FEWEST)}",
            f"Passwort von {GERMAN[number_word(FEWEST)]} Zeichen",
        ),
    ],
)
def test_a_template(page: str, words: str, german: str) -> None:
    assert words in " ".join((TEMPLATES / page).read_text("utf-8").split())
    assert german in " ".join((TEMPLATES / "de" / page).read_text("utf-8").split())


def test_a_page_of_the_web() -> None:
    page = (TEMPLATES / "web/standings.html").read_text("utf-8")
    assert f"fewer than {TEN} rated boards" in page
