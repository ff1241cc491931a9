"""Composes letters: who reads what, in which template, and how it hangs in its thread."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from pbmserv import answers, games, moves, ratings, timing
from pbmserv import board as fold
from pbmserv.board import Entry, Kind
from pbmserv.games.base import Outcome, Seat
from pbmserv.mail import tokens
from pbmserv.mail.inbound import Mail
from pbmserv.mail.outbound import Letter, build
from pbmserv.render import SPOKEN
from pbmserv.rng import commitment
from pbmserv.site import Site
from pbmserv.store import BoardRow, Player, Store
from pbmserv.store.boards import options_text
from pbmserv.store.subscriptions import Subscriber


@dataclass(frozen=True)
class Comment:
    """What a player writes to the others; `text` has passed `passed_on`."""

    by: str
    text: str


AWAY = timedelta(days=7)  #: how long board letters offer a vacation to whose mailer said that he is away

_LEFT_OUT = "[left out]"
_SIGNED_WORDS = re.compile(r"[a-z][0-9.]*\.[a-z2-7]{16}(?![a-z0-9])", re.I)


def passed_on(text: str, site: Site, secrets: Iterable[str] = ()) -> str:
    """A player's words as others may read them: signed addresses would let them play for him, passwords even more."""
    local = re.escape(site.address.partition("@")[0])
    text = re.sub(rf"{local}(?:\+|%2b)[^\s<>@%]*(?:(?:@|%40)[\w.-]*\w)?", _LEFT_OUT, text, flags=re.I)
    text = _SIGNED_WORDS.sub(lambda m: _LEFT_OUT if site.signer.verify(m[0]) else m[0], text)
    for secret in secrets:
        text = text.replace(secret, _LEFT_OUT)
    return text


@dataclass(frozen=True)
class Told:
    """What one player is told besides the board: a line of news, and how many entries of the log he has seen."""

    news: str
    since: int

    def then(self, more: "Told") -> "Told":
        """Both, in this order."""
        return Told("\n".join(filter(None, (self.news, more.news))), min(self.since, more.since))


def all_told(first: Mapping[int, Told], more: Mapping[int, Told]) -> dict[int, Told]:
    """What players are told, by player, from two sources in this order."""
    return {**first, **{id_: first[id_].then(told) if id_ in first else told for id_, told in more.items()}}


@dataclass(frozen=True)
class Cause:
    """The mail that letters answer: its row, who sent it, and what its own letter must carry."""

    mail_id: int | None
    sender: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()

    @classmethod
    def of(cls, mail_id: int, mail: Mail) -> "Cause":
        """The cause that an incoming mail is."""
        return cls(mail_id, mail.sender, mail.message_id, tuple(mail.references.split()))


