"""Queries for admins: contradictions between rows, and everything about one mail, player or board."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from datetime import datetime

import sqlalchemy as sa

from pbmserv import games
from pbmserv.db import tables
from pbmserv.db.pipelining.statement import AnySelect
from pbmserv.db.queries import Queries
from pbmserv.mail.envelope import LetterStatus, MailStatus
from pbmserv.model import Rating, receipts
from pbmserv.model.boards import Difference, SeatRow
from pbmserv.model.letters import ListedLetter
from pbmserv.model.operations import GAMES, version_of
from pbmserv.model.preferences import Preferences
from pbmserv.model.ratings import BestScore
from pbmserv.model.rows import Plain, SealedEntry, StoredBoard
from pbmserv.store.letters import LETTER_COLUMNS
from pbmserv.store.ratings import rating_level, score_level

_ENTRIES = 2_000  #: rows of logs that are read at once
_REPAIR = "pbmserv boards verify --repair"

MAIL_STATUSES, LETTER_STATUSES = tuple(MailStatus), tuple(LetterStatus)
_WAITING = (LetterStatus.QUEUED, LetterStatus.HELD)

#: With these preferences a move may cause no letter.
_MAY_SAVE_LETTERS = (Preferences.wants_own.name, Preferences.wants_digest.name)
#: The kinds of letters that the clock or an admin can cause. All other kinds answer a mail.
_WITHOUT_MAIL = ("board", "copy", "digest", "answer", "confirm", "farewell", "review", "puzzle", "weekly")
#: And those about tournaments, which begin so.
_OF_TOURNAMENTS = "tournament"
#: Mails with these statuses may have played: before the line with the error, others were run.
_ACTING = (MailStatus.DONE, MailStatus.ERROR)


class AuditQueries(Queries):
    """Queries that only read."""

    def numbers_after(self, number: int, limit: int) -> list[int]:
        """The numbers of the boards that follow a number, the lowest first."""
        c = tables.board.c
        return list(self._c.scalars(sa.select(c.number).where(c.number > number).order_by(c.number).limit(limit)))

    def games(self) -> list[str]:
        """The keys of all games that boards are of. It takes one look into an index for each game."""
        c = tables.board.c
        keys = set[str]()
        for part in (c.over.is_(None), c.over.is_not(None)):
            key = self._c.scalar(sa.select(sa.func.min(c.game)).where(part))
            while key is not None:
                keys.add(key)
                key = self._c.scalar(sa.select(sa.func.min(c.game)).where(part, c.game > key))
        return sorted(keys)

    def games_missing(self) -> list[str]:
        """The games whose boards wait because they are not installed: `chess`, or `chess with rules 1`.

        Only versions of rules that the clock has seen count.
        """
        installed = games.versions()
        here = {key for key, _ in installed}
        known = self._c.scalar(sa.select(tables.fact.c.value).where(tables.fact.c.name == GAMES))
        gone = [v for v in map(version_of, json.loads(known or "{}")) if v[0] in here and v not in installed]
        keys = [key for key in self.games() if key not in here]
        return keys + [f"{key} with rules {rules}" for key, rules in gone]

    def seat_rows(self, number: int) -> list[SeatRow]:
        """The seats of a board."""
        c = tables.seat.c
        query = sa.select(c.seat, c.to_move, c.rank, c.score).where(c.board == number).order_by(c.seat)
        return [SeatRow(*row) for row in self._c.execute(query)]

    def ending(self, number: int) -> int | None:
        """Return the number of a board's end among all ends on the server; None while it runs."""
        return self._c.scalar(sa.select(tables.board.c.ending).where(tables.board.c.number == number))

    def boards_without_pairing(self) -> list[int]:
        """Return boards of tournaments that do not belong to a pairing."""
        b, p = tables.board.c, tables.pairing.c
        query = sa.select(b.number).where(b.tournament.is_not(None), ~sa.exists().where(p.board == b.number))
        return list(self._c.scalars(query.order_by(b.number)))

    def endings(self) -> tuple[int, int]:
        """How many boards have ended, and the number of the last ending."""
        c = tables.board.c
        row = self._c.execute(sa.select(sa.func.count(c.ending), sa.func.coalesce(sa.func.max(c.ending), 0))).one()
        return row[0], row[1]

    def ratings_of_all(self) -> dict[tuple[str, int], Rating]:
        """All ratings: (game, player) -> rating."""
        columns = [tables.rating.c[name] for name in ("game", "player_id", *(f.name for f in fields(Rating)))]
        return {(r.game, r.player_id): Rating(*r[2:]) for r in self._c.execute(sa.select(*columns))}

    def scores_of_all(self) -> dict[tuple[str, str, int], BestScore]:
        """Return all high scores: (game, options, player id) -> score."""
        c = tables.score.c
        columns = (c.game, c.variant, c.player_id, c.best, c.total, c.boards)
        return {tuple(r[:3]): BestScore(*r[3:]) for r in self._c.execute(sa.select(*columns))}

    def levels_of_all(self) -> dict[tuple[str, str, str, int], int]:
        """The counts in the table `level`: (list, game, options, level) -> players. Zeros are left out."""
        c = tables.level.c
        rows = self._c.execute(sa.select(c.list, c.game, c.variant, c.level, c.players).where(c.players != 0))
        return {tuple(r[:4]): r.players for r in rows}

    def levels_in_lists(self) -> dict[tuple[str, str, str, int], int]:
        """Return what `levels_of_all` should return, counted in the lists themselves."""
        c, s = tables.rating.c, tables.score.c
        rated = sa.select(sa.literal("ratings"), c.game, sa.literal(""), c.level, sa.func.count()).group_by(
            c.game, c.level
        )
        scored = sa.select(sa.literal("scores"), s.game, s.variant, s.level, sa.func.count())
        queries = (rated, scored.group_by(s.game, s.variant, s.level))
        return {tuple(r[:4]): r[4] for query in queries for r in self._c.execute(query)}

    def wrong_levels(self) -> list[tuple[str, int]]:
        """Return the ratings and scores whose level does not match their value, as (game, player id)."""
        c, s = tables.rating.c, tables.score.c
        rated = self._c.execute(sa.select(c.game, c.player_id, c.mu, c.level))
        scored = self._c.execute(sa.select(s.game, s.player_id, s.best, s.level))
        wrong = [(r.game, r.player_id) for r in rated if r.level != rating_level(r.mu)]
        return wrong + [(r.game, r.player_id) for r in scored if r.level != score_level(r.best)]

    def count_rows(self, table: str) -> int:
        """How many rows a table has, such as `mail` or `outbox`."""
        return self._c.execute(sa.select(sa.func.count()).select_from(tables.metadata.tables[table])).scalar_one()

    def next_rows(self, table: str, after: int, limit: int) -> tuple[int, int]:
        """The next mails or letters after a number: the last one's number, and how many they are; (0, 0) if none."""
        c = tables.metadata.tables[table].c
        following = sa.select(c.id).where(c.id > after).order_by(c.id).limit(limit).subquery()
        last, count = self._c.execute(sa.select(sa.func.max(following.c.id), sa.func.count())).one()
        return last or 0, count

    # --- entries of the boards from `first` to `last` ----------------------------------------------------------------

    def count_entries(self, first: int, last: int) -> int:
        """How many there are."""
        query = sa.select(sa.func.count()).select_from(tables.entry).where(tables.entry.c.board.between(first, last))
        return self._c.execute(query).scalar_one()

    def entries_without_cause(self, first: int, last: int) -> list[Difference]:
        """Return entries whose board or mail does not exist, or whose mail did nothing or came later."""
        e, m = tables.entry.c, tables.mail.c
        joined = tables.entry.outerjoin(tables.mail, m.id == e.mail_id).outerjoin(
            tables.board, tables.board.c.number == e.board
        )
        wrong = sa.case(
            (tables.board.c.number.is_(None), sa.literal("its board is not there")),
            (sa.and_(e.mail_id.is_not(None), m.id.is_(None)), _phrase("the mail", e.mail_id, "is not there")),
            (m.status.not_in(_ACTING), _phrase("the mail", e.mail_id, "did nothing")),
            (m.received > e.at, _phrase("the mail", e.mail_id, "came later")),
        )
        query = sa.select(e.board, e.number, wrong.label("why")).select_from(joined)
        return self._differences(query.where(e.board.between(first, last), wrong.is_not(None)))

    def moves_without_letter(self, first: int, last: int, since: datetime) -> list[Difference]:
        """Return entries since a time whose mail caused no letter, although the player should have got one.

        A player should get one unless they chose to get fewer letters, or none of their addresses worked. (An address
        that was suspended at the time of the move and works again now looks the same as one that always worked.)
        """
        e, a, p = tables.entry.c, tables.address.c, tables.preference.c
        joined = tables.entry.join(tables.seat, sa.and_(tables.seat.c.board == e.board, tables.seat.c.seat == e.seat))
        joined = joined.join(tables.mail, tables.mail.c.id == e.mail_id)
        joined = joined.join(
            tables.player, sa.and_(tables.player.c.id == tables.seat.c.player_id, tables.player.c.closed.is_(None))
        )
        works = (a.confirmed <= e.at, a.suspended.is_(None), a.bounces == 0)
        query = sa.select(e.board, e.number, _phrase("the mail", e.mail_id, "caused no letter").label("why"))
        query = query.select_from(joined).where(
            e.board.between(first, last),
            e.at >= since,
            tables.mail.c.status == MailStatus.DONE,
            sa.exists().where(a.player_id == tables.player.c.id, *works),
            ~sa.exists().where(p.player_id == tables.player.c.id, p.game == "", p.name.in_(_MAY_SAVE_LETTERS)),
            ~sa.exists().where(tables.outbox.c.mail_id == e.mail_id),
        )
        return self._differences(query)

    def wrong_receipts(self, first: int, last: int) -> list[Difference]:
        """Return the entries that do not fit their receipts, and the boards that do not fit theirs. It needs no rules.

        `first` and `last` must be near each other: the boards between them are read at once, without their logs.
        """
        b = tables.board.c
        columns = (b.number, b.game, b.rules, b.options, b.settings, b.seed, b.origin, b.created)
        more = (b.left_seat, b.beginning, b.length, b.receipt)
        boards = self._found(sa.select(*columns, *more).where(b.number.between(first, last)).order_by(b.number))
        return [difference for board in boards for difference in self._wrong_receipts(board)]

    def _wrong_receipts(self, board: StoredBoard) -> Iterator[Difference]:
        if why := _wrong_beginning(board):
            yield Difference(board.number, 0, why)
        before = receipts.receipt_of(board.beginning)
        for row in self._log(board.number):
            sealed = receipts.seal(receipts.salt(board.seed, row.number), row.text)
            about = (row.seat, row.kind, sealed, row.ply, row.at)
            if not row.receipt and board.beginning:
                yield Difference(board.number, row.number, f"it has no receipt: {_REPAIR}")
            elif row.receipt != receipts.next_receipt(before, board.number, row.number, *about):
                yield Difference(board.number, row.number, "it does not fit its receipt, or the one before")
            before = row.receipt
        if board.receipt != before:
            yield Difference(board.number, 0, "its receipt is not that of the last entry")

    def sealed_later(self, number: int = 0) -> int:
        """Return how many boards have receipts that were made later than they began: of one board, or of all."""
        b = tables.board.c
        query = sa.select(sa.func.count()).where(b.beginning.contains(',"sealed":"'))  # quotes in names are escaped
        return self._c.execute(query.where(b.number == number) if number else query).scalar_one()

    def seal(self, at: datetime, number: int = 0) -> list[int]:
        """Make all receipts of boards that lack their beginning, or some receipts. Returns the boards' numbers.

        `number`: only of this board.

        A program of an older version has begun these, or added entries. Their beginning says when it was made, so it
        proves what the log was then, and what came later.
        """
        b, e = tables.board.c, tables.entry.c
        columns = (b.number, b.game, b.rules, b.options, b.settings, b.seed, b.origin, b.created, b.left_seat)
        lacks = sa.or_(b.beginning == "", b.number.in_(sa.select(e.board).where(e.receipt == "")))
        query = sa.select(*columns).where(lacks, b.number == number if number else sa.true()).order_by(b.number)
        boards = self._found(self._locked(query))
        for board in boards:
            self._seal(board, at)
        return [board.number for board in boards]

    def _seal(self, board: StoredBoard, at: datetime) -> None:
        e, s, p = tables.entry.c, tables.seat.c, tables.player.c
        seated = sa.select(p.userid).join(tables.seat, s.player_id == p.id).where(s.board == board.number)
        names = self._c.scalars(seated.order_by(s.seat)).all()
        about = (board.game, board.rules, board.options, names, board.settings, board.created, board.seed, board.origin)
        beginning = receipts.beginning(*about, board.left_seat, at)
        last = receipts.receipt_of(beginning)
        for row in self._log(board.number):
            sealed = receipts.seal(receipts.salt(board.seed, row.number), row.text)
            last = receipts.next_receipt(last, board.number, row.number, row.seat, row.kind, sealed, row.ply, row.at)
            here = sa.update(tables.entry).where(e.board == board.number, e.number == row.number)
            self._c.execute(here.values(receipt=last))
        whole = sa.update(tables.board).where(tables.board.c.number == board.number)
        self._c.execute(whole.values(beginning=beginning, receipt=last))

    def _log(self, board: int) -> Iterator[SealedEntry]:
        """Yield the entries of a board as they are stored, without reading a long log at once."""
        e, after = tables.entry.c, 0
        columns = (e.number, e.seat, e.kind, e.text, e.ply, e.at, e.receipt)
        query = sa.select(*columns).where(e.board == board).order_by(e.number).limit(_ENTRIES)
        while rows := self._found(query.where(e.number > after)):
            yield from rows
            after = rows[-1].number

    # --- mails and letters from `first` to `last` --------------------------------------------------------------------

    def mails_that_cannot_be(self, first: int, last: int) -> list[Difference]:
        """Return mails with an unknown status, and mails whose encrypted bytes were kept too long or too short."""
        m = tables.mail.c
        wrong = sa.case(
            (m.status.not_in(MAIL_STATUSES), sa.literal("its status is unknown")),
            (
                sa.and_(m.status == MailStatus.SHELVED, m.sealed.is_(None)),
                sa.literal("it is shelved, but its bytes are gone"),
            ),
            (sa.and_(m.status != MailStatus.SHELVED, m.sealed.is_not(None)), sa.literal("its bytes were not erased")),
        )
        query = sa.select(m.id, sa.literal(0), wrong.label("why"))
        return self._differences(query.where(m.id.between(first, last), wrong.is_not(None)))

    def letters_that_cannot_be(self, first: int, last: int) -> list[Difference]:
        """Return letters whose mail or board does not exist or came later, or whose end does not match their status."""
        o, m = tables.outbox.c, tables.mail.c
        joined = tables.outbox.outerjoin(tables.mail, m.id == o.mail_id).outerjoin(
            tables.board, tables.board.c.number == o.board
        )
        wrong = sa.case(
            (sa.and_(o.mail_id.is_not(None), m.id.is_(None)), _phrase("the mail", o.mail_id, "is not there")),
            (
                sa.and_(o.board.is_not(None), tables.board.c.number.is_(None)),
                _phrase("the board", o.board, "is not there"),
            ),
            (sa.and_(o.mail_id.is_(None), ~_may_be_without_mail(o.kind)), sa.literal("no mail caused it")),
            (m.received > o.created, _phrase("the mail", o.mail_id, "came later")),
            (o.status.not_in(LETTER_STATUSES), sa.literal("its status is unknown")),
            (sa.and_(o.status.in_(_WAITING), o.finished.is_not(None)), sa.literal("it waits, but is finished")),
            (sa.and_(o.status.not_in(_WAITING), o.finished.is_(None)), sa.literal("it neither waits nor is finished")),
        )
        query = sa.select(o.id, sa.literal(0), wrong.label("why")).select_from(joined)
        return self._differences(query.where(o.id.between(first, last), wrong.is_not(None)))

    def _differences(self, query: AnySelect) -> list[Difference]:
        return sorted(Difference(*row) for row in self._c.execute(query))

    # --- for `pbmserv trace`: numbers of mails and letters, the oldest first -----------------------------------------

    def mails_of_player(self, player_id: int, userid: str, since: datetime) -> list[int]:
        """Return mails from a player's addresses, mails that moved for them, and mails whose calls name them."""
        c, e, s, a = tables.mail.c, tables.entry.c, tables.seat.c, tables.address.c
        addresses = sa.select(sa.func.lower(a.address)).where(a.player_id == player_id)
        seated = sa.and_(s.board == e.board, s.seat == e.seat, s.player_id == player_id)
        moved = sa.select(e.mail_id).join(tables.seat, seated).where(e.at >= since, e.mail_id.is_not(None))
        belongs = sa.or_(sa.func.lower(c.sender).in_(addresses), c.id.in_(moved), _mention(userid))
        return list(self._c.scalars(sa.select(c.id).where(c.received >= since, belongs).order_by(c.id)))

    def mails_of_board(self, board: int, since: datetime) -> list[int]:
        """The mails that changed a board, caused letters of it, or name it in their calls."""
        c, e, x = tables.mail.c, tables.entry.c, tables.outbox.c
        caused = sa.union(
            sa.select(e.mail_id).where(e.board == board, e.mail_id.is_not(None)),
            sa.select(x.mail_id).where(x.board == board, x.mail_id.is_not(None)),
        )
        belongs = sa.or_(c.id.in_(caused), _mention(str(board)))
        return list(self._c.scalars(sa.select(c.id).where(c.received >= since, belongs).order_by(c.id)))

    def mails_with_message_id(self, message_id: str) -> list[int]:
        """The mails with this Message-ID, which may be written without its angle brackets."""
        c = tables.mail.c
        return list(self._c.scalars(sa.select(c.id).where(c.message_id == f"<{message_id.strip('<> ')}>")))

    def letters_with(self, words: Iterable[bytes]) -> list[int]:
        """The letters whose text has any of these words. It looks through all letters."""
        c = tables.outbox.c
        contains = sa.or_(*(self._place(part, c.data) > 0 for part in words))
        return list(self._c.scalars(sa.select(c.id).where(contains).order_by(c.id)))

    def letters_without_mail(
        self, since: datetime, *, player_id: int | None = None, board: int | None = None
    ) -> list[ListedLetter]:
        """Return letters to a player, or about a board, that no mail caused: letters of the clock and of admins."""
        c, a = tables.outbox.c, tables.address.c
        query = sa.select(*LETTER_COLUMNS).where(c.created >= since, c.mail_id.is_(None))
        if player_id is not None:
            addresses = sa.select(sa.func.lower(a.address)).where(a.player_id == player_id)
            query = query.where(sa.func.lower(c.recipient).in_(addresses))
        if board is not None:
            query = query.where(c.board == board)
        return self._found(query.order_by(c.id))

    def mails_with_letters_to(self, player_id: int, since: datetime) -> list[int]:
        """Return the mails of any sender that caused letters to a player's addresses."""
        c, a = tables.outbox.c, tables.address.c
        addresses = sa.select(sa.func.lower(a.address)).where(a.player_id == player_id)
        theirs = (c.mail_id.is_not(None), c.created >= since, sa.func.lower(c.recipient).in_(addresses))
        return list(self._c.scalars(sa.select(c.mail_id).where(*theirs).distinct().order_by(c.mail_id)))

    def entries_of_mails(self, ids: Sequence[int]) -> list[Plain]:
        """Return the entries that these mails caused. Each row: mail_id, board, number, kind, text, ply, userid."""
        e, s, p = tables.entry.c, tables.seat.c, tables.player.c
        columns = (e.mail_id, e.board, e.number, e.kind, e.text, e.ply, p.userid)
        seated = sa.and_(s.board == e.board, s.seat == e.seat)
        query = sa.select(*columns).join(tables.seat, seated).join(tables.player, p.id == s.player_id)
        return self._found(query.where(e.mail_id.in_(ids)).order_by(e.mail_id, e.board, e.number))

    def letters_of_mails(self, ids: Sequence[int]) -> list[ListedLetter]:
        """The letters that these mails caused, without their text."""
        c = tables.outbox.c
        return self._found(sa.select(*LETTER_COLUMNS).where(c.mail_id.in_(ids)).order_by(c.id))

    def digests_of(self, boards: Sequence[int], at: datetime) -> list[Plain]:
        """Return the readers whose next digest has a change of these boards at a time. Each row: board, userid."""
        c, p = tables.collected.c, tables.player.c
        query = sa.select(c.board, p.userid).join(tables.player, p.id == c.player_id)
        return self._found(query.where(c.board.in_(boards), c.created == at).order_by(c.id))


