"""Makes messages of letters that wait. A board letter gets its page, its words and its form only now."""

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypedDict

from pbmserv.boards.past import Budget, Past, Replays
from pbmserv.games import NotInstalled, demand_installed
from pbmserv.games.base.log import Entry
from pbmserv.letters.board_page import Pages, board_subject
from pbmserv.letters.letters import AWAY, Cause, Letters, People
from pbmserv.letters.pictures.touch import NO_TOUCHES, touches
from pbmserv.letters.site import Site
from pbmserv.letters.waiting import board_draft, draft
from pbmserv.letters.waiting.board_draft import BoardDraft
from pbmserv.letters.waiting.draft import Draft
from pbmserv.letters.waiting.positions import Positions
from pbmserv.letters.waiting.threads import Threads
from pbmserv.letters.waiting.turn_files import turn_files
from pbmserv.mail import signed_addresses
from pbmserv.mail.outbound import Attachment
from pbmserv.mail.signed_addresses import Signer
from pbmserv.model import BoardRow, Player
from pbmserv.model.letters import Form, LetterKind, StoredLetter
from pbmserv.store import Store, is_down

#: Moves in the table of a letter: four rounds, and one that is not shown whole. In a solitaire a round has ten moves.
_IN_TABLE, _IN_SOLITAIRE = 5, 50
#: The most entries of a log that are read at once. If a letter needs more, it reads them itself.
_AT_ONCE = 250


class Finisher:
    """Makes messages of rows of the outbox. It remembers positions, so a sender has one for all its letters.

    The same row gives the same bytes each time, unless templates, or the reader's settings, have changed meanwhile.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._positions = Positions()

    def finish(self, store: Store, rows: Sequence[StoredLetter]) -> dict[int, bytes | Exception]:
        """Return the message for each row by its id, or why it cannot be made. Raises the database's errors."""
        try:
            return self._finish(store, rows)
        except Exception as bug:
            if _is_of_the_database(bug):
                raise
            if len(rows) == 1:
                return {rows[0].id: bug}
            return {id_: made for row in rows for id_, made in self.finish(store, [row]).items()}

    def _finish(self, store: Store, rows: Sequence[StoredLetter]) -> dict[int, bytes | Exception]:
        signed = {row.id: self._site.signer.with_signatures(row.data) for row in rows}
        views = {row.id: BoardDraft.unpack(signed[row.id]) for row in rows if row.form == Form.VIEW}
        boards = _Boards(self._site, store, list(views.values()), self._positions)
        making = {row.id: self._message(signed[row.id], row, boards, views.get(row.id)) for row in rows}
        made = dict[int, bytes | Exception]()
        while making:
            for id_, steps in list(making.items()):
                try:
                    next(steps)
                    continue
                except StopIteration as end:
                    made[id_] = end.value
                except Exception as bug:
                    if _is_of_the_database(bug):
                        raise
                    made[id_] = bug
                del making[id_]
        return made

    def words(self, store: Store, row: StoredLetter) -> Draft | None:
        """Return the words of the letter of a row; None if it was finished when it was written, before release 1.0.

        Raises the database's errors, and whatever keeps the letter from being made.
        """
        signed = self._site.signer.with_signatures(row.data)
        if row.form == Form.VIEW:
            view = BoardDraft.unpack(signed)
            boards = _Boards(self._site, store, [view], self._positions)
            return draft.reached(boards.words(row, view, boards.data(row, view)), self._site)
        return draft.reached(Draft.unpack(signed), self._site) if row.form == Form.WORDS else None

    def _message(
        self, signed: bytes, row: StoredLetter, boards: "_Boards", view: BoardDraft | None
    ) -> Generator[None, None, bytes]:
        """Make a message in steps: each is done for all letters before the next one begins.

        So the code of a step is in the processor's cache for most of them (docs/adr/0082).
        """
        if row.form == Form.EVENT:  # an admin looks at it
            return b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + signed
        if row.form == Form.MESSAGE:
            return signed
        if view:
            data = boards.data(row, view)
            yield
            words = boards.words(row, view, data)
        else:
            words = Draft.unpack(signed)
        yield
        return draft.formed(draft.reached(words, self._site), self._site.renderer, self._site.signer)


