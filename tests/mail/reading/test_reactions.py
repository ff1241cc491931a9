"""A reaction with an emoji is known in the forms of several programs, and words with an emoji are words."""

import pytest

from pbmserv.mail.inbound import read
from tests.mail.reading.client_mails import LETTER, marked

GMAIL = """\
Content-Type: multipart/alternative; boundary=B

--B
Content-Type: text/plain; charset=utf-8

\U0001f389

Alice reacted via Gmail
<https://www.google.com/gmail/about/?utm_source=gmail-in-product>
--B
Content-Type: text/vnd.google.email-reaction+json; charset=utf-8

{"emoji": "\U0001f389", "version": 1}
--B
Content-Type: text/html; charset=utf-8

<div>\U0001f389</div><p>Alice reacted via Gmail</p>
--B--"""


def _reaction(mail: str) -> str:
    return read(f"From: alice@example.org\n{mail}".encode(), is_ours=lambda left: False).reaction


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        ("\U0001f44d", "\U0001f44d"),
        ("\u2764\ufe0f \U0001f602", "\u2764\U0001f602"),
        ("\U0001f44d Alice Adams reacted to your message:", "\U0001f44d"),
        ("Alice hat mit \u2764 auf Ihre Nachricht reagiert", "\u2764"),
        ("Alice reacted to your message:", "(reaction)"),
        ("Liked \u201cIt is your turn, alice: ply 1\u201d", "\U0001f44d"),
        ("Gefällt mir: \u201eDu bist dran\u201c", "\U0001f44d"),
        ("Laughed at \u201cbob writes: I win\u201d", "\U0001f602"),
        ("Gef\xe4llt mir \u201eIt is your turn\u201c", "\U0001f44d"),
    ],
)
def test_a_reaction_is_known(words: str, sign: str) -> None:
    head = "Content-Type: text/plain; charset=utf-8\n\n"
    assert (
        _reaction(f"{head}{words}\n\nOn Mon, 1 Jan 2024 at 12:00, PBM <a@example.org> wrote:\n{marked(LETTER)}") == sign
    )


def test_a_reaction_of_gmail_is_known() -> None:
    assert _reaction(GMAIL) == "\U0001f389"
    assert _reaction(GMAIL.replace('{"emoji": "\U0001f389",', "{")) == "\U0001f389"
    assert _reaction(GMAIL.replace("\U0001f389", "")) == "(reaction)"
    for odd in ('"\\ud800"', '"\\u0000\\u00e9"', "[" * 1100):
        assert _reaction(GMAIL.replace('"\U0001f389"', odd)) == "\U0001f389"


@pytest.mark.parametrize(
    "words",
    [
        *("h4-f6\n\U0001f44d", "\U0001f44d h4-f6", "He reacted badly to that", "Liked it!", "\u265e", "resign", ""),
        "e4\n\nHa, how quickly you reacted \U0001f44d",
        "e4 - gut reagiert \U0001f44d",
        "resign\n\nI have only now reacted to your message \U0001f44d",
        'Liked "The Glass Bead Game" a lot',
    ],
)
def test_other_words_are_no_reaction(words: str) -> None:
    assert _reaction(f"Content-Type: text/plain; charset=utf-8\n\n{words}") == ""