class Letters:
    """Composes letters inside one transaction and keeps them until `rows` is queued with it."""

    def __init__(self, site: Site, store: Store, cause: Cause, now: datetime) -> None:
        self._site = site
        self._store = store
        self._cause = cause
        self._now = now
        self.rows: list[dict[str, Any]] = []

    def write(
        self,
        kind: str,
        recipients: Iterable[str],
        subject: str,
        data: Mapping[str, Any],
        *,
        board: int | None = None,
        thread: str = "",
        message_id: str = "",
        reply_to: str = "",
        attachments: tuple[tuple[str, bytes], ...] = (),
        unsubscribe: str = "",
    ) -> None:
        """One letter of this kind (the name of its template) to each recipient, without HTML if he wants it so.

        It hangs in its thread as RFC 5322 §3.6.4 says: an answer refers to what the mail that it answers referred to,
        and to that mail. If `thread`, the Message-ID of a board's first letter, is not among them, it stands first: the
        letters of a board stay together even if somebody sends his move in a mail that answers none.
        """
        recipients = list(recipients)
        text_only = self._store.text_only(recipients)
        notes = self._notes(kind, recipients)
        data = {"address": self._site.address, **data}
        pages = {note: self._site.renderer.letter(kind, data, note) for note in {"", *notes.values()}}
        for recipient in recipients:
            text, html = pages[notes.get(recipient.casefold(), "")]
            mine = recipient.casefold() == self._cause.sender.casefold()
            asked = self._cause.message_id if mine else ""
            known = self._cause.references if mine else ()
            known = (*known, asked) if thread in known else (thread, *known, asked)
            id_ = message_id or self._message_id(secrets.randbits(60))
            letter = Letter(
                recipient=recipient,
                subject=subject,
                text=text,
                html="" if recipient.casefold() in text_only else html,
                message_id=id_,
                date=self._now,
                references=tuple(dict.fromkeys(r for r in known if r not in ("", id_))),
                in_reply_to=asked or (thread if thread != id_ else ""),
                reply_to=reply_to,
                automatic="auto-replied" if mine else "auto-generated",
                attachments=attachments,
                unsubscribe=unsubscribe,
            )
            self._queue(kind, recipient, build(letter, self._site.address), board)

    def render(self, template: str, **data: Any) -> str:
        """The text of a template of templates/mail."""
        return self._site.renderer.text(f"mail/{template}.txt", {"address": self._site.address, **data})

    def board(
        self,
        row: BoardRow,
        *,
        since: int,
        actor: Player | None = None,
        news: str = "",
        comment: Comment | None = None,
        only: Player | None = None,
        quiet: bool = False,
        told: Mapping[int, Told] | None = None,
    ) -> None:
        """The board letter to each of its players and subscribers, or to `only` one player.

        `actor` reads what happened after the first `since` entries, the others what happened after their own last;
        `told` has news for some, by player. With `quiet` the actor gets no letter unless there is more to say than
        what he did himself.
        """
        log = [line.entry for line in self._store.log(row.number)]
        deaf = self._deaf(comment)
        facts = self._last_facts(row) if row.board.result else {}
        readers = _readers(actor, Told(news, since), told or {})
        preferences = self._store.preferences({p.id for p in row.players})
        for player in dict.fromkeys(row.players):
            read, settings = readers.get(player.id), _server_settings(preferences, player)
            acted = actor is not None and player.id == actor.id
            own = quiet or settings.get("own") == "off"
            knows = acted and own and read and not read.news and _only_by(row.seats_of(player), log[since:])
            if knows or (only and player.id != only.id):
                continue
            seat = reader_seat(row, player)
            heard = None if acted or player.id in deaf else comment
            if settings.get("digest") == "daily" and not read and not self._is_urgent(row, seat):
                self._store.collect(player.id, row.number, *_parts(heard), self._now)
                continue
            display = wanted_display(preferences, player.id, row.board.game.info.key)
            read = read or Told("", moves.seen_by(log, seat))
            data = self.page(row, log, seat, read.since, display, [heard] if heard else [])
            data |= facts | {"news": read.news, "first": row.board.length == 0}
            first = row.board.length == 0 and not only  # a nag before the first move is another letter
            self._to_player("board", row, player, data, first=first)
        if not only:
            self._copies(row, log, since, comment, facts)

    def chat(self, row: BoardRow, comment: Comment) -> list[str]:
        """What a player says goes to the others and to the subscribers; their userids.

        Those who have blocked him get nothing, and he is not told.
        """
        deaf = self._deaf(comment)
        preferences = self._store.preferences({p.id for p in row.players})
        readers = [p for p in dict.fromkeys(row.players) if p.userid != comment.by]
        data = {"comment": comment, "number": row.number, "game": row.board.game.info.name}
        for player in [p for p in readers if p.id not in deaf]:
            if _server_settings(preferences, player).get("digest") == "daily":
                self._store.collect(player.id, row.number, *_parts(comment), self._now)
            else:
                self._to_player("chat", row, player, data | {"playing": True})
        others = [s.player for s in self._subscribers(row) if not s.end_only]
        for player in [p for p in others if p.id not in deaf]:
            self._to_subscriber("chat", row, player, data | {"playing": False})
        return [p.userid for p in (*readers, *others)]

    def _to_player(
        self, kind: str, row: BoardRow, player: Player, data: Mapping[str, Any], first: bool = False
    ) -> None:
        """A letter about a board to one of its players; he can answer it with a move."""
        thread = self._message_id(row.number, player.id)
        self.write(
            kind,
            self.addresses(player),
            _subject(row, player),
            data,
            board=row.number,
            thread=thread,
            message_id=thread if first else "",
            reply_to=self._reply_to(row, reader_seat(row, player)),
        )

    def _to_subscriber(self, kind: str, row: BoardRow, player: Player, data: Mapping[str, Any]) -> None:
        """A letter about a board to somebody who does not play on it; its headers say how to get no more of them."""
        self.write(
            kind,
            self.addresses(player),
            board_title(row),
            {**data, "reader": player.userid},
            board=row.number,
            thread=self._message_id(row.number, player.id),
            unsubscribe=self._site.signer.sign(tokens.UNSUBSCRIBE, row.number, player.id),
        )

    def _copies(
        self, row: BoardRow, log: Sequence[Entry], since: int, comment: Comment | None, facts: dict[str, Any]
    ) -> None:
        """The board as spectators see it, to each subscriber."""
        key = row.board.game.info.key
        subscribers = [s.player for s in self._subscribers(row) if row.board.result or not s.end_only]
        preferences, deaf = self._store.preferences({p.id for p in subscribers}), self._deaf(comment)
        for player in subscribers:
            display = wanted_display(preferences, player.id, key)
            heard = [comment] if comment and player.id not in deaf else []
            page = self.page(row, log, None, since, display, heard)
            self._to_subscriber("copy", row, player, page | facts)

    def _subscribers(self, row: BoardRow) -> list[Subscriber]:
        return [] if row.settings.private else self._store.subscribers(row.number)

    def _deaf(self, comment: Comment | None) -> frozenset[int]:
        """The players who have blocked whoever wrote this."""
        writer = self._store.player(comment.by) if comment else None
        return self._store.blockers_of(writer.id) if writer else frozenset()

    def addresses(self, player: Player) -> list[str]:
        """Where letters to a player go."""
        return self._store.letter_addresses(player.id, also=self._cause.sender)

    def _notes(self, kind: str, recipients: Sequence[str]) -> dict[str, str]:
        """What readers should know of their addresses, by recipient without case: that one is suspended, or away."""
        found: dict[str, list[str]] = {}
        for doubt in self._store.doubts(recipients, self._now - AWAY):
            if doubt.suspended or kind == "board":
                confirm = self._site.signer.sign(tokens.CONFIRM, doubt.id)
                note = self.render("doubt", doubt=doubt, since=doubt.suspended or doubt.away, confirm=confirm)
                found.setdefault(doubt.reader, []).append(note)
        return {reader: "\n\n".join(notes) for reader, notes in found.items()}

    def page(
        self,
        row: BoardRow,
        log: Sequence[Entry],
        seat: Seat | None,
        since: int,
        display: str = "",
        comments: Sequence[Comment] = (),
    ) -> dict[str, Any]:
        """What letters say of a board to the player of a seat (None: a spectator), who has seen `since` entries."""
        board, info = row.board, row.board.game.info
        playing, spoken = seat in board.to_move, display == SPOKEN
        return {
            "reader": "" if seat is None else row.players[seat].userid,
            "number": row.number,
            "game": info.name,
            "key": info.key,
            "conditions": conditions(row),
            "over": board.result is not None,
            "result": result_text(row),
            "ply": board.ply + 1,
            "my_turn": seat in board.to_move,
            "to_move": [row.players[s].userid for s in sorted(board.to_move)],
            "offer": _offer_data(row, seat),
            "solitaire": len(row.players) == 1,
            "table": (moves.spoken if spoken else moves.table)(
                row, fold.standing(log), rounds=None if board.result else 4
            ),
            "events": moves.events(log[since:], seat, row.players),
            "example": "" if seat is None or not playing else board.game.example(board.position, seat),
            "seats": list(zip(board.game.seat_names(len(row.players)), row.players, strict=True)),
            "may_decline": board.length == 0 and len(row.players) > 1,
            "commitment": commitment(board.start.seed),
            "seed": board.start.seed,
            "chance": info.chance,
            "settings": row.settings,
            "diagram": diagram(self._site, board, seat, display),
            "spoken": spoken,
            "changes": self._changes(board, seat, log, since) if spoken else "",
            "stopped": self._stopped(row),
            "comments": list(comments),
            "links": [] if seat is None else self._links(row, seat, log),
        }

    def _links(self, row: BoardRow, seat: Seat, log: Sequence[Entry]) -> list[answers.Link]:
        subject = f"Re: {_subject(row, row.players[seat])}"
        return answers.links(row, seat, log, self._reply_to(row, seat), subject)

    def _reply_to(self, row: BoardRow, seat: Seat) -> str:
        """The signed address that speaks for a seat as of now."""
        return self._site.signer.sign(tokens.BOARD, row.number, seat, row.board.length)

    def _changes(self, board: fold.Board, seat: Seat | None, log: Sequence[Entry], since: int) -> str:
        """What is different on the board, in words, after the first `since` entries."""
        then = fold.at(board.start, log, log[since - 1].ply if since else 0).position
        view = board.game.view
        return self._site.renderer.changes(board.game, view(then, seat), view(board.position, seat))

    def _is_urgent(self, row: BoardRow, seat: Seat) -> bool:
        """Whether a letter that waited for the next digest could leave less than a day until the board is lost."""
        lost = timing.forfeit_at(row.clocks[seat], row.settings)
        return lost is not None and lost - self._now.timestamp() < 2 * timing.DAY

    def _stopped(self, row: BoardRow) -> list[tuple[str, str]]:
        """Whose time stands still because letters come back, and until when at most."""
        pauses = [(row.players[s].userid, row.clocks[s].paused) for s in sorted(row.board.to_move)]
        now = self._now.timestamp()
        return [(userid, day(datetime.fromtimestamp(p, UTC))) for userid, p in pauses if p is not None and p > now]

    def _last_facts(self, row: BoardRow) -> dict[str, Any]:
        """What the last letter says about time and ratings, a line for each seat."""
        lines = []
        for seat, (player, change) in enumerate(zip(row.players, self._store.changes(row.number), strict=True)):
            parts = [f"{player.userid} used {duration(row.clocks[seat].used)}"]
            if change:
                before, after = (ratings.points(mu) for mu in change)
                parts.append(f"rating {before} -> {after} ({after - before:+})")
            lines.append(", ".join(parts))
        return {"facts": lines}

    def _message_id(self, *numbers: int) -> str:
        return f"<{self._site.signer.signed(tokens.MESSAGE, *numbers)}@{self._site.signer.domain}>"

    def _queue(self, kind: str, recipient: str, data: bytes, board: int | None) -> None:
        self.rows.append(
            {
                "mail_id": self._cause.mail_id,
                "board": board,
                "kind": kind,
                "recipient": recipient,
                "data": data,
                "created": self._now,
            }
        )