def _is_of_the_database(bug: Exception) -> bool:
    """Return whether no letter can be made now. A template or a game that fails can raise the machine's errors, too."""
    return is_down(bug) and not isinstance(bug, (OSError, MemoryError))


def marks_of(message_id: str, signer: Signer) -> list[bytes]:
    """Return parts of rows of the outbox. The row of the letter with this Message-ID has one of them, no other has any.

    The angle brackets of the Message-ID are optional.
    """
    whole = f"<{message_id.strip('<> ')}>"
    token = signer.verify(whole[1:].partition("@")[0])
    mark = board_draft.mark(token.numbers) if token and signer.message_id(*token.numbers) == whole else None
    return [*draft.marks(whole, signer), *([mark] if mark else [])]


class _Boards:
    """The boards and the readers of some waiting letters, read with a few statements for all of them."""

    def __init__(self, site: Site, store: Store, drafts: Collection[BoardDraft], positions: Positions) -> None:
        self._site, self._store, self._positions = site, store, positions
        boards, players = {d.board for d in drafts}, {d.player for d in drafts}
        store.ask_ahead(lambda: (store.boards.find_many(boards), People.ask(store, players)))
        self._rows = store.boards.find_many(boards)
        self._ends = _Ends(store, self._rows, drafts)
        self._players = {p.id: p for row in self._rows.values() for p in row.players}
        others = players - self._players.keys()
        self._players |= {p.id: p for p in (store.players.by_ids(others) if others else ())}
        self._people = People(store, [self._players[id_] for id_ in players])
        self._moments: dict[tuple[int, int], _Moment] = {}

    def words(self, row: StoredLetter, view: BoardDraft, data: Mapping[str, object]) -> Draft:
        """Return the words and headers of a letter. `data`: what its template needs, see `data`."""
        moment = self._moment_of(row, view)
        board, player = moment.row, self._players[view.player]
        is_asked = view.asked is not None
        cause = Cause(row.mail_id, row.recipient if is_asked else "", view.asked or "", view.references)
        letters = Letters(self._site, self._store, cause, row.created)
        reader = self._people.reader(player, row.recipient, row.created - AWAY)
        (draft,) = letters.drafts(
            [reader],
            row.kind,
            self._subject(board, player, view),
            data,
            thread=() if view.begins else moment.threads.until(player.id, view.had),  # then nothing came before
            message_id=self._message_id(moment, view),
            kind_of_list=board.key,
            attachments=self._files(row, moment, player, view),
            **self._answers(board, player, view, row.kind),
        )
        return draft

    def _moment_of(self, row: StoredLetter, view: BoardDraft) -> "_Moment":
        return self._moment(view, needs_rules=not view.absent and row.kind != LetterKind.CHAT)

    def _message_id(self, moment: "_Moment", view: BoardDraft) -> str:
        if view.again:
            return self._site.signer.message_id(view.again)
        return moment.threads.letter(view.player, view.length)

    def _moment(self, view: BoardDraft, *, needs_rules: bool) -> "_Moment":
        """Return the board as of the length that a letter shows. Letters of one length share it.

        Raises GameMissing if the letter needs the rules of a game that is not installed. It waits for the game.
        """
        now, key = self._rows[view.board], (view.board, view.length)
        if needs_rules:
            demand_installed(now.game)
        if key not in self._moments:
            then = (
                now if now.board.length == view.length else replace(now, board=replace(now.board, length=view.length))
            )
            log = Past(self._store, then, self._ends.until(view.board, view.length))
            is_absent = isinstance(now.game, NotInstalled)
            board = then.board if is_absent else self._positions.at(self._store, now, view.length, log)
            pages = Pages(self._site, Replays(self._store, Budget()))
            threads = Threads(self._site, view.board, log)
            self._moments[key] = _Moment(
                then if then.board is board else replace(then, board=board), log, pages, threads
            )
        return self._moments[key]

    def _subject(self, board: BoardRow, player: Player, view: BoardDraft) -> str:
        return board_subject(board, player, self._people.preferences(player), playing=view.seat is not None)

    def data(self, row: StoredLetter, view: BoardDraft) -> Mapping[str, object]:
        """Return what the template of a letter needs."""
        moment, player = self._moment_of(row, view), self._players[view.player]
        board = moment.row
        if row.kind == LetterKind.CHAT:
            name = board.game.info.name
            ply, is_playing = board.board.ply + 1, view.seat is not None
            return {"comment": view.comment, "number": board.number, "game": name, "ply": ply, "playing": is_playing}
        wants = self._people.preferences(player)
        comments = [view.comment] if view.comment else []
        is_first = view.is_first and view.seat is not None
        page = moment.pages.page(
            *(board, moment.log, view.seat, view.since, wants, comments, view.beside), at=row.created, is_first=is_first
        )
        if view.seat is None:
            return {**page, "reader": player.userid}
        news = self._site.renderer.to(wants.language).say(view.news)
        touched = touches(board.board, view.seat) if wants.wants_html else NO_TOUCHES
        more = {"news": news, "first": view.is_first, "touches": touched}
        if view.alone and not (page["my_turn"] or board.board.result):  # its reader has nothing to answer
            more["answers"] = ()
        return page | more | {"receipt": view.receipt, "length": view.length}

    def _files(self, row: StoredLetter, moment: "_Moment", player: Player, view: BoardDraft) -> tuple[Attachment, ...]:
        """Return the files of a turn letter, if its reader wants them.

        The answer to an answer to an old letter has none. A newer letter has them, and a program would answer both.
        """
        wants_it = row.kind == LetterKind.BOARD and not view.absent and self._people.preferences(player).wants_record
        is_repeated = view.again and view.asked is not None and view.since < view.length
        if not wants_it or is_repeated or view.seat not in moment.row.board.to_move:
            return ()
        return turn_files(self._site, self._store, moment.row, view.seat, moment.log)

    def _answers(self, board: BoardRow, player: Player, view: BoardDraft, kind: str) -> "_Answering":
        """Return where an answer goes, and where to write to get no more of such letters."""
        sign = self._site.signer.sign
        if view.seat is None:
            return {"stop": sign(signed_addresses.UNSUBSCRIBE, board.number, player.id)}
        epoch = board.players[view.seat].epoch
        reply_to = self._site.signer.chat if kind == LetterKind.CHAT else self._site.signer.answer
        answer = reply_to(board.number, view.seat, view.length, epoch)
        stop = sign(signed_addresses.STOP, player.id, signed_addresses.OWN_MOVES) if view.alone else ""
        return {"reply_to": answer, "stop": stop}


