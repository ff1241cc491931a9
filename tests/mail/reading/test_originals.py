"""Text that more mail programs and languages write around the original: none of it is taken for the sender's."""

import pytest

from pbmserv.mail.inbound import read
from pbmserv.mail.reading.quotes import own_words
from tests.mail.reading.client_mails import ADDRESS, LETTER, marked

ATTRIBUTIONS = {
    "Gmail, cut behind <": f"On Mon, Jan 1, 2024 at 12:00 PM PBM Server <\n{ADDRESS}> wrote:",
    "Gmail, cut before >": f"On Mon, Jan 1, 2024 at 12:00 PM PBM Server <{ADDRESS}\n> wrote:",
    "Gmail in Russian, cut before >": f"пн, 1 янв. 2024 г. в 12:00, PBM Server <{ADDRESS}\n>:",
    "Gmail in Spanish, cut before >": f"El lun, 1 ene 2024 a las 12:00, PBM Server (<{ADDRESS}>)\nescribió:",
    "in round brackets": f"Em seg., 1 de jan. de 2024 às 12:00, PBM Server ({ADDRESS}) escreveu:",
    "Yandex": f"01.01.2024, 12:00, PBM Server <{ADDRESS}>:",
    "Yandex without a colon": f"12:00, 1 января 2024 г., PBM Server <{ADDRESS}>",
    "mail.ru": f"Понедельник, 1 января 2024, 12:00 +03:00 от PBM Server <{ADDRESS}>:",
    "mail.ru without a colon": f"Понедельник, 1 января 2024, 12:00 +03:00 от PBM Server <{ADDRESS}>",
    "Zoho": f"---- On Mon, 01 Jan 2024 12:00:00 +0100 PBM Server <{ADDRESS}> wrote ----",
    "Zoho, three dashes": f"---- On Mon, 01 Jan 2024 12:00:00 +0100 PBM Server <{ADDRESS}> wrote ---",
    "Zoho, cut": f"---- On Mon, 01 Jan 2024 12:00:00 +0100\nPBM Server <{ADDRESS}> wrote ----",
    "Hungarian": f"PBM Server <{ADDRESS}> ezt írta (időpont: 2024. jan. 1., H, 12:00):",
    "Slovak": f"po 1. 1. 2024 o 12:00 PBM Server <{ADDRESS}> napísal(a):",
    "Romanian": f"În lun., 1 ian. 2024 la 12:00, PBM Server <{ADDRESS}> a scris:",
    "Norwegian": f"man. 1. jan. 2024 kl. 12:00 skrev PBM Server <{ADDRESS}>:",
    "Arabic": f"في الاثنين، 1 يناير 2024 في 12:00 م تمت كتابة ما يلي بواسطة PBM Server <{ADDRESS}>:",
    "Hebrew": f"\u200fבתאריך יום ב׳, 1 בינו׳ 2024 ב-12:00 מאת PBM Server <{ADDRESS}>:",
    "Ukrainian": f"пн, 1 січ. 2024 р. о 12:00 PBM Server <{ADDRESS}> пише:",
    "Vietnamese": f"Vào Th 2, 1 thg 1, 2024 vào lúc 12:00 PBM Server <{ADDRESS}> đã viết:",
}
BLOCKS = {
    "Hotmail": "Date: Mon, 1 Jan 2024 12:00:00 +0000\nFrom: %\nSubject: Tumble Board 101\nTo: alice@example.org",
    "Hotmail, subject first": "Subject: Tumble Board 101\nFrom: %\nDate: Mon, 1 Jan 2024\nTo: alice@example.org",
    "Orange": "Message du 01/01/24 12:00\nDe : %\nA : alice@example.org\nCopie à : \nObjet : Tumble Board 101",
    "Hungarian": "Feladó: %\nElküldve: 2024. január 1. 12:00\nCímzett: Alice\nTárgy: Tumble Board 101",
    "Slovak": "Od: %\nOdoslané: pondelok 1. januára 2024 12:00\nKomu: Alice\nPredmet: Tumble Board 101",
    "Czech": "Od: %\nOdesláno: pondělí 1. ledna 2024 12:00\nKomu: Alice\nPředmět: Tumble Board 101",
    "Romanian": "De la: %\nTrimis: luni, 1 ianuarie 2024 12:00\nCătre: Alice\nSubiect: Tumble Board 101",
    "Norwegian": "Fra: %\nSendt: mandag 1. januar 2024 12:00\nTil: Alice\nEmne: Tumble Board 101",
    "Danish": "Fra: %\nDato: mandag den 1. januar 2024 12:00\nTil: Alice\nEmne: Tumble Board 101",
    "Arabic": "من: %\nتم الإرسال: الاثنين، 1 يناير 2024 12:00\nإلى: Alice\nالموضوع: Tumble Board 101",
    "Yahoo's forward": "----- Forwarded Message -----\nFrom: %\nTo: alice@example.org\nSent: 1 Jan 2024",
    "Yahoo's forward on one line": "----- Forwarded Message ----- From: % To: alice@example.org Sent: 1 Jan 2024",
}

each_attribution = pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=ATTRIBUTIONS.keys())


@each_attribution
@pytest.mark.parametrize("gap", ["\n", "\n\n"], ids=["below", "apart"])
def test_an_attribution_of_marked_lines_goes(attribution: str, gap: str) -> None:
    assert own_words(f"h4-f6{gap}{attribution}\n{marked(LETTER)}") == "h4-f6"
    assert own_words(f"h4-f6{gap}{attribution}\n\n{marked(LETTER)}") == "h4-f6"