def _wrong_beginning(board: StoredBoard) -> str:
    """Return how the columns of a board differ from what was fixed when it began; "" if they do not.

    Players may have other names since, so names are not compared.
    """
    if not board.beginning:
        return f"what was fixed when it began cannot be read, it is empty: {_REPAIR}"
    try:
        told, origin = json.loads(board.beginning), receipts.sealed_origin(board.seed, board.origin)
        left = told["continues"] and [told["continues"][name] for name in ("board", "seat", "ply", "how")]
        parts = {
            "game": (told["game"], board.game),
            "rules": (told["rules"], board.rules),
            "options": (told["options"], board.options),
            "settings": (told["settings"], receipts.plain_settings(board.settings)),
            "time": (told["created"], receipts.moment(board.created)),
            "seed": (told["commitment"], receipts.receipt_of(board.seed)),
            "first position": (told["origin"], origin),
            "seat of a substitute": (left, board.left_seat and [*board.left_seat[:3], board.left_seat[4]]),
        }
    except (ValueError, TypeError, KeyError):
        return "what was fixed when it began cannot be read"
    wrong = [name for name, (a, b) in parts.items() if a != b]
    return f"its {wrong[0]} is not what was fixed when it began" if wrong else ""


def _may_be_without_mail(kind: sa.Column[str]) -> sa.ColumnElement[bool]:
    return sa.or_(kind.in_(_WITHOUT_MAIL), kind.startswith(_OF_TOURNAMENTS))


def _phrase(what: str, number: sa.ColumnElement[int | None], trouble: str) -> sa.ColumnElement[str]:
    """Return an SQL expression for a sentence such as `the mail 17 is not there`."""
    return sa.literal(f"{what} ") + sa.cast(number, sa.Text) + sa.literal(f" {trouble}")


def _mention(word: str) -> sa.ColumnElement[bool]:
    """Return the condition that the calls of a mail contain this word."""
    words = " " + sa.func.lower(sa.func.replace(tables.mail.c.calls, "\n", " ")) + " "
    return words.contains(f" {word} ", autoescape=True)