def diagram(site: Site, board: fold.Board, seat: Seat | None, display: str = "") -> str:
    """The picture of a board for one seat (None: a spectator)."""
    return site.renderer.diagram(board.game, board.game.view(board.position, seat), display)


def reader_seat(row: BoardRow, player: Player) -> Seat:
    """The seat as which a player reads: the one that is to move if he has several."""
    mine = row.seats_of(player)
    return next((s for s in mine if s in row.board.to_move), mine[0])


def wanted_display(preferences: Mapping[tuple[int, str, str], str], player_id: int, key: str) -> str:
    """How a player wants the boards of a game: one of its displays, SPOKEN, or "" for the first one."""
    if preferences.get((player_id, "", "mail")) == SPOKEN:
        return SPOKEN
    return preferences.get((player_id, key, "display"), "")


def _subject(row: BoardRow, player: Player) -> str:
    """The subject of all letters of a board to one of its players."""
    return f"{board_title(row)} {player.userid}"


def board_title(row: BoardRow) -> str:
    """`Tumble Board 101`: the Subject is the start of a command."""
    return f"{row.board.game.info.key.capitalize()} Board {row.number}"


def conditions(row: BoardRow) -> str:
    """`-c, rated, nag after 7 days, forfeit after 21`."""
    settings = row.settings
    parts = [options_text(row.board.start.options)]
    if len(row.players) > 1:
        parts.append("rated" if settings.rated else "unrated")
    if settings.nag:
        parts.append(f"nag after {days(settings.nag)}")
    if settings.forfeit:
        parts.append(
            f"forfeit after {settings.forfeit:g}" if settings.nag else f"forfeit after {days(settings.forfeit)}"
        )
    if settings.total:
        parts.append(f"{days(settings.total)} in all")
    if settings.private:
        parts.append("private")
    return ", ".join(p for p in parts if p)


