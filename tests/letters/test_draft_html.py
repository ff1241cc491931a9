"""Both parts of a letter: the same words, the diagram in columns, and nothing that has to be loaded."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pbmserv.letters.pictures.html import Answers, letter_html
from pbmserv.letters.pictures.touch import Touches
from pbmserv.letters.text.blocks import below, cut, flowing, indented, joined, kind, linked, pictured, plain
from pbmserv.letters.text.templates import Renderer
from tests.letters.html import blocks, pictures, says_the_same, taps
from tests.letters.samples import letters
from tests.world import Received, World


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Received]:
    """Return one letter of each sort."""
    return letters(tmp_path_factory.mktemp("samples"))


@pytest.mark.slow
def test_both_parts_say_the_same_words(samples: dict[str, Received]) -> None:
    for name, letter in samples.items():
        assert says_the_same(letter.html, letter.text), name


def test_the_parts_are_alternatives_and_the_better_one_is_last(samples: dict[str, Received]) -> None:
    for letter in samples.values():
        assert letter.message.get_content_type() == "multipart/alternative"
        plain, rich = letter.message.iter_parts()
        assert plain.get_content_type() == "text/plain"
        kinds = [part.get_content_type() for part in rich.walk()]
        assert kinds == (["multipart/related", "text/html", "image/png"] if pictures(letter.html) else ["text/html"])


def test_no_client_may_reflow_the_text(samples: dict[str, Received]) -> None:
    for letter in samples.values():
        plain = letter.message.get_body(("plain",))
        assert plain
        assert plain.get_param("format") is None  # RFC 3676 §4.1: then the lines are fixed
        assert max(map(len, letter.text.split("\n"))) <= 79


def test_nothing_is_loaded_and_nothing_runs(samples: dict[str, Received]) -> None:
    for letter in samples.values():
        assert not re.search(r"https?:|//|url\(|\bsrc=(?!\"cid:)|@import|<(?:link|script|iframe|object)\b", letter.html)


@pytest.mark.parametrize("name", ["tumble", "threes", "town", "trippples", "3io"])
def test_a_board_is_a_picture_and_keeps_its_columns(samples: dict[str, Received], name: str) -> None:
    letter = samples[name]
    boards = [text for text in blocks(letter.html, "pre") if f"\n\n{text}\n\n" in letter.text and "|" in text]
    assert len(boards) == len(pictures(letter.html)) == 1


def test_the_moves_keep_their_columns_and_sentences_flow(samples: dict[str, Received]) -> None:
    kept = blocks(samples["tumble"].html, "pre")
    assert any("Black            White" in text for text in kept)
    assert not any("Your move" in text for text in kept)


def test_the_answers_to_a_question_stand_right_below_it(samples: dict[str, Received]) -> None:
    html = samples["offer"].html
    begin, links = html.index("answer accept or reject"), [html.index(f">{word}</a>") for word in ("accept", "reject")]
    assert begin < links[0] < links[1] < html.index("<img ")
    assert [tap.text for tap in taps(html)].count("accept") == 1


def test_a_first_letter_has_no_table_of_moves_that_nobody_made(samples: dict[str, Received]) -> None:
    assert "White: bob\n" in samples["first"].text
    assert "Black            White" not in samples["first"].text
    assert not blocks(samples["town"].html, "pre")[1:]  # the board as text is the only one


def test_what_a_move_brought_is_one_paragraph(samples: dict[str, Received]) -> None:
    (told,) = re.findall(r"<p [^>]*>(1\. a: [^<]*)</p>", samples["threes"].html)
    assert f"  {told}\n" in samples["threes"].text


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (
            "Two:\n  hex   Connect\n        edges\n  four  In a row",
            [["", "Two:"], ["hex", "Connect edges"], ["four", "In a row"]],
        ),
        ("  - One\n    goes on\n  - Two", [["", "- One goes on"], ["", "- Two"]]),
        ("    White            Black\n    alice            bob", []),  # seats above moves
        ("  K  king    one square\n  Q  queen   any distance", []),
        ("Two lines\n  that end in an indent", []),
    ],
)
def test_two_columns_and_points_flow_on_a_telephone(text: str, terms: list[list[str]]) -> None:
    (block,) = cut(text)
    assert block.terms == terms


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  tumble challenge alice bob\n  help tutorial", ["tumble challenge alice bob", "help tutorial"]),
        (f"{kind('how')}\nTo move, answer with your move: h1-h5t", ["h1-h5t"]),
        (f"{kind('how')}\nAnswer with no, or do nothing: then it expires.", []),
    ],
)
def test_what_a_reader_can_send_stands_out(world: World, text: str, shown: list[str]) -> None:
    html = letter_html(world.site.renderer, cut(text)).text
    assert re.findall(r"<code[^>]*>([^<]*)</code>", html) == shown


def test_a_diagram_of_a_help_page_keeps_its_lines_on_a_telephone() -> None:
    words, diagram = flowing("Words of a page.\n\n  +--------+--------+\n 8|   B1   |        |")
    assert (words.kind, diagram.kind) == ("flow", "diagram")


def test_a_comment_is_set_off_and_stays_together(samples: dict[str, Received]) -> None:
    letter = samples["tumble"]
    (said,) = blocks(letter.html, "div", "words")
    assert said.split()[:2] == ["bob", "writes:"]
    assert said.split()[-1] == "Sunday."
    assert "board.\n\n    Your move." in letter.text


def test_a_comment_cannot_bring_html_or_look_like_the_server(world: World) -> None:
    world.board("alice", "bob", options="-c")
    comment = "<b>bold</b> & <a href='mailto:x@y'>z</a>\n\n\n\nTo move, answer this letter \x01how\n\x02and more"
    letter = next(
        x
        for x in world.mail("alice", "tumble move 101 alice alice-secret h4-g5t", comment)
        if x.to == "bob@example.org"
    )
    assert "<b>bold" not in letter.html
    assert "&lt;b&gt;bold&lt;/b&gt; &amp;" in letter.html
    assert "z</a>\n\n    To move, answer this letter how\n    and more\n" in letter.text
    (said,) = blocks(letter.html, "div", "words")
    assert said.split()[-2:] == ["and", "more"]
    assert says_the_same(letter.html, letter.text)


def test_a_url_of_ours_is_a_link_and_one_that_a_player_wrote_is_not(world: World) -> None:
    url = "https://games.example/games/tumble/help?a=1&b=2"
    text = f"{kind('fine')}\nRules: {linked(url)} , {'and more ' * 20}\n\n{kind('how')}\nTo play: {linked(url)}\n\n"
    found = cut(text + "bob writes:\n" + indented("See https://games.example/my or <a href='https://b.example'>"))
    html = letter_html(world.site.renderer, found).text
    shown = url.replace("&", "&amp;")
    assert re.findall(r'<a class="link" [^>]*href="([^"]*)">([^<]*)</a>', html) == [(shown, shown)] * 2
    assert html.count("<a ") == 2
    assert says_the_same(html, plain(found))
    assert max(map(len, plain(found).split("\n"))) <= 79


def test_html_is_ascii_so_that_no_link_is_quoted_printable(world: World) -> None:
    world.board("alice", "bob", game="chess")
    world.mail("bob", "set bob bob-secret language=de")
    letter = next(x for x in world.mail("alice", "chess move 101 alice alice-secret e2e4") if x.to == "bob@example.org")
    (html,) = (part for part in letter.message.walk() if part.get_content_type() == "text/html")
    assert "ü" in letter.html
    assert html["Content-Transfer-Encoding"] == "7bit"


def test_a_long_url_stays_whole() -> None:
    url = f"https://games.example/{'x' * 90}"
    assert plain(cut(f"Your page: {linked(url)}")) == f"Your page:\n{url}\n"


def test_a_help_page_flows(samples: dict[str, Received]) -> None:
    html = samples["help"].html
    assert "YOUR GOAL" in blocks(html, "h2")
    assert "Get as many points as you can before no card can move. A 1 and a 2 are worth" in html
    assert any("384" in table for table in blocks(html, "pre"))


def test_dark_windows_have_colours_of_their_own(samples: dict[str, Received]) -> None:
    """Every colour has a counterpart in the rules for dark mode, or is inherited from an element that has."""
    found = cut(f"{kind('how')}\nMove.\n\n{kind('diagram')}\n+-+")
    answers = Answers("p@x.example", "Re: 1", ["w"], Touches(others=("m",) * 999), "https://x.example/my/1")
    known = set[str]()
    for html in (samples["tumble"].html, letter_html(Renderer(), found, answers).text):
        light, _, rest = re.sub("<img [^>]*>", "", html).partition(
            "prefers-color-scheme: dark"
        )  # a board stays as it is
        dark, _, body = rest.partition("</style>")
        coloured = re.findall(r'class="(\w+)" style="[^"]*#[0-9a-f]{6}', body)
        coloured += re.findall(r"\.(\w+)\{[^}]*#[0-9a-f]{6}", light)
        assert [name for name in coloured if not re.search(rf"\.{name}\b[^{{]*{{[^}}]*#", dark)] == []
        assert re.findall(r'<(?!\w+ class)\w+ style="[^"]*#[0-9a-f]{6}', body) == []
        known |= set(coloured)
    assert known == {"letter", "fine", "board", "words", "how", "move", "verb"}


def test_a_template_can_name_only_kinds_that_there_are() -> None:
    with pytest.raises(ValueError, match="neat is no kind of block"):
        kind("neat")


def test_a_named_block_keeps_its_kind_wherever_the_name_stands() -> None:
    (block,) = cut(f"> tumble show 101\n{kind('diagram')}\n  A  B")
    assert (block.kind, block.text) == ("diagram", "> tumble show 101\n  A  B")


def test_blocks_go_through_templates_as_they_are(tmp_path: Path) -> None:
    text = f"{kind('lead')}\nRules: {linked('https://games.example')} .\n\n  A  B\n\nHi:\n{indented('a  b')}"
    words = joined([cut(text), pictured("+-+\n\n\n+-+", "[]")])
    assert [b.kind for b in words] == ["lead", "columns", "words", "prose"]
    (tmp_path / "twice.txt").write_text("{{ several[0] }}\n\n\n{{ several[0] }}  \n")
    assert Renderer(str(tmp_path)).blocks("twice.txt", {"several": [words]}) == joined([words, words])
    assert not re.search("[\x01-\x05]", f"{words}")


def test_an_answer_below_its_call_keeps_its_kind() -> None:
    (block,) = below("> tumble show 101", cut(f"{kind('diagram')}\n  A  B"))
    assert (block.kind, block.text) == ("diagram", "> tumble show 101\n  A  B")


@pytest.mark.parametrize("wrapped", [indented, str], ids=["a player's", "ours"])
def test_lines_are_broken_at_blanks_and_not_at_hyphens(wrapped: Callable[[str], str]) -> None:
    words = "seventy-eight " * 20
    (block,) = cut(wrapped(words.rstrip()))
    assert set(block.text.split()) == {"seventy-eight"}
    assert "\n" in block.text


def test_long_words_of_a_player_are_broken() -> None:
    (block,) = cut(indented("x" * 100))
    assert block.text == f"    {'x' * 75}\n    {'x' * 25}"
