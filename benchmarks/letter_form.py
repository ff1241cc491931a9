"""What a letter's HTML costs: bytes, and milliseconds of processor time, beside the letter in plain text alone.

    python -m benchmarks.letter_form

`before` is the form that letters had before boards became pictures (letter_before/mail/letter.html): the diagram as
text. All three forms are made of the same row of the outbox, by the code that a sender runs.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path
from statistics import median
from typing import Any

import sqlalchemy as sa

from benchmarks import work
from benchmarks.report import Sheet, ratio
from benchmarks.servers import KEY
from pbmserv import games
from pbmserv.boards import entries
from pbmserv.commands import command_language
from pbmserv.conformance.walks import random_turn
from pbmserv.db import engines, migrate, tables
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.pictures.html import Answers, Html, letter_html
from pbmserv.letters.pictures.linking.links import mailto_end, mailto_start
from pbmserv.letters.site import Site
from pbmserv.letters.text.blocks import Block
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.waiting import draft
from pbmserv.letters.waiting.finisher import Finisher
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.mail.signed_addresses import Signer
from pbmserv.model import Settings
from pbmserv.rng import Rng
from pbmserv.store import Store

ROUNDS, LETTERS = 9, 20  #: rounds in which the forms take turns, and letters of each form in a round
_BEFORE = Path(__file__).with_name("letter_before")
_MOST_LISTED = 40  #: moves that a letter linked before
_STAGES = {"opening": 1, "middle": 30}  #: the ply after which the letter is written, if the game is so long


@dataclass
class Form:
    """A form of letters: who makes it, for which setting of the reader, and what it costs."""

    site: Site
    setting: str
    html_of: Callable[..., Html] = letter_html
    milliseconds: list[float] = field(default_factory=list)  #: of one letter, by round
    message: bytes = b""

    @property
    def size(self) -> int:
        """Return the bytes of the whole message."""
        return len(self.message)

    @property
    def html(self) -> int:
        """Return the bytes of its HTML, which some mail services cut at 102 kB."""
        parts = [p for p in message_from_bytes(self.message).walk() if p.get_content_type() == "text/html"]
        return sum(len(p.get_payload(decode=True)) for p in parts)


def html_before(renderer: Renderer, blocks: Sequence[Block], answers: Answers, beside: int = 0) -> Html:
    """Return the HTML of a letter as it was before: links to all moves, in alphabetical order, if there are few."""
    touches = answers.touches
    ways = (way.text for ways in touches.starts.values() for way in ways)
    moves = sorted([*touches.cells.values(), *ways, *touches.others])
    start = mailto_start(answers.address, answers.subject)
    links = [(text, start + mailto_end(text)) for text in (moves if len(moves) <= _MOST_LISTED else [])]
    verbs = [(word, start + mailto_end(word)) for word in answers.words]
    return Html(renderer.html(blocks, {}, moves=links, verbs=verbs))


class Desk:
    """A server with one board in each state, and the letter about it that waits for the player who is to move."""

    def __init__(self, folder: Path) -> None:
        self._engine = engines.connect(f"sqlite:///{folder}/pbmserv.db")
        migrate.upgrade(self._engine)
        self._signer = Signer(work.ADDRESS, KEY.encode())
        self._now, self._before = (Site(self._signer, Renderer(first)) for first in (None, str(_BEFORE)))
        self._pipeline = Pipeline(self._engine, self._now, command_language(), bytes)
        work.tables(self._engine, 1, self._signer)

    def measure(self, game: AnyGame, plies: int, rounds: int, letters: int) -> Sequence[Form]:
        """Make a letter in all forms in turns: plain text alone, as before, and as now."""
        row = self._row(game, plies)
        forms = [Form(self._now, "text"), Form(self._before, "html", html_before), Form(self._now, "html")]
        for _ in range(rounds):
            for form in forms:
                self._make(form, row, letters)
        return forms

    def close(self) -> None:
        """Let the file go."""
        self._engine.dispose()

    def _make(self, form: Form, row: Any, letters: int) -> None:
        with self._engine.begin() as connection:
            store = Store(connection)
            for player in self._players(store, 2):
                store.players.set_preference(player.id, "", "mail", form.setting)
        with self._engine.connect() as connection:
            store, finisher = Store(connection), Finisher(form.site)
            setattr(draft, "letter_html", form.html_of)  # noqa: B010 - mypy takes the name for private
            finisher.finish(store, [row])  # the board is remembered from now on, as in a sender
            began = time.process_time()
            for _ in range(letters):
                made = finisher.finish(store, [row])[row.id]
            form.milliseconds.append(1000 * (time.process_time() - began) / letters)
            setattr(draft, "letter_html", letter_html)  # noqa: B010
        if isinstance(made, Exception):
            raise made
        form.message = made

    def _row(self, game: AnyGame, plies: int) -> Any:
        """Return the row of the letter to the player who is to move after so many random moves."""
        board = play.begin(Start(game, game.usual_options({}), game.info.seats[0], "0" * 32))
        with self._engine.begin() as connection:
            store = Store(connection)
            players = self._players(store, board.start.seats)
            row = entries.begin(store, board, players, Settings(), datetime.now(UTC))
            change = _turn(row.board)
            for _ in range(plies - 1):
                after = _turn(change.board)
                if not after.board.to_move:
                    break  # the game was short: this is its last letter that asks for a move
                row = entries.write(store, row, change, None, datetime.now(UTC))
                change = after
        seat = change.entry.seat
        to = self._signer.sign(signed_addresses.BOARD, row.number, seat, row.board.length)
        mail = work.answer(players[seat].userid, to, row.number, change.entry.text)
        incoming = Incoming(mail.data, mail.sender, (mail.recipient,), "127.0.0.1")
        if self._pipeline.handle([self._pipeline.prepare(incoming)]) != [ACCEPTED]:
            raise RuntimeError(f"the move of {game.info.name} was not taken")
        to_move = change.board.to_move  # who places ships goes on alone
        reader = work.address(players[seat if seat in to_move else min(to_move)].userid)
        outbox = tables.outbox.c
        wanted = sa.select(tables.outbox).where(outbox.board == row.number, outbox.recipient == reader)
        with self._engine.connect() as connection:
            return connection.execute(wanted).one()

    def _players(self, store: Store, count: int) -> list[Any]:
        return [store.players.find(f"{name}0") for name in work.NAMES[:count]]


def _turn(board: Board) -> play.Change:
    return random_turn(board, Rng("letters", board.length)).change


def sheets(rounds: int = ROUNDS, letters: int = LETTERS) -> Iterator[Sheet]:
    """The table."""
    sheet = Sheet(
        "A board letter to the player who is to move, and its HTML",
        ("letter", "form", "bytes", "HTML", "ms", "ms to plain text", "HTML to before", "ms to before"),
    )
    with tempfile.TemporaryDirectory(prefix="pbmserv-letters-") as folder:
        desk = Desk(Path(folder))
        for game in games.listed():
            for stage, plies in _STAGES.items():
                sheet.rows += _rows(f"{game.info.name}, {stage}", desk.measure(game, plies, rounds, letters))
        desk.close()
    sheet.notes.append(
        "Processor time of a sender whose memory has the position: page, words, form and message. `before`: the "
        "form in which a board in HTML was its text diagram, with links to at most forty moves. Its time includes what "
        "only the new form needs: all moves are arranged, and the picture is packed. Before there were pictures, a "
        "letter with HTML took 1.2 to 1.5 times as long as plain text alone."
    )
    yield sheet


def _rows(name: str, forms: Sequence[Form]) -> list[Sequence[str]]:
    plain, before, now = forms
    rows: list[Sequence[str]] = [(name, "plain text", f"{plain.size:,}", "", _ms(plain), "1.00", "", "")]
    for label, form in (("before", before), ("now", now)):
        costs = [ratio(form.milliseconds, other.milliseconds) for other in (plain, before)]
        to_plain, to_before = (f"{cost:.2f}" for cost in costs)
        html = f"{form.html / before.html:.2f}"
        rows.append(("", label, f"{form.size:,}", f"{form.html:,}", _ms(form), to_plain, html, to_before))
    return rows


def _ms(form: Form) -> str:
    return f"{median(form.milliseconds):.2f}"


def main() -> None:
    """Measure and print."""
    for sheet in sheets():
        sheet.show()


if __name__ == "__main__":
    main()