def duration(seconds: float) -> str:
    """`3 days 4 hours`, `12 minutes`: the two largest units."""
    minutes = int(seconds) // 60
    units = (("day", minutes // 1440), ("hour", minutes // 60 % 24), ("minute", minutes % 60))
    parts = [f"{n} {name}{'s' * (n != 1)}" for name, n in units if n]
    return " ".join(parts[:2]) or "less than a minute"


def day(when: datetime) -> str:
    """`3 March 2026`."""
    return f"{when.day} {when:%B %Y}"


def days(number: float) -> str:
    """`1 day`, `2.5 days`."""
    return f"{number:g} day{'s' * (number != 1)}"


def result_text(row: BoardRow) -> str:
    """How a board ended; "" while it runs."""
    players = [p.userid for p in row.players]
    return result_line(row.board.game.info.key, players, row.board.result) if row.board.result else ""


def result_line(key: str, players: Sequence[str], result: Outcome) -> str:
    """How a board ended: who won and why, or the score."""
    why = {**fold.ENDINGS, **games.find(key).info.endings}[result.reason]
    if len(players) == 1:
        return f"score {result.scores[0] if result.scores else 0} ({why})"
    if not result.winners:
        return f"nobody wins ({why})" if result.reason == "declined" else f"a draw ({why})"
    names = " and ".join(players[s] for s in result.winners)
    return f"{names} win{'s' * (len(result.winners) == 1)} ({why})"


def _parts(comment: Comment | None) -> tuple[str, str]:
    return (comment.by, comment.text) if comment else ("", "")


def _readers(actor: Player | None, news: Told, told: Mapping[int, Told]) -> dict[int, Told]:
    """Who is told something, by player: the actor his news, the owners of queues what was played for them."""
    return all_told({actor.id: news} if actor else {}, told)


def _server_settings(preferences: Mapping[tuple[int, str, str], str], player: Player) -> dict[str, str]:
    """The settings of a player that hold for all games."""
    return {name: value for (id_, game, name), value in preferences.items() if id_ == player.id and not game}


def _only_by(seats: Sequence[Seat], entries: Sequence[Entry]) -> bool:
    """Whether these entries, one at least, are all of these seats."""
    return bool(entries) and all(e.seat in seats for e in entries)


def _offer_data(row: BoardRow, seat: Seat | None) -> dict[str, Any] | None:
    offer = row.board.offer
    if offer is None:
        return None
    return {
        "by": row.players[offer.seat].userid,
        "what": "draw" if offer.kind is Kind.PROPOSE else "undo",
        "to_ply": offer.to_ply,
        "waiting": [row.players[s].userid for s in sorted(row.board.to_answer)],
        "mine": seat in row.board.to_answer,
    }
