"""What belongs to the story of a player, a board or a letter."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.store.held import LETTER_COLUMNS


class Traces(Queries):
    """Queries for `pbmserv trace`: numbers of mails and of letters, the oldest first."""

    def mails_of_player(self, player_id: int, userid: str, since: datetime) -> list[int]:
        """The mails from a player's addresses, those that moved for him, and those whose calls name him."""
        c, e, s, a = tables.mail.c, tables.entry.c, tables.seat.c, tables.address.c
        his = sa.select(sa.func.lower(a.address)).where(a.player_id == player_id)
        seated = sa.and_(s.board == e.board, s.seat == e.seat, s.player_id == player_id)
        moved = sa.select(e.mail_id).join(tables.seat, seated).where(e.at >= since, e.mail_id.is_not(None))
        belongs = sa.or_(sa.func.lower(c.sender).in_(his), c.id.in_(moved), _names(userid))
        return list(self._c.scalars(sa.select(c.id).where(c.received >= since, belongs).order_by(c.id)))

    def mails_of_board(self, board: int, since: datetime) -> list[int]:
        """The mails that changed a board, wanted to, or brought letters of it."""
        c, e, x = tables.mail.c, tables.entry.c, tables.outbox.c
        caused = sa.union(
            sa.select(e.mail_id).where(e.board == board, e.mail_id.is_not(None)),
            sa.select(x.mail_id).where(x.board == board, x.mail_id.is_not(None)),
        )
        belongs = sa.or_(c.id.in_(caused), _names(str(board)))
        return list(self._c.scalars(sa.select(c.id).where(c.received >= since, belongs).order_by(c.id)))

    def mails_with_message_id(self, message_id: str) -> list[int]:
        """The mails with this Message-ID, written with or without its angle brackets."""
        c = tables.mail.c
        return list(self._c.scalars(sa.select(c.id).where(c.message_id == f"<{message_id.strip('<> ')}>")))

    def letters_with(self, words: Iterable[bytes]) -> list[int]:
        """The letters in which any of these stand: all that there are is looked through."""
        c = tables.outbox.c
        found = sa.or_(*(self._place(part, c.data) > 0 for part in words))
        return list(self._c.scalars(sa.select(c.id).where(found).order_by(c.id)))

    def letters_without_mail(
        self, since: datetime, *, player_id: int | None = None, board: int | None = None
    ) -> list[Any]:
        """The letters to a player or of a board that no mail caused: the clock's and the admins'."""
        c, a = tables.outbox.c, tables.address.c
        query = sa.select(*LETTER_COLUMNS).where(c.created >= since, c.mail_id.is_(None))
        if player_id is not None:
            his = sa.select(sa.func.lower(a.address)).where(a.player_id == player_id)
            query = query.where(sa.func.lower(c.recipient).in_(his))
        if board is not None:
            query = query.where(c.board == board)
        return list(self._c.execute(query.order_by(c.id)))

    def mails_with_letters_to(self, player_id: int, since: datetime) -> list[int]:
        """The mails, whoever wrote them, that brought letters to a player's addresses."""
        c, a = tables.outbox.c, tables.address.c
        his = sa.select(sa.func.lower(a.address)).where(a.player_id == player_id)
        theirs = (c.mail_id.is_not(None), c.created >= since, sa.func.lower(c.recipient).in_(his))
        return list(self._c.scalars(sa.select(c.mail_id).where(*theirs).distinct().order_by(c.mail_id)))

    def entries_of_mails(self, ids: Sequence[int]) -> list[Any]:
        """What these mails wrote into logs: mail, board, number, kind, text, ply, userid."""
        e, s, p = tables.entry.c, tables.seat.c, tables.player.c
        columns = (e.mail_id, e.board, e.number, e.kind, e.text, e.ply, p.userid)
        seated = sa.and_(s.board == e.board, s.seat == e.seat)
        query = sa.select(*columns).join(tables.seat, seated).join(tables.player, p.id == s.player_id)
        return list(self._c.execute(query.where(e.mail_id.in_(ids)).order_by(e.mail_id, e.board, e.number)))

    def letters_of_mails(self, ids: Sequence[int]) -> list[Any]:
        """The letters that these mails caused, without their text."""
        c = tables.outbox.c
        return list(self._c.execute(sa.select(*LETTER_COLUMNS).where(c.mail_id.in_(ids)).order_by(c.id)))

    def digests_of(self, boards: Sequence[int], at: datetime) -> list[Any]:
        """Who hears of these boards, as they changed at a moment, in the next digest: board, userid."""
        c, p = tables.collected.c, tables.player.c
        query = sa.select(c.board, p.userid).join(tables.player, p.id == c.player_id)
        return list(self._c.execute(query.where(c.board.in_(boards), c.created == at).order_by(c.id)))

    def _place(self, part: bytes, whole: sa.Column[bytes]) -> sa.ColumnElement[int]:
        """Where bytes stand in others, from 1; 0 if they do not."""
        if self._c.dialect.name == "sqlite":
            return sa.func.instr(whole, part)
        return sa.func.position(sa.literal(part).op("IN")(whole), type_=sa.Integer)


def _names(word: str) -> sa.ColumnElement[bool]:
    """Whether the calls of a mail have this word."""
    words = " " + sa.func.lower(sa.func.replace(tables.mail.c.calls, "\n", " ")) + " "
    return words.contains(f" {word} ", autoescape=True)
