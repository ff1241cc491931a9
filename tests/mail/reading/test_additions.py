"""What programs add to a text goes, and what people write with the same words stays. `corpus` has many of both."""

import pytest

from pbmserv.mail.inbound import read
from pbmserv.mail.reading.quotes import own_words

OWN = "h4-f6\n\nGood game so far"


@pytest.mark.parametrize(
    "added",
    [
        "[cid:image001.png@01D9.ABC]\n\nVon Yahoo Mail auf Android gesendet\n\n"
        "Please consider the environment before printing this e-mail.\n\nVirenfrei. www.avast.com",
        "-----\nAlice Adams\nHead of Games",
        "___\nwww.example.org | +1 555 0100",
        "Sent with Unheard (https://unheard.example/?of=it)",
    ],
)
def test_what_is_known_by_its_shape_goes(added: str) -> None:
    assert own_words(f"{OWN}\n\n{added}") == OWN


@pytest.mark.parametrize(
    "added",
    [
        "-----\nBut I am not sure.",
        "-----\nAnd now it gets hard.",
        "-----\nthe end",
        "-----\nWhat now?",
        "Sent to you (https://unheard.example)",
        "d4 Von meinem iPhone gesendet",
    ],
)
def test_what_a_person_may_have_written_so_stays(added: str) -> None:
    assert own_words(f"{OWN}\n\n{added}") == f"{OWN}\n\n{added}"
    assert own_words(f"h4-f6\n\n{added}") == f"h4-f6\n\n{added}"


def test_a_rule_between_move_and_comment_stays() -> None:
    assert own_words("h4-f6\n\n-----\nWell Played") == "h4-f6\n\n-----\nWell Played"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/markdown", OWN),
        ("text/x-web-markdown; charset=utf-8", OWN),
        ("text/plain (as typed (by hand)); charset=utf-8", OWN),
        ("(typed) text/plain", OWN),
        ("Text/Plain; charset=us-ascii (Plain text)", OWN),
        (
            "multipart/mixed; boundary=B",
            f"--B\nContent-Type: text/html\n\n<div>h4-f6</div><p>Good game so far</p>\n--B\n\n{OWN}\n--B--",
        ),
        (
            "multipart/mixed; boundary=B",
            "--B\nContent-Type: text/html\n\n<p>h4-f6</p><p>Good game so far</p><i>PBM <a href='//a'>wrote:</a></i>"
            f"<blockquote>It is</blockquote>\n--B\n\n{OWN}\n\nPBM wrote:\n> It\n> is\n--B--",
        ),
        ("multipart/alternative; boundary=B", f"--B\nContent-Type: text/x-markdown\n\n{OWN}\n--B--"),
        ("multipart/mixed; boundary=B", f'--B\nContent-Type: text/plain; name="mail.txt"\n\n{OWN}\n--B--'),
        (
            "multipart/mixed; boundary=B",
            f"--B\nContent-Type: image/png\n\nx\n--B\nContent-Type: text/enriched\n"
            f"Content-Disposition: attachment; filename=a\n\n{OWN}\n--B--",
        ),
    ],
)
def test_the_text_of_any_kind_of_mail_is_read_once(kind: str, body: str) -> None:
    mail = f"From: alice@example.org\nContent-Type: {kind}\n\n{body}"
    assert read(mail.encode(), is_ours=lambda left: False).body.replace("\n\n", "\n") == OWN.replace("\n\n", "\n")


NAMED = "--B\nContent-Type: text/plain; name=a\n\nlist\n"


@pytest.mark.parametrize(
    "parts",
    [
        "Content-Type: text/calendar\n\nBEGIN:VCALENDAR",
        f"Content-Type: multipart/mixed; boundary=B\n\n--B\n\n\n{NAMED}--B--",
        f"Content-Type: multipart/mixed; boundary=B\n\n{NAMED}{NAMED}--B--",
    ],
)
def test_what_may_be_no_text_of_the_sender_is_none(parts: str) -> None:
    assert read(f"From: alice@example.org\n{parts}".encode(), is_ours=lambda left: False).body == ""


SIGNED = (
    '<div class="{}">{}<div>Alice Adams</div><div>Head of Games</div></div><blockquote>It is your turn</blockquote>'
)


@pytest.mark.parametrize("mark", ["gmail_signature", "ms-outlook-mobile-signature", "moz-signature"])
@pytest.mark.parametrize(
    ("above", "within", "read_as"),
    [
        ("", "<div>h4-f6</div><div>Good game so far</div>", "h4-f6\nGood game so far\nAlice Adams\nHead of Games"),
        ("<div>h4-f6</div>", "<div>Good game<br>I am late</div>", "h4-f6\nGood game\nI am late"),
        ("<div>h4-f6</div>", "<div>We help you, and you help us</div>", "h4-f6"),
    ],
)
def test_what_is_typed_into_a_signature_is_read(above: str, within: str, read_as: str, mark: str) -> None:
    html = f"Content-Type: text/html\n\n{above}<span class={mark}_prefix>-- </span>{SIGNED.format(mark, within)}"
    both = f"Content-Type: multipart/alternative; boundary=B\n\n--B\n\n\n-- \nh4-f6\nAlice\n--B\n{html}\n--B--"
    assert read(f"From: alice@example.org\n{html}".encode(), is_ours=lambda left: False).body == read_as
    if not above:
        assert read(f"From: alice@example.org\n{both}".encode(), is_ours=lambda left: False).body == read_as