class _Answering(TypedDict, total=False):
    reply_to: str
    stop: str


class _Moment(NamedTuple):
    """A board as of one length of its log."""

    row: BoardRow
    log: Past
    pages: Pages
    threads: Threads


class _Ends:
    """The ends of the logs that some letters need, read with one statement."""

    def __init__(self, store: Store, rows: Mapping[int, BoardRow], drafts: Collection[BoardDraft]) -> None:
        self._first: dict[int, int] = {}
        last: dict[int, int] = {}
        for d in drafts:
            seats = len(rows[d.board].players) if d.board in rows else 0
            in_table = _IN_TABLE * seats if seats > 1 else _IN_SOLITAIRE
            needed = min(d.since - 1, d.had - Threads.RECENT - Threads.TELLING, d.length - in_table)
            least = max(0, needed, d.length - _AT_ONCE)
            self._first[d.board] = min(self._first.get(d.board, least), least)
            last[d.board] = max(last.get(d.board, 0), d.length)
        parts = [(number, self._first[number] + 1, last[number]) for number in rows]
        self._entries = store.boards.ends_of_logs(parts)

    def until(self, board: int, length: int) -> Sequence[Entry]:
        """Return the entries of a board's log that were read, up to this length."""
        return self._entries[board][: length - self._first[board]]
