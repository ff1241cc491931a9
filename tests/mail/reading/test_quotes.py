"""A move is read the same, whatever client and language it was sent with."""

from collections.abc import Callable

import pytest

from pbmserv.mail.inbound import Mail, Standing, read
from tests.mail.reading.client_mails import CLIENTS, LANGUAGES, Draft, Language

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
