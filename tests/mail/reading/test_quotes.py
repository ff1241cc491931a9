"""A move is read the same, whatever client and language it was sent with."""

from collections.abc import Callable

import pytest

from pbmserv.mail.inbound import Mail, Standing, read
from pbmserv.mail.reading.quotes import is_doubtful, own_words
from pbmserv.mail.reading.quotes import read as read_words
from tests.mail.reading.client_mails import ADDRESS, CLIENTS, LANGUAGES, LETTER, Draft, Language

Client = Callable[[Draft, Language], bytes]

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
each_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES.keys())


def _read(data: bytes) -> Mail:
    mail = read(data, is_ours=lambda left: False)
    assert mail.standing is Standing.NORMAL, mail.problem
    assert mail.sender == "alice@example.org"
    return mail


@each_client
@each_language
def test_a_new_command(client: Client, language: Language) -> None:
    mail = _read(client(Draft("tumble move 101 alice s3cret h4-f6", is_reply=False), language))
    assert (mail.subject, mail.body) == ("tumble move 101 alice s3cret h4-f6", "")


@each_client
@each_language
def test_a_classic_reply(client: Client, language: Language) -> None:
    mail = _read(client(Draft(f"{language.reply}: Tumble Board 101 alice s3cret h4-f6"), language))
    assert (mail.subject, mail.body) == ("Tumble Board 101 alice s3cret h4-f6", "")


@each_client
@each_language
def test_one_word_above_the_quote(client: Client, language: Language) -> None:
    mail = _read(client(Draft(f"{language.reply}: Tumble Board 101 alice", above="h4-f6"), language))
    assert (mail.subject, mail.body) == ("Tumble Board 101 alice", "h4-f6")


@each_client
@each_language
def test_one_word_below_the_quote(client: Client, language: Language) -> None:
    mail = _read(client(Draft(f"{language.reply}: Tumble Board 101 alice", below="h4-f6"), language))
    assert (mail.subject, mail.body) == ("Tumble Board 101 alice", "h4-f6")


@each_client
@each_language
def test_a_comment_below_the_move(client: Client, language: Language) -> None:
    words = "h4-f6, please. A nice game, he wrote: hello"
    assert _read(client(Draft("x", above=words), language)).body == words


@pytest.mark.parametrize(
    ("text", "words", "doubtful"),
    [
        ("h4-f6", "h4-f6", False),
        ("h4-f6\n\nThank you", "h4-f6\n\nThank you", False),
        ("h4-f6\n1\n2\n3\n4", "h4-f6\n1\n2\n3\n4", False),
        ("h4-f6\n1\n2\n3\n4\n5", "h4-f6\n1\n2\n3\n4\n5", True),  # many lines
        ("x", "h4-f6\n" + "x" * 240, False),
        ("x", "h4-f6\n" + "x" * 241, True),
        ("x" * 300, "x" * 300, False),  # the first line is no comment
        ("x", "h4-f6\nAnn: a fine day", False),
        ("x", "h4-f6\nAnn> a fine day", True),
        ("x", "h4-f6\nAnn wrote:", True),
        ("x", "h4-f6\nann@example.org", True),
        ("x", "h4-f6\nat 12:30", True),
        ("h4-f6\n> quoted\nnice", "h4-f6\nnice", True),  # directly below a quote
        ("h4-f6\n> quoted\n\nnice", "h4-f6\nnice", False),
        ("> quoted\nh4-f6", "h4-f6", False),  # there is no comment
    ],
)
def test_words_among_which_may_be_lines_of_a_quote(text: str, words: str, doubtful: bool) -> None:
    assert is_doubtful(text, words) is doubtful


SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"
SIGNATURE = "\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"


@pytest.mark.parametrize("end", [SIGNATURE, "\n"], ids=["signed", "cut off"])
def test_of_a_signed_text_the_armour_is_taken_off(end: str) -> None:
    assert own_words(f"{SIGNED}h4-f6\n- -- a dash\n> quoted{end}") == "h4-f6\n-- a dash"
    assert own_words(f"{SIGNED}{end}") == ""


def test_of_several_armours_the_one_of_the_text_is_taken_off() -> None:
    assert own_words(f"-----BEGIN PGP SIGNATURE-----\nold\n\n{SIGNED}h4-f6{SIGNATURE}") == "h4-f6"


def test_what_stands_below_a_letter_without_marks_is_kept_if_the_letter_is_known() -> None:
    attribution = f"On Mon, Jan 1, 2024 at 12:00 PM PBM Server <{ADDRESS}> wrote:"
    text = f"h4-f6\n{attribution}\n\n{LETTER}\n\nThat was a fine move of yours."
    assert tuple(read_words(text)) == ("h4-f6", True)
    assert tuple(read_words(text, [LETTER])) == ("h4-f6\n\nThat was a fine move of yours.", False)