@each_attribution
def test_an_attribution_of_unmarked_lines_goes(attribution: str) -> None:
    assert own_words(f"h4-f6\n\n{attribution}\n\n{LETTER}") == "h4-f6"


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS.keys())
@pytest.mark.parametrize("gap", ["\n", "\n\n"], ids=["below", "apart"])
def test_a_block_of_headers_goes(block: str, gap: str) -> None:
    block = block.replace("%", f"PBM Server <{ADDRESS}>")
    assert own_words(f"h4-f6\nBye.{gap}{block}\n\n{LETTER}") == "h4-f6\nBye."
    assert own_words(f"h4-f6\nBye.{gap}{marked(block)}\n>\n{marked(LETTER)}") == "h4-f6\nBye."


@pytest.mark.parametrize(
    "title", ["Begin forwarded message:", "-------- Original Message --------", "----- Forwarded Message -----"]
)
def test_a_title_above_marked_lines_goes(title: str) -> None:
    assert own_words(f"h4-f6\n\n{title}\n\n{marked(LETTER)}") == "h4-f6"
    assert own_words(f"h4-f6\n\n{title}\n{marked(LETTER)}") == "h4-f6"


TITLE = "-------- Original Message --------"
SENT = f"From: PBM Server <{ADDRESS}>\nTo: alice@example.org\nSubject: x\nDate: Mon, 1 Jan 2024 12:00:00"
UNKNOWN = f"Quelle: PBM Server <{ADDRESS}>\nWann: 1 Jan 2024 12:00\nWohin: alice@example.org\nWovon: Tumble Board 101"


@pytest.mark.parametrize(
    "above",
    [
        f"PBM Server <{ADDRESS}> wrote:\n\n{TITLE}",
        f"On 1/1/24 12:00, PBM Server wrote:\n{TITLE}",
        TITLE,
        f"{TITLE}\n{SENT}\n",
        SENT,
        "_" * 32,
    ],
)
def test_what_introduces_a_marked_quote_goes_above_and_below_it(above: str) -> None:
    assert own_words(f"h4-f6\n\n{above}\n{marked(LETTER)}") == "h4-f6"
    assert own_words(f"{above}\n{marked(LETTER)}\n\nh4-f6") == "h4-f6"


def test_headers_in_a_language_that_nobody_knows_go() -> None:
    assert own_words(f"h4-f6\nBye.\n\n{UNKNOWN}\n\n{LETTER}") == "h4-f6\nBye."
    less = UNKNOWN.rpartition("\n")[0]
    assert own_words(f"h4-f6\n\n{less}") == f"h4-f6\n\n{less}"


COMB = """\
> Tumbling Down board 101 (-c, rated, nag after 7 days, forfeit after
21)
>
> To move, answer this letter with your move on the first line, as you
see here
> and wait."""


@pytest.mark.parametrize("text", [f"h4-f6\n\n{COMB}", f"{COMB}\n\nh4-f6"])
def test_the_ends_of_quoted_lines_that_were_wrapped_go(text: str) -> None:
    assert own_words(text) == "h4-f6"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("21)", "h3-g4 and a nice game to you"),  # longer than the quoted line before it
        ("forfeit after\n", "forfeit.\n"),  # the line above ends a sentence
        ("forfeit after\n21)", "after\n21)"),  # it would have fitted on the line above
        ("\nsee here\n>", "\n\nsee here\n\n>"),  # empty lines around it
        ("\n21)", "\n> 21)"),  # the only line without a mark
    ],
)
def test_words_between_quoted_lines_stay(old: str, new: str) -> None:
    text = f"h4-f6\n\n{COMB.replace(old, new)}"
    assert own_words(text) != "h4-f6"


@pytest.mark.parametrize("dash", ["--", "-- ", "\N{EN DASH}", "\N{EM DASH} "])
def test_a_signature_begins_with_dashes_of_any_program(dash: str) -> None:
    assert own_words(f"h4-f6\nGood luck!\n\n{dash}\nNora\nsent on the way") == "h4-f6\nGood luck!"


def test_a_dash_in_the_middle_of_a_long_text_is_no_signature() -> None:
    text = "h4-f6\n\N{EM DASH}\n" + "\n".join(f"line {n}" for n in range(20))
    assert own_words(text) == text


def test_nothing_goes_where_it_would_be_all() -> None:
    assert own_words(COMB) != ""


@pytest.mark.parametrize(
    "words",
    [
        "h4-f6\nSubject: closed\nTo: you",
        "h4-f6\nDate: tomorrow\nis good",
        "h4-f6\n---- so much for that ----\nOn I go.",
        "h4-f6\nWrite to Bob <bob@example.org>\nand wait",
        "h4-f6\nI meet him on 01.01.2024 at 12:00, tell Bob <bob@example.org>",
        "h4-f6\nOn 1/1/2024 at 12:00 I wrote to Bob <bob@example.org>",
        "h4-f6\nOn 1/1/2024 at 12:00\nBob wrote to\nBob <bob@example.org>",
        "h4-f6\n\nSee you on 1/1/2024 12:00,\nas Bob <bob@example.org> wrote:\nbring a cake",
        "h4-f6\n12:00 suits me, Bob <bob@example.org> too",
    ],
)
def test_words_like_those_stay(words: str) -> None:
    assert own_words(words) == words
    assert own_words(f"{words}\n\nSee you") == f"{words}\n\nSee you"


@pytest.mark.parametrize(
    ("charset", "text"), [("iso-8859-8-i", "שלום"), ("iso-8859-8-e", "שלום"), ("x-mac-cyrillic", "привет")]
)
def test_charsets_of_hebrew_and_of_old_macs(charset: str, text: str) -> None:
    codec = "iso8859_8" if charset.startswith("iso") else "mac_cyrillic"
    head = f"From: alice@example.org\nContent-Type: text/plain; charset={charset}\n\n"
    assert read(head.encode() + text.encode(codec), is_ours=lambda left: False).body == text
