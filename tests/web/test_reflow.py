"""What was lined up by hand for mails becomes lists and tables, and no word is lost."""

import re
from functools import cache

import pytest

from pbmserv.commands import COMMANDS
from pbmserv.commands.help import TOPICS, command_page, topic_page
from pbmserv.games import GAMES
from pbmserv.inbox.command import TERMS
from pbmserv.letters.text import blocks
from pbmserv.letters.text.blocks import Words
from pbmserv.web.manual import Section, sections
from tests.world import RENDERER


@cache
def help_pages() -> dict[str, Words]:
    """Return all pages of help, by name."""
    return {
        **{game.info.key: blocks.flowing(RENDERER.game_help(game)) for game in GAMES},
        **{topic: blocks.flowing(topic_page(RENDERER, "a@b.example", COMMANDS, topic)) for topic in TOPICS},
        **{f"{command.verb} {i}": blocks.cut(command_page(command, None)) for i, command in enumerate(COMMANDS)},
    }


def of(page: str | Words) -> list[Section]:
    return list(sections(blocks.cut(page) if isinstance(page, str) else page))


def words(section: Section) -> list[str]:
    """Return the words of a part, as a set of signs: in diagrams, what stood side by side comes one after the other."""
    texts = [text for row in section.rows for text in row]
    texts += [line for row in section.boxes for box in row for line in box.lines]
    return " ".join(texts).split()


def test_no_word_of_a_page_is_lost() -> None:
    for name, page in help_pages().items():
        text = re.sub(r"[-+|]{2,}|^ *- |[,|]", " ", page.text, flags=re.MULTILINE)
        found = re.sub(r"[,|]", " ", " ".join(word for part in of(page) for word in words(part)))
        assert sorted(re.findall(r"\w+", found)) == sorted(re.findall(r"\w+", text)), name


@pytest.mark.parametrize("language", RENDERER.languages)
def test_an_option_is_a_word_with_what_it_means(language: str) -> None:
    renderer = RENDERER.to(language)
    options = topic_page(renderer, "a@b.example", COMMANDS, "options")
    terms = [row[0] for part in of(blocks.flowing(options)) if part.kind == "terms" for row in part.rows]
    assert {f"-{o.name}" for game in GAMES for o in game.info.options} <= set(terms)
    assert {f"--{s.name}" for s in TERMS} <= {term.partition("=")[0] for term in terms}
    for page in (options, *map(renderer.game_help, GAMES)):
        assert re.findall(r"(?m)^ +-\w+ \S.*", page.text) == []


def test_a_turn_of_backgammon_is_a_word_with_what_it_means() -> None:
    terms = [row[0] for part in of(help_pages()["backgammon"]) if part.kind == "terms" for row in part.rows]
    assert {"24/18 13/11", "8/5(2) 6/3(2)", "13/8*/7"} <= set(terms)


def test_items_of_a_list_flow() -> None:
    (part,) = of("  - one goes\n    on\n  - two")
    assert part == Section("bullets", (("one goes on",), ("two",)))


def test_words_and_what_they_mean() -> None:
    (part,) = of("  c4      play the tile\n          there\n  store   keep it")
    assert part == Section("terms", (("c4", "play the tile there"), ("store", "keep it")))
    (part,) = of("  --private\n      not listed\n  --unrated\n      does not count")
    assert part == Section("terms", (("--private", "not listed"), ("--unrated", "does not count")))


def test_rows_of_equal_length_are_a_table_and_others_items() -> None:
    (table,) = of("  card    3   6\n  points  3   9")
    assert table == Section("table", (("card", "3", "6"), ("points", "3", "9")))
    (items,) = of("  Gr grass   Bu bush\n  3C castle   Ho house   Be bear")
    assert items.kind == "items"


def test_what_is_not_indented_says_what_follows() -> None:
    heading, lines = of("For example:\n  list tumble\n  list")
    assert heading == Section("paragraph", (("For example:",),))
    assert lines == Section("lines", (("list tumble",), ("list",)))


def test_a_diagram_is_a_grid_with_what_stands_around_it() -> None:
    text = """\
    A    B
  +----+----+
 2|W1  |    |  White wins
  +----+----+
 1|    |B1  |
  +----+----+
    A    B
Score: 3   Moves: 4"""
    grid, below = of(text)
    shown = [[" ".join(box.lines) for box in row] for row in grid.boxes]
    assert shown == [
        ["", "A", "B", ""],
        ["2", "W1", "", "White wins"],
        ["1", "", "B1", ""],
        ["", "A", "B", ""],
    ]
    assert [[box.bordered for box in row] for row in grid.boxes][1] == [False, True, True, False]
    assert below == Section("paragraph", (("Score: 3, Moves: 4",),))


def test_signs_in_narrow_cells_stay_in_their_places() -> None:
    (grid,) = of("  +---+---+\n  |\\  | | |\n 1| o-|-o |\n  |  \\|/  |\n  +---+---+")
    assert [box.lines for box in grid.boxes[0] if box.narrow] == [("\\  ", " o-", "  \\"), (" | ", "-o ", "/  ")]


def test_diagrams_side_by_side() -> None:
    (grid,) = of("     +--+     +--+\n  h  |B3|  u  |B2|\n     +--+     +--+")
    assert [" ".join(box.lines) for box in grid.boxes[0]] == ["h", "B3", "u", "B2", ""]


def test_a_diagram_without_borders_keeps_its_places() -> None:
    drawn = "    A   B\n 2  o - o\n    :   :\n 1  o - o\n    A   B"
    assert of(drawn) == [Section("drawing", tuple((line,) for line in drawn.split("\n")))]


def test_a_diagram_with_empty_lines_is_one() -> None:
    rows = "  A B\n2 . .\n\n1 . .\n  A B"
    drawing, score = of(f"{rows}\nBoxes: Red 0, Blue 0")
    assert drawing == Section("drawing", tuple((line,) for line in rows.split("\n")))
    assert " ".join(word for row in score.rows for word in row) == "Boxes: Red 0, Blue 0"


def test_no_page_shows_the_rows_of_a_board_as_a_list() -> None:
    for game in GAMES:
        kinds = {part.kind for part in of(help_pages()[game.info.key])}
        assert kinds & {"grid", "drawing"}, game.info.key
