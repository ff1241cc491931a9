"""Diagrams and the help page fit into a letter."""

import re

import pytest
from jinja2 import TemplateNotFound

from pbmserv.conformance.picture_checks import renderer
from pbmserv.conformance.test_random_games import some
from pbmserv.conformance.walks import large_setups, readers, record, setups, some_walks, some_walks_with_leavers
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start, begin
from pbmserv.letters.text.templates import WIDTH, shown_in_help

#: `White begins with d1-d7/g7. Black answers g10-g9/d9.`
_FROM_THE_START = re.compile(r"\bbegins\s+(?:with\s+(?:\S*[0-9]\S+|\S+[0-9])|as\s+in\s+the\s+diagram)")
_SENT = re.compile(r"\b(?:sends|answers|You answer:|begins with) (\S*[0-9]\S+|\S+[0-9])")


@some
def test_every_diagram_fits_a_letter(game: AnyGame, part: slice) -> None:
    """Check all displays for all readers. A template with an undefined name fails here, too."""
    leaving = some_walks_with_leavers(game) if large_setups(game) else []
    for boards in (record(game, walk).boards for walk in (*some_walks(game)[part], *leaving[part])):
        for board in (*boards[:: max(1, len(boards) // 3)], boards[-1]):
            for display in [d.name for d in game.info.displays] or [""]:
                _check_diagrams(game, board, display)


def test_the_help_page(game: AnyGame) -> None:
    page = _help_page(game)
    _check_lines(page, "help page")
    words = re.sub(r"\s+", " ", page)
    assert game.info.credit in words, f"The help page has to mention the credit: {game.info.credit}"
    for name in [f"-{option.name}" for option in game.info.options]:
        assert re.search(rf"(?<!\S){name}\b", page), f"The help page does not explain the option {name}."
    for display in game.info.displays:
        assert re.search(rf"(?m)^ +{display.name}\b", page), f"The help page does not list the display {display.name}."


def test_the_help_page_shows_a_move(game: AnyGame) -> None:
    """The page contains, as a word, the example of the opening or another canonical text of a legal move."""
    board = _opening(game)
    seat = min(board.to_move)
    texts = {game.format(move) for move in game.legal_moves(board.position, seat)}
    shown = set(re.findall(r"[^\s,;:.()\"']+", _help_page(game).lower()))
    assert texts & shown, f"The help page shows no move that could be played first, such as {min(texts)}."


def test_the_help_page_says_who_begins(game: AnyGame) -> None:
    """The first `… begins` or `… moves first` on the page names a seat that is to move on the board of the page."""
    board = shown_in_help(game)
    names = "|".join(map(re.escape, board.seat_names))
    told = re.search(rf"\b({names}) (?:begins|moves first|plays first)\b", re.sub(r"\s+", " ", _help_page(game)))
    first = [board.seat_names[seat] for seat in board.to_move]
    assert told is None or told[1] in first, f"The help page says {told and told[0]!r}, but {first} is to move first."


def test_the_moves_on_the_help_page(game: AnyGame) -> None:
    """The example can be played on the board of the page. What its list of moves and its worked turn send are moves."""
    board = shown_in_help(game)
    (seat, *_), page = sorted(board.to_move), _help_page(game)
    play.play(board, seat, game.example(board.position, seat))
    worked = _section(page, "A WORKED TURN") or _section(page, "AN EXAMPLE")
    for text in (*_listed(page), *_sent(worked)):
        assert game.is_move(game.normalise(text)), f"The help page says {text!r}, but `info.pattern` does not match it."
    for text in _sent(worked) if _FROM_THE_START.search(worked) else ():
        board = play.play(board, min(board.to_move), text).board


def test_the_help_page_in_other_languages(game: AnyGame) -> None:
    """Translations list the same moves."""
    for language in renderer().languages:
        page = renderer().to(language).game_help(game).text
        lost = [text for text in _listed(_help_page(game)) if text not in page]
        assert not lost, f"The help page in the language {language} does not have these moves: {lost}"


def _section(page: str, title: str) -> str:
    """Return the part of a page below a title; "" if it is not there."""
    _, head, rest = page.partition(f"\n{title}\n")
    return re.split(r"(?m)^[A-Z][A-Z ,]{3,}$", rest)[0] if head else ""


def _listed(page: str) -> list[str]:
    """Return the moves in the list below HOW TO WRITE A MOVE: the first word of each line that explains one."""
    return re.findall(r"(?m)^  (\S+) {2,}\S", _section(page, "HOW TO WRITE A MOVE"))


def _sent(text: str) -> list[str]:
    """Return what a text says that somebody sends, answers or begins with."""
    return [word.rstrip(".,;:") for word in _SENT.findall(re.sub(r"\s+", " ", text))]


def _opening(game: AnyGame) -> Board:
    plainest = setups(game)[0]
    return begin(Start(game, dict(plainest.options), plainest.seats, "0" * 32))


def _help_page(game: AnyGame) -> str:
    """Return the page that `KEY help` mails."""
    try:
        return renderer().game_help(game).text
    except TemplateNotFound:
        pytest.fail(f"There is no help page: write templates/help/{game.info.key}.txt")


def _check_diagrams(game: AnyGame, board: Board, display: str) -> None:
    for reader in readers(board):
        picture = renderer().diagram(game, game.view(board.position, reader), display)
        _check_lines(picture, f"diagram (display {display!r})")
        assert picture.isascii(), f"The diagram has characters beyond ASCII:\n{picture}"


def _check_lines(text: str, what: str) -> None:
    assert text.strip(), f"The {what} is empty."
    for line in text.split("\n"):
        assert len(line) <= WIDTH, f"A line of the {what} has {len(line)} characters, not {WIDTH} at most:\n{line}"
        assert line == line.rstrip(), f"A line of the {what} ends in spaces:\n{line!r}"
        assert line.isprintable(), f"A line of the {what} has a tab or control character:\n{line!r}"
