"""Answers that have our own letter in them, in any form: what is left is exactly what was typed."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail.reading import body, mime
from pbmserv.mail.reading.own_letter import quoted
from pbmserv.mail.reading.quotes import is_doubtful, own_words

LETTER = """\
It is your turn, alice: ply 9.

Move by Sunday, 22 March, 12:00 UTC.
bob has to move by Sunday, 22 March, 12:00 UTC.

Sea Battle board 101 (rated, reminder after 7 days, time limit 21 days)

    Red                       Blue
    alice                     bob
 1  ship ship ship ship ship  fleet
 2  b2                        a3

  8. bob a3: Hit.

    The enemy's sea               Your own sea
    A B C D E F G H I J           A B C D E F G H I J
 10 . . . . . . . . . .        10 . . . . . . . . . .
  5 . . . . . . . . . .         5 C . . . . . . . . .
  4 . . . . . . . . . .         4 C . F . . . . . . .
  3 . . . . . . . . . .         3 c . F . D . S . . .
  2 . o . . . . . . . .         2 C . F . D . S . G .
    A B C D E F G H I J           A B C D E F G H I J
Red has lost no ship.

bob writes:
    Nice shot!

    What about a longer comment of mine, which goes on and on until
    it fills two lines?

To move, answer this letter with your move on the first line, for example: a1
Or send a mail with the subject: battleship move 101 alice PASSWORD a1
Other answers (one word): propose, resign, help, moves, stop
"""
GRID = "  +--------+--------+--------+--------+--------+--------+--------+--------+\n"
TUMBLE = (
    "It is your turn, alice: ply 1.\n\nTumbling Down board 101 (rated)\n\n"
    + GRID.join(
        f" {n}|        |        |W1      |W2      |W{n}      |W4      |W3      |W2      |\n" for n in range(8, 0, -1)
    )
    + GRID
    + "      A        B        C        D        E        F        G        H\n\n"
    "To move, answer this letter with your move on the first line, for example:\nc1-c5t\n"
    "Or send a mail with the subject: tumble move 101 alice PASSWORD c1-c5t\n"
)
SIGNS = ["", "> ", ">", "PS> ", "| ", "\xbb ", "\N{FULLWIDTH COLON}", "\uff1e", "ab> ", "> > ", "% ", "   ", "} "]
INTRODUCTIONS = [
    "",
    "On Wed, 25 Nov 2026 at 08:01, PBM Server <pbmserv@example.org> wrote:",
    "Wednesday, November 25, 2026, 9:01:12 AM, you wrote:",
    "        On Monday, 18 October 2010 at 9:29 , PBM Server wrote:",
    "PBM Server wrote:",
    "-----",
    "________________________________",
    "*PBM Server <pbmserv@example.org>*",
    "PBM Server (pbmserv@example.org) a scr\xeevet d'an 25/11/2026 08:01:",
    "Ar 25 Tach 2026 08:01, ysgrifennodd\nPBM Server <pbmserv@example.org>:",
    "*Gan:* PBM Server <pbmserv@example.org>\n*Anfonwyd:* 25/11/2026 08:01\n*At:* alice\n*Pwnc:* Battleship Board 101",
    "Quoting PBM Server (2026-11-25 08:01:12)",
    "-------- Original Message --------\nSubject: Battleship Board 101 alice\nDate: 25 Nov 2026 08:01\nFrom: PBM",
]
SENTENCES = st.sampled_from(
    [
        "Good game so far",
        "Nice shot!",
        "I hit a3, b4 and c5: ha!",
        "To move, or not to move?",
        "Sorry that it took so long; I was away until Sunday, 22 March.",
        "bob writes nothing at all",
        "(no more time today)",
        "> is greater than <",
        "a1",
        "See you.",
        "Was ist mit Br\xfcckentagen?",
        "10 . . . what is that row?",
    ]
)
TYPED = st.lists(st.lists(SENTENCES, min_size=1, max_size=3).map("\n".join), min_size=1, max_size=3).map("\n\n".join)


def in_the_form(letter: str, sign: str, width: int, *, bare: bool) -> str:
    """Return a letter as a program quotes it: with a sign, broken at a width, perhaps without a sign on the rests."""
    lines = [f"{sign}{line}" for line in letter.splitlines()]
    if width:
        indent = "" if bare else sign
        lines = ["\n".join(_wrap(line, width, indent)) for line in lines]
    return "\n".join(lines)


def _wrap(line: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(line, width, subsequent_indent=indent, replace_whitespace=False, expand_tabs=False) or [line]


@given(
    typed=TYPED.filter(lambda text: ">" not in text),
    letter=st.sampled_from([LETTER, TUMBLE]),
    sign=st.sampled_from(SIGNS),
    width=st.one_of(st.just(0), st.integers(60, 78)),
    bare=st.booleans(),
    introduction=st.sampled_from(INTRODUCTIONS),
    gap=st.sampled_from(["\n", "\n\n"]),
)
def test_what_was_typed_above_a_letter_is_left(
    typed: str, letter: str, sign: str, width: int, bare: bool, introduction: str, gap: str
) -> None:
    mine = f"a1\n\n{typed}"
    form = in_the_form(letter, sign, width, bare=bare)
    text = f"{mine}\n\n{introduction}{gap if introduction else ''}{form}\n"
    assert is_doubtful(text, own_words(text)) or own_words(text) == mine
    assert own_words(text, [letter]) == mine


@given(typed=TYPED.filter(lambda text: ">" not in text), sign=st.sampled_from(SIGNS), width=st.integers(60, 78))
def test_what_was_typed_below_a_letter_is_left(typed: str, sign: str, width: int) -> None:
    text = f"PBM Server wrote:\n\n{in_the_form(LETTER, sign, width, bare=False)}\n\na1\n\n{typed}"
    assert own_words(text, [LETTER]) == f"a1\n\n{typed}"


def test_answers_between_the_lines_are_left() -> None:
    above, below = LETTER.split("To move,")
    text = f"a1\n\n{above}\nThat was luck.\n\nTo move,{below}\nSee you"
    assert own_words(text, [LETTER]) == "a1\n\nThat was luck.\n\nSee you"


MARKS = [
    "- {}",
    "=> {}",
    "{n}: {}",
    "[{n}] {}",
    "{n:3} {}",
    "\u2022 {}",
    "[08:01:{n:02}] <pbm> {}",
    "old: {}",
    "/* {} */",
]
MARKS += ["{}=20", "{}<br>", '"{}",', "{n}. {} ;", "&gt; {}"]


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("letter", [LETTER, TUMBLE])
def test_a_mark_of_any_kind_on_every_line(letter: str, mark: str) -> None:
    mine = "a1\n\n- So far\n- so good\n\n1. And now?\n\n:-)"
    quote = "\n".join(mark.format(line, n=n) for n, line in enumerate(letter.rstrip().split("\n"), 1))
    assert own_words(f"{mine}\n\n{quote}", [letter]) == mine
    assert own_words(f"{quote}\n\n{mine}", [letter]) == mine


def test_the_proposed_move_below_a_letter_that_is_cut_off_there_is_left() -> None:
    above, _, _ = TUMBLE.partition("c1-c5t")
    assert own_words(f"{above}\nc1-c5t", [TUMBLE]) == "c1-c5t"


@pytest.mark.parametrize(
    "words",
    [
        "c1-c5t",  # stands in the letter as an example
        "a1\n\nNice shot!",  # says what the letter says
        "a1\n\nTo move, or not to move?\nThat is the question.",
        "a1\n\n10 . . . what is that row?\n 9 . . . and that one?",
        "c1-c5t\n\nMove by Sunday, 22 March, 12:00 UTC.",  # one line that may be typed
        "a1\n\n- b2 was fine\n- a3, too\n- Hit.\n- Nice shot!",
        "a1\n\n1: b2\n2: a3\n3: a4\n4: a5",
        "a1\n\nA B C D E F G H\nis the alphabet\n\n[sorry]",
        "a1\n\n\N{THUMBS UP SIGN}",  # no rule above a quote
        "a1\n\n**Great!**",
    ],
)
def test_what_stands_in_the_letter_by_chance_is_left(words: str) -> None:
    assert own_words(words, [LETTER, TUMBLE]) == words
    assert own_words(f"{words}\n\n{TUMBLE}", [TUMBLE]) == words


@pytest.mark.parametrize("sign", ["PS> ", "> PS> ", "| ", ">", "\uff1e"])
def test_a_letter_below_a_comment_of_thousands_of_lines(sign: str) -> None:
    mine = "a1\n\n" + "\n".join(f"line {n} of mine" for n in range(3000))
    assert own_words(f"{mine}\n\n{in_the_form(LETTER, sign, 70, bare=False)}", [LETTER, TUMBLE]) == mine


def test_a_letter_on_the_line_of_its_attribution() -> None:
    joined = " ".join(LETTER.split())
    assert quoted(f"a1\n\nPBM Server wrote: {joined[:400]}", [LETTER]) == f"a1\n> {joined[:400]}"


def test_a_text_without_a_letter_is_returned_as_it_is() -> None:
    text = "a1\n\nI read: It is your turn, alice: ply 9."
    assert quoted(text, [LETTER]) == text


FORMS = [
    "<hr>{}",
    "<hr><b>From:</b> PBM Server<br><b>Sent:</b> Monday 08:01<br>{}",
    "<div style='border-left:2px solid #ccc;padding-left:6px'>{}</div>",
    "<div>{}</div>",
    "<div><b>PBM Server &lt;pbm@example.org&gt;</b></div><table><tr><td>{}</td></tr></table>",
    "<p>On Wed, 25 Nov 2026 at 08:01, PBM Server wrote:</p><blockquote>{}</blockquote>",
]


@pytest.mark.parametrize("form", FORMS)
def test_a_letter_in_html(form: str) -> None:
    letter = "".join(f"<div>{line or '<br>'}</div>" for line in LETTER.splitlines())
    mail = (
        f"From: alice@example.org\nContent-Type: text/html\n\n<div>a1</div><br><div>So far</div>{form.format(letter)}"
    )
    text = body.text(mime.tree(mail.encode()))
    assert own_words(text, [LETTER]) == "a1\n\nSo far"
