"""What the handler of a command works with: one mail inside its transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from typing import Any

from pbmserv.boards import entries
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base.board import Change
from pbmserv.games.base.log import Entry, moved_since
from pbmserv.inbox.asker import Asker
from pbmserv.inbox.command import BoardRef, Call, Command, CommandLanguage
from pbmserv.inbox.lookups import Lookups
from pbmserv.inbox.password_checks import Proofs
from pbmserv.letters.comments import Comment, passed_on
from pbmserv.letters.letters import Letters
from pbmserv.letters.preferences import Preferences, read_preferences
from pbmserv.letters.site import Site
from pbmserv.letters.text import times
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.text.translations import Say
from pbmserv.mail.inbound import Mail
from pbmserv.store import BoardRow, Player, Store


@dataclass
class Context:
    """One mail inside its transaction: what it works with, who asks (`asker`), what its words name (`lookups`)."""

    site: Site
    store: Store
    mail: Mail
    mail_id: int | None  #: None: no mail, an admin
    now: datetime
    letters: Letters
    command_language: CommandLanguage
    proofs: Proofs = field(default_factory=Proofs, repr=False)
    owner_of: str = ""  #: the address to which the letter went that this mail answers
    body: str = ""  #: the sender's words to the others, without the line that is the command

    def __post_init__(self) -> None:
        self.lookups = Lookups(self.store, self.command_language.reserved)
        self.asker = Asker(self.site, self.store, self.mail, self.lookups, self.proofs)

    @property
    def commands(self) -> Sequence[Command]:
        """All commands, in the order of the manual."""
        return self.command_language.commands

    # --- the words of the answer -----------------------------------------------------------------------------------

    def render(self, template: str, **data: Any) -> str:
        """The text of a template of templates/mail, in the language of the sender."""
        return self.renderer.text(f"mail/{template}.txt", {"address": self.site.address, **data})

    @property
    def say(self) -> Say:
        """Translates sentences into the language of the sender, as far as it is known. Keep it to translate many."""
        return self.renderer.say

    @property
    def renderer(self) -> Renderer:
        """What renders in the language of the sender."""
        return self.site.renderer.to(self.language)

    @property
    def language(self) -> str:
        """The language in which the sender wants letters: his own, if it is clear who he is."""
        return self.asker.language

    def reader_zone(self) -> tzinfo:
        """The time zone in which the reader of the answer wants times: his own, if it is clear who he is."""
        return times.zone(self.asker.timezone)

    def shown(self, call: Call) -> str:
        """The line of a call as it may be shown and stored: what might be a password is left out."""
        return call.shown(self.may_show)

    def may_show(self, word: str) -> bool:
        """Whether a word cannot be a password, or means something here."""
        proved = self.asker.proved
        return (proved is not None and word == proved.userid) or self.lookups.means_something(word)

    # --- where an answer may go ------------------------------------------------------------------------------------

    def answer_to(self) -> list[str]:
        """Where an answer may go: the sender if his address is confirmed, else the player who proved himself."""
        sender, proved = self.mail.sender, self.asker.proved
        if sender and (not self.site.policy.confirm_addresses or self.store.addresses.is_confirmed(sender)):
            return [sender]
        if proved:
            return self.letters.addresses(proved)
        return [self.owner_of] if self.owner_of else []

    def notice(self) -> None:
        """Tell a stranger how to play, once a day at most, and repeat nothing of what was written.

        Capitals are folded: a forger could spell one address in many ways.
        """
        stranger = self.mail.sender.lower()
        if stranger and not self.wrote_lately("notice", stranger):
            self.letters.write("notice", [stranger], "How to play by mail", {})

    def wrote_lately(self, kind: str, recipient: str) -> bool:
        """Whether a letter of this kind went there in the last day, this mail's own included."""
        mine = any(r["kind"] == kind and r["recipient"] == recipient for r in self.letters.rows)
        return mine or self.store.letters.wrote_since(kind, recipient, self.now - timedelta(days=1))

    def comment(self, player: Player) -> Comment | None:
        """What the sender, who is `player`, wrote to the others; some repeat the whole command below the subject."""
        passwords = (password for (_, password), check in self.proofs.checked.items() if check.fits)
        text = passed_on(self.body, self.site, passwords)
        return Comment(player.userid, text) if text.strip() else None

    # --- the board of a call ---------------------------------------------------------------------------------------

    def row(self, call: Call, ref: BoardRef, *, lock: bool = True) -> BoardRow:
        """The board with this number, of the game that the call names. Raises PlayerError."""
        row = self.lookups.board(ref.number, lock=lock)
        info = row.game.info
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
        player = self.asker.login(call)
        row = self.row(call, call.values["board"])
        if not row.seats_of(player):
            _demand_reader(row, player)
            names = " and ".join(p.userid for p in row.players)
            raise PlayerError(f"{player.userid} does not play on board {row.number}: {names} do.")
        if signed := self.asker.signed:
            self._demand_fresh(row, player, signed.length, moves_only=call.command.verb == "move")
            return row, player, signed.seat
        return row, player, row.seat_to_move(player)

    def preferences(self, player: Player) -> Preferences:
        """What a player has set."""
        return read_preferences(self.store, [player.id])[player.id]

    def log(self, row: BoardRow) -> list[Entry]:
        """The whole log of a board; not what came after `row` was read, if that is not locked."""
        return self.store.boards.entries(row.number)[: row.board.length]

    def append(self, row: BoardRow, change: Change) -> BoardRow:
        """Store an entry and what follows from it; the board after it."""
        self.lookups.forget()
        return entries.write(self.store, row, change, self.mail_id, self.now)

    def _demand_fresh(self, row: BoardRow, player: Player, length: int, *, moves_only: bool) -> None:
        """An old letter can never do anything: a move needs its position, every other verb its very log."""
        # A log that is shorter than the letter's is one restored from an older backup.
        same = length <= row.board.length if moves_only else length == row.board.length
        changed = not same or (length != row.board.length and moved_since(self.log(row), length))
        if changed:
            raise Outdated(row, player, length)


@dataclass(frozen=True)
class Occasion:
    """For whom and on what an example line is meant. Rows say whether they can be used there: see `Command.usable`."""

    ctx: Context
    game: AnyGame
    row: BoardRow | None  #: the board, if the example names one
    asker: Player | None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the asker on the board."""
        return self.row.seats_of(self.asker) if self.row and self.asker else ()

    def plays(self) -> bool:
        """Whether the asker plays on the board."""
        return bool(self.seats)

    def has_turn(self) -> bool:
        """Whether the asker is to move on the board."""
        return self.row is not None and any(seat in self.row.board.to_move for seat in self.seats)


class Outdated(PlayerError):
    """An answer to a letter whose board has moved on; it is answered with the board as it is now."""

    def __init__(self, row: BoardRow, player: Player, length: int) -> None:
        super().__init__("That letter is no longer the latest of this board, so nothing was done.")
        self.row, self.player, self.length = row, player, length


def _demand_reader(row: BoardRow, reader: Player | None) -> None:
    """Raise PlayerError if this player (None: anybody) may not look at the board."""
    if not row.may_be_read_by(reader):
        raise PlayerError(
            f"Board {row.number} is private.",
            f"Its players see it with: {row.key} showas USERID PASSWORD {row.number}",
        )
