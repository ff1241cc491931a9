"""What a command works with: the store of its transaction, who is asking, and what it gives back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from difflib import get_close_matches
from typing import Any

from pbmserv import games
from pbmserv.boards import entries
from pbmserv.boards.news import BoardNews
from pbmserv.errors import PlayerError, may_be_password, no_such
from pbmserv.games.base import Seat
from pbmserv.games.base.board import Change
from pbmserv.games.base.log import Entry, moved_since
from pbmserv.inbox.command import BoardRef, Call, Command, TooOften, read_board
from pbmserv.letters.board_page import wanted_display
from pbmserv.letters.comments import Comment, passed_on
from pbmserv.letters.letters import Letters
from pbmserv.letters.site import Site
from pbmserv.letters.text import times
from pbmserv.letters.text.templates import ENGLISH, Renderer
from pbmserv.letters.text.translations import Say
from pbmserv.mail.inbound import Mail
from pbmserv.mail.signed_addresses import Token
from pbmserv.store import BoardRow, Player, Store

_NEIGHBOURS = 300  #: userids on each side of a misspelt one, in the alphabet, that it is compared with


@dataclass
class Proofs:
    """Slow password work that was done before the transaction began, for one mail.

    `checked`: (userid, password) -> (the stored hash it was compared with, whether it fits); `hashed`: new ones;
    `waits`: (userid, password) -> what the sender is told who has to wait before that is looked at.
    """

    checked: dict[tuple[str, str], tuple[str | None, bool]] = field(default_factory=dict, repr=False)
    hashed: dict[str, str] = field(default_factory=dict, repr=False)
    waits: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Signed:
    """A signed address that a mail was sent to: it speaks for a seat, as of a log of `length` entries."""

    number: int
    seat: Seat
    length: int


@dataclass
class Answer:
    """What a call gives back: a text for the sender, and boards whose players get a letter.

    `complete`: the board letter is all the answer that the sender needs.
    """

    text: str = ""
    subject: str = ""
    boards: list[BoardNews] = field(default_factory=list)
    complete: bool = False
    attachments: tuple[tuple[str, bytes], ...] = ()  #: JSON files: name, content


class Outdated(PlayerError):
    """An answer to a letter whose board has moved on; it is answered with the board as it is now."""

    def __init__(self, row: BoardRow, player: Player, length: int) -> None:
        super().__init__("That letter is no longer the latest of this board, so nothing was done.")
        self.row, self.player, self.length = row, player, length


@dataclass
class Context:
    """One mail inside its transaction."""

    site: Site
    store: Store
    mail: Mail
    mail_id: int | None  #: None: no mail, an admin
    now: datetime
    letters: Letters
    commands: Sequence[Command]
    reserved: frozenset[str]  #: words that cannot be a userid
    proofs: Proofs = field(default_factory=Proofs, repr=False)
    signed: Signed | None = None
    proved: Player | None = None  #: who has proved himself by password or signed address
    owner_of: str = ""  #: the address to which the letter went that this mail answers
    body: str = ""  #: the sender's words to the others, without the line that is the command
    _signed_row: BoardRow | None = None  #: the board of the signed address, locked and not changed yet

    def render(self, template: str, **data: Any) -> str:
        """The text of a template of templates/mail, in the language of the sender."""
        return self.renderer.text(f"mail/{template}.txt", {"address": self.site.address, **data})

    @property
    def say(self) -> Say:
        """Gives the sentences of the program in the language of the sender, as of now: keep it for many."""
        return self.renderer.say

    @property
    def renderer(self) -> Renderer:
        """What renders in the language of the sender."""
        return self.site.renderer.to(self.language)

    @property
    def language(self) -> str:
        """The language in which the sender wants letters: his own, if it is clear who he is."""
        return self._wanted("language") or ENGLISH

    # --- who is asking ---------------------------------------------------------------------------------------------

    def login(self, call: Call) -> Player:
        """The player who proved himself by password or by a signed address. Raises PlayerError."""
        if self.signed:
            return self.enter(self.signed_row().players[self.signed.seat])
        if call.credentials is None:
            raise PlayerError("This command needs your userid and password.")
        userid, password = call.credentials
        player = self.player(userid)
        if not self.is_password(player, password):
            raise PlayerError(
                f"The password is not that of {player.userid}.",
                "Passwords keep their capital letters. Check userid and password, and send the line again.",
            )
        return self.enter(player)

    def enter(self, player: Player) -> Player:
        """The player, who has proved himself. Raises PlayerError if his account is locked."""
        self.proved = player
        demand_unlocked(player)
        return player

    def sender_player(self, call: Call) -> Player:
        """The player in whose own name something begins: by `--as`, or by From where From can be trusted."""
        if call.credentials or self.signed:
            return self.login(call)
        how = "Add your userid and password to the line: --as=USERID:PASSWORD"
        if not self._is_from_trusted:
            raise PlayerError("A From line alone does not prove who sent this mail.", how)
        players = self.store.players_at(self.mail.sender)
        if not players:
            raise PlayerError("Your address belongs to no player.", f"Send: signup USERID PASSWORD\n{how}")
        named = [p for p in players if p.userid in call.get("userid")]
        if len(players) > 1 and len(named) != 1:
            raise PlayerError("Several players share your address.", how)
        player = named[0] if len(players) > 1 else players[0]
        demand_unlocked(player)
        return player

    def is_known_by_from(self) -> bool:
        """Whether From alone says which player this is."""
        return self._is_from_trusted and len(self.store.players_at(self.mail.sender)) == 1

    @property
    def _is_from_trusted(self) -> bool:
        return self.site.trust_from or self.mail.dmarc_pass

    def is_own_address(self, player: Player) -> bool:
        """Whether the mail comes from one of the player's addresses."""
        mine = {a.address.casefold() for a in self.store.addresses(player.id) if a.confirmed}
        return self.mail.sender.casefold() in mine

    def is_password(self, player: Player, password: str) -> bool:
        """Whether the password is the player's; what was verified before the transaction counts for that hash only."""
        checked = self.proofs.checked.get((player.userid, password))
        if checked and checked[0] == player.password_hash:
            return checked[1]
        return self.site.passwords.verify(player.userid, player.password_hash, password)

    def demand_patience(self, call: Call) -> None:
        """Raise TooOften if the password of a call was not looked at."""
        if call.credentials in self.proofs.waits:
            raise TooOften(self.proofs.waits[call.credentials])

    def password_hash(self, password: str) -> str:
        """The hash of a new password."""
        return self.proofs.hashed.get(password) or self.site.passwords.hash(password)

    def answer_to(self) -> list[str]:
        """Where an answer may go: the sender if his address is confirmed, else the player who proved himself."""
        sender = self.mail.sender
        if sender and (not self.site.confirm_addresses or self.store.is_confirmed(sender)):
            return [sender]
        if self.proved:
            return self.letters.addresses(self.proved)
        return [self.owner_of] if self.owner_of else []

    def notice(self) -> None:
        """A stranger hears from us once a day, and nothing of what he wrote comes back to him.

        Capitals are folded: a forger could spell one address in many ways.
        """
        stranger = self.mail.sender.lower()
        if stranger and not self.wrote_lately("notice", stranger):
            self.letters.write("notice", [stranger], "How to play by mail", {})

    def wrote_lately(self, kind: str, recipient: str) -> bool:
        """Whether a letter of this kind went there in the last day, this mail's own included."""
        mine = any(r["kind"] == kind and r["recipient"] == recipient for r in self.letters.rows)
        return mine or self.store.wrote_since(kind, recipient, self.now - timedelta(days=1))

    # --- what may be repeated ----------------------------------------------------------------------------------------

    def shown(self, call: Call) -> str:
        """The line of a call as it may be shown and stored: what might be a password is left out."""
        return call.shown(self.may_show)

    def may_show(self, word: str) -> bool:
        """Whether a word cannot be a password, or means something here: a move, a userid, a word of the language."""
        if not may_be_password(word) or word in self.reserved or (self.proved and word == self.proved.userid):
            return True
        move = word.partition("#")[0]
        if any(g.is_move(g.normalise(move)) for g in games.all_games()):
            return True
        ref = read_board(word)
        return (self.store.board(ref.number, lock=False) if ref else self.store.player(word)) is not None

    # --- players and boards ------------------------------------------------------------------------------------------

    def player(self, userid: str) -> Player:
        """The player with this userid. Raises PlayerError with the nearest ones."""
        player = self.known(userid)
        if player.password_hash is None:
            raise PlayerError(f"The account {player.userid} is closed.", "Name somebody else.")
        return player

    def known(self, userid: str) -> Player:
        """Whoever has or had this userid. Raises PlayerError with the nearest ones."""
        player = self.store.player(userid)
        if player is None:
            near = self.nearest(userid)
            hint = f"Perhaps: {', '.join(near)}" if near else "To open an account, send: signup USERID PASSWORD"
            raise PlayerError(f"{no_such('player', userid)}.", hint)
        return player

    def nearest(self, userid: str) -> list[str]:
        """The userids that are most like this word, the nearest first.

        On a server with thousands of players, only those that begin much like it are looked at.
        """
        return get_close_matches(userid, self.store.userids_near(userid, _NEIGHBOURS), n=3, cutoff=0.6)

    def row(self, call: Call, ref: BoardRef, *, lock: bool = True) -> BoardRow:
        """The board with this number, of the game that the call names. Raises PlayerError."""
        row = self._row(ref.number, lock=lock)
        info = row.board.game.info
        if call.game is not None and info.key != call.game.info.key:
            right = self.shown(call).replace(call.game.info.key, info.key, 1)
            raise PlayerError(f"Board {ref.number} is a {info.name} board.", f"Send: {right}")
        return row

    def readable_row(self, call: Call, ref: BoardRef, reader: Player | None = None) -> BoardRow:
        """As `row`, for somebody who only looks: a private board is for its players. Raises PlayerError."""
        row = self.row(call, ref, lock=False)
        _demand_reader(row, reader)
        return row

    def my_board(self, call: Call) -> tuple[BoardRow, Player, Seat]:
        """The board that a call names, who is asking, and the seat he speaks for. Raises PlayerError."""
        player = self.login(call)
        row = self.row(call, call.values["board"])
        mine = row.seats_of(player)
        if not mine:
            _demand_reader(row, player)
            names = " and ".join(p.userid for p in row.players)
            raise PlayerError(f"{player.userid} does not play on board {row.number}: {names} do.")
        if self.signed:
            self._demand_fresh(row, player, moves_only=call.command.verb == "move")
            return row, player, self.signed.seat
        return row, player, next((s for s in mine if s in row.board.to_move), mine[0])

    def reader_zone(self) -> tzinfo:
        """The time zone in which the reader of the answer wants times: his own, if it is clear who he is."""
        return times.zone(self._wanted("timezone"))

    def _wanted(self, name: str) -> str | None:
        """What the reader of the answer has set, if it is clear who he is."""
        readers = [self.proved] if self.proved else self.store.players_at(self.mail.sender)
        values = {self.store.preferences([p.id]).get((p.id, "", name)) for p in readers}
        return values.pop() if len(values) == 1 else None

    def log(self, row: BoardRow) -> list[Entry]:
        """The whole log of a board; not what came after `row` was read, if that is not locked."""
        return self.store.entries(row.number)[: row.board.length]

    def append(self, row: BoardRow, change: Change) -> BoardRow:
        """Write an entry down."""
        self.forget()
        return entries.write(self.store, row, change, self.mail_id, self.now)

    def forget(self) -> None:
        """What was read is out of date."""
        self._signed_row = None

    def comment(self, player: Player) -> Comment | None:
        """What the sender, who is `player`, wrote to the others; some repeat the whole command below the subject."""
        passwords = (password for (_, password), (_, fits) in self.proofs.checked.items() if fits)
        text = passed_on(self.body, self.site, passwords)
        return Comment(player.userid, text) if text.strip() else None

    @staticmethod
    def signed_by(token: Token) -> Signed:
        """What the signed address of a board letter says."""
        return Signed(*token.numbers)

    def signed_row(self) -> BoardRow:
        """The board of the signed address."""
        if self.signed is None:
            raise ValueError("the mail was not sent to a signed address")
        self._signed_row = self._row(self.signed.number)
        return self._signed_row

    def _row(self, number: int, *, lock: bool = True) -> BoardRow:
        """The board with this number; not read anew as long as the signed one has not changed."""
        if self._signed_row and self._signed_row.number == number:
            return self._signed_row
        row = self.store.board(number, lock=lock)
        if row is None:
            raise PlayerError(f"{no_such('board', str(number))}.", "To see the running boards, send: list")
        return row

    def _demand_fresh(self, row: BoardRow, player: Player, moves_only: bool) -> None:
        """An old letter can never do anything: a move needs its position, every other verb its very log."""
        length = self.signed.length if self.signed else row.board.length
        # A log that is shorter than the letter's is one restored from an older backup.
        same = length <= row.board.length if moves_only else length == row.board.length
        changed = not same or (length != row.board.length and moved_since(self.log(row), length))
        if changed:
            raise Outdated(row, player, length)


def _demand_reader(row: BoardRow, reader: Player | None) -> None:
    """Raise PlayerError if this player (None: anybody) may not look at the board."""
    if not row.may_be_read_by(reader):
        raise PlayerError(
            f"Board {row.number} is private.",
            f"Its players see it with: {row.board.game.info.key} showas USERID PASSWORD {row.number}",
        )


def demand_unlocked(player: Player) -> None:
    """Raise PlayerError if an admin has locked the account."""
    if player.is_locked:
        raise PlayerError(
            f"The account {player.userid} is locked by the people who run this server, so nothing was done.",
            "Only they can tell you why.",
        )


def preferences_of(ctx: Context, player: Player, game: str) -> Mapping[str, str]:
    """The display settings of a player for one game."""
    found = ctx.store.preferences([player.id])
    display = wanted_display(found, player.id, game)
    return {name: value for (_, g, name), value in found.items() if g == game} | (
        {"display": display} if display else {}
    )
