"""Where the introduction of a quote begins and ends: none of the sender's own words is lost."""

import textwrap

import pytest

from pbmserv.mail.reading.quotes import own_words
from tests.mail.reading.client_mails import ADDRESS, LANGUAGES, LETTER, Language, marked, named

each_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES.keys())
WORDS = "h4-f6"
ENGLISH = f"On Mon, Jan 1, 2024 at 12:00 PM PBM Server <{ADDRESS}> wrote:"
SHORT = "On 1/1/24 12:00, PBM Server wrote:"


@each_language
@pytest.mark.parametrize("style", ["gmail", "apple", "thunderbird", "k9"])
@pytest.mark.parametrize("width", [0, 60, 72], ids=["whole", "60", "72"])
def test_a_move_directly_above_the_attribution_stays(language: Language, style: str, width: int) -> None:
    attribution = named(getattr(language, style))
    if width:
        attribution = textwrap.fill(attribution, width, break_on_hyphens=False)
    assert own_words(f"{WORDS}\n{attribution}\n{marked(LETTER)}") == WORDS


@each_language
def test_a_move_directly_above_an_unmarked_quote_stays(language: Language) -> None:
    attribution = named(language.k9)
    if any(word in attribution for word in ("napisał/a", "JST")):
        pytest.skip("no whole attribution of a program that quotes without marks")
    assert own_words(f"{WORDS}\n{attribution}\n\n{LETTER}") == WORDS
    assert own_words(f"{WORDS}\n{attribution}\n{LETTER}") == WORDS


@pytest.mark.parametrize(
    "words",
    [
        "h4-f6",
        "h4-f6\nSee you, On Friday 12.",
        "h4-f6\nOn f6 it stands well",
        "On Friday 12 I am away",
        "h4-f6\nIn 2024 at 12:00\nI was there",
        "h4-f6\nbob@example.org knows",
        "h4-f6\nAm 5. war ich da.",
        "h4-f6\n1\n2\n3",
    ],
)
@pytest.mark.parametrize("attribution", [ENGLISH, SHORT, named(LANGUAGES["German"].gmail)], ids=["full", "short", "de"])
def test_all_lines_above_the_attribution_stay(words: str, attribution: str) -> None:
    assert own_words(f"{words}\n{attribution}\n{marked(LETTER)}") == words
    if attribution != SHORT:
        assert own_words(f"{words}\n{attribution}\n\n{LETTER}") == words


@pytest.mark.parametrize("style", ["gmail", "apple", "thunderbird"])
@pytest.mark.parametrize("name", ["English", "German", "French", "Spanish", "Italian", "Dutch", "Portuguese"])
def test_words_on_the_line_of_the_attribution_stay(name: str, style: str) -> None:
    attribution = named(getattr(LANGUAGES[name], style))
    assert own_words(f"h4-f6 {attribution}\n{marked(LETTER)}") == "h4-f6"
    wrapped = textwrap.fill(f"h4-f6 and a nice game to you. {attribution}", 72, break_on_hyphens=False)
    assert own_words(f"{wrapped}\n{marked(LETTER)}") == "h4-f6 and a nice game to you."


@pytest.mark.parametrize("quote", [marked(LETTER), f"\n{LETTER}"], ids=["marked", "unmarked"])
def test_words_share_a_line_with_yahoos_attribution(quote: str) -> None:
    attribution = f"On Monday, January 1, 2024 at 12:00:00 PM GMT+1, PBM Server <{ADDRESS}> wrote:"
    long = "h4-f6 A nice game, I must say. " * 12
    assert own_words(f"{long} {attribution}\n{quote}") == long.rstrip()


@pytest.mark.parametrize(
    "attribution",
    [
        "On Monday, 1\nJanuary 2024, PBM Server <pbm@example.org> wrote:",
        "On Monday,\n1 January 2024, PBM Server <pbm@example.org> wrote:",
        "Am Montag, 1.\nJanuar 2024 um 12:00 schrieb PBM Server <pbm@example.org>:",
        "PBM Server <pbm@example.org>\nschrieb am 01.01.2024 um 12:00:",
        "PBM Server <pbm@example.org> 2024-01-01\n12:00 wrote:",
        "On Mon, Jan 1, 2024 at 12:00 PM PBM Server\n<pbm@example.org>\nwrote:",
    ],
)
def test_an_attribution_in_pieces_is_whole(attribution: str) -> None:
    assert own_words(f"{WORDS}\n{attribution}\n{marked(LETTER)}") == WORDS


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my desk",
        "Sent from my desk, the phone is broken.",
        "Sent from my desk without a phone",
        "Sent from my old phone because the new one is at home and I will not go back for it now.",
        "Sent with love and without a mobile phone",
        "Sent with Hugs and Kisses",
        "Envoyé avec Amour",
        "メール送信ありがとう",
    ],
)
def test_a_sentence_like_an_advertisement_stays(line: str) -> None:
    assert own_words(f"{WORDS}\n\n{line}") == f"{WORDS}\n\n{line}"


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from my iPhone, please excuse typos",
        "Sent from my Verizon, Samsung Galaxy smartphone",
        "Sent from my BlackBerry 10 smartphone on the Bell network.",
        "Sent from Mail for Windows 10",
        "Sent from Yahoo Mail on Android",
        "Sent via the Samsung Galaxy S10, an AT&T 5G Evolution capable smartphone",
        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "Gesendet mit der GMX Mail App",
        "Envoyé depuis mon appareil mobile Samsung",
        "Get Outlook for iOS",
    ],
)
def test_an_advertisement_goes(line: str) -> None:
    assert own_words(f"{WORDS}\n\n{line}") == WORDS
