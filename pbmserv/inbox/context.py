"""The context of a command's handler: one mail inside its transaction."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import partial
from typing import NamedTuple, Unpack

from pbmserv import games
from pbmserv.boards import entries
from pbmserv.boards.news import BoardNews
from pbmserv.boards.past import Budget
from pbmserv.errors import PlayerError
from pbmserv.games import demand_installed
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base.board import Board, Change
from pbmserv.games.base.hidden import only_hidden
from pbmserv.games.base.log import Entry, is_only_a_word, moved_since
from pbmserv.inbox.authentication.answer_limits import AnswerLimits, Room
from pbmserv.inbox.authentication.authentication import Authentication, SignedSeat
from pbmserv.inbox.authentication.password_checks import PasswordChecks
from pbmserv.inbox.command import BoardRef, Call, CommandLanguage, CommandSyntax, TooOften
from pbmserv.inbox.lines.beside import LineReading
from pbmserv.inbox.lines.first_line import is_question, word_of
from pbmserv.inbox.lines.spellings import legal_move
from pbmserv.inbox.lines.wishes import language_wished, names_of
from pbmserv.inbox.lines.words.comment_words import wishes_well
from pbmserv.inbox.lookups import Lookups
from pbmserv.letters.board_page import shown_move
from pbmserv.letters.fence import Comment, passed_on, without_secrets
from pbmserv.letters.letters import AnswerHeaders, Letters
from pbmserv.letters.pictures.touch import NO_TOUCHES, Touches
from pbmserv.letters.site import Site
from pbmserv.letters.text import times
from pbmserv.letters.text.blocks import Words
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.text.translations import Say
from pbmserv.mail.envelope import client_network
from pbmserv.mail.inbound import Mail
from pbmserv.mail.outbound import BY_PAGE, Attachment
from pbmserv.mail.reading.added.repeated import read_ending
from pbmserv.mail.reading.encoding import fold
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import Allowance, BoardRow, Player
from pbmserv.model.letters import PROVED, UNPROVED, AnswerKinds
from pbmserv.model.operations import HOUR, Use, origin_subject, player_subject
from pbmserv.model.preferences import Preferences
from pbmserv.store import Store

#: A text that can be the diagram of another board: of several lines, some of them with figures.
MAY_TELL_MORE = re.compile(r"^(?:[^\n\d]*+\d[^\n]*+\n++){3}", re.M)

#: The letter that tells a stranger how to play, and how many a day name a mistake in a line that opens an account.
NOTICE, MOST_MISTAKES = "notice", 5
_HASH = 32  # digits of the hash of a signature


@dataclass
class Context:
    """One mail inside its transaction, with what proves its sender (`authentication`), and searches (`lookups`)."""

    site: Site
    store: Store
    mail: Mail
    mail_id: int | None  #: None for an action of an admin, and while a question is answered ahead
    now: datetime
    letters: Letters
    command_language: "Commands"
    password_checks: PasswordChecks = field(default_factory=PasswordChecks, repr=False)
    origin: str = ""  #: where the mail comes from, as far as that can be trusted: see `origin_of`
    owner_of: str = ""  #: the address that got the letter which this mail answers
    body: str = ""  #: the sender's text to the others, without the command line
    #: While a question is answered from a snapshot of the database: what is left to do where something can be counted.
    #: None: everything is done at once.
    owed: "list[Callable[[Context], None]] | None" = None
    has_new_signature: bool = False  #: what the sender's mails end with has become one, and the sender is to be told

    def __post_init__(self) -> None:
        self.lookups = Lookups(self.store, self.command_language.known_words)
        self.readings: dict[tuple[int, int, Seat], LineReading] = {}  # by board, length of its log, and seat
        self._before: dict[int, Board] = {}
        self._is_ending_read = False
        self.authentication = Authentication(self.site, self.store, self.mail, self.lookups, self.password_checks)
        self.limits = AnswerLimits(self.site.policy, self.store, self.authentication, self.now)

    @property
    def commands(self) -> "Sequence[Command]":
        """All commands, in the order of the manual."""
        return self.command_language.commands

    # --- the text of the answer ------------------------------------------------------------------------------------

    def render(self, template: str, **data: object) -> Words:
        """Render a template of templates/mail in the sender's language."""
        return self.renderer.blocks(f"mail/{template}.txt", {"address": self.site.address, **data})

    @property
    def say(self) -> Say:
        """Translates sentences into the language of the sender, as far as it is known. Keep it to translate many."""
        return self.renderer.say

    @property
    def renderer(self) -> Renderer:
        """The renderer for the sender's language."""
        return self.site.renderer.to(self.language)

    @property
    def language(self) -> str:
        """The sender's language, if it is clear who the sender is."""
        return self.authentication.language

    def language_wished(self, line: str, below: str = "") -> str:
        """Return the code of the language for which a line above other words asks; "" if it asks for none."""
        return language_wished(line, self.site.renderer.languages, below)

    def set_language(self, player: Player, line: str) -> str:
        """Set the language for which a line asks, and return what the player is told, in this language.

        Raises PlayerError if there are no letters in it, or if the line is only a question.
        """
        code, languages = self.language_wished(line), self.site.renderer.languages
        if code not in languages:
            here = ", ".join(languages.values())
            raise PlayerError("This server writes no letters in that language.", f"It has: {here}")
        if is_question(line):
            name = languages[code]
            raise PlayerError(f"To get {name}, answer with the name of the language alone on the first line.")
        self.demand_writing()
        self.store.players.set_preference(player.id, "", Preferences.language.name, code)
        names = ", ".join(described.split()[-1] for described in languages.values())
        told = f"From now on you get {languages[code]}. To change that, answer with: {names}"
        return self.site.renderer.to(code).say(told)

    def reader_zone(self) -> tzinfo:
        """The sender's time zone, if it is clear who the sender is."""
        return times.zone(self.authentication.timezone)

    def shown(self, call: Call) -> str:
        """Return the line of a call for showing and storing, without words that might be a password."""
        return call.shown(self.may_show)

    def shown_move(self, board: Board, seat: Seat, text: str) -> str:
        """Return the text of a legal move as players of the game write it; other words for a move stay as they are."""
        is_text = bool(text) and seat in board.to_move and legal_move(text, board, seat) == text
        return shown_move(board, seat, text, self.say) if is_text else lettered(text, self.say)

    def may_show(self, word: str) -> bool:
        """Return whether a word cannot be a password, or has a meaning here."""
        player = self.authentication.player
        return (player is not None and word == player.userid) or self.lookups.means_something(word)

    def names_of_games(self) -> Mapping[tuple[str, ...], AnyGame]:
        """Return the games that are offered here, by the words of their names in all languages."""
        return names_of_games(self.site)

    # --- where to send an answer -----------------------------------------------------------------------------------

    def answer_to(self) -> list[str]:
        """Return where to send an answer: to the sender if the address is confirmed, else to the proved player."""
        sender, proved = self.mail.sender, self.authentication.player
        if sender in BY_PAGE:  # the page has said what happened, and whoever wants no letters gets none about it
            return []
        if sender and not self.site.policy.confirm_addresses:
            return [sender]
        if sender and (known := self.store.addresses.confirmed(sender)):
            return [known]
        if proved:
            return self.letters.addresses(proved)
        return [self.owner_of] if self.owner_of else []

    def answer(
        self, to: Sequence[str], subject: str, data: Mapping[str, object], **headers: Unpack[AnswerHeaders]
    ) -> None:
        """Write an answer to each address that can still get one today. The first time one cannot, it is told why."""
        for recipient in to:
            room = self._room(recipient)
            if room.is_left:
                self.letters.write("answer", [recipient], subject, data, counted=room.kinds.answer, **headers)
            else:
                self._count(partial(Context._say_enough, recipient=recipient))

    def reach(self) -> tuple[tuple[str, AnswerKinds, bool], ...]:
        """Return each address that gets an answer, what this counts as, and whether it can still get one today."""
        rooms = ((to, self._room(to)) for to in self.answer_to())
        return tuple((to, room.kinds, room.is_left) for to, room in rooms)

    def demand_reader(self, call: Call) -> None:
        """Raise TooOften if nobody would read the answer to a question. Then the work for it is not done."""
        to = self.answer_to()
        if not to and call.credentials is None:
            raise TooOften("Nobody has confirmed the address that this question came from, so it is not answered.")
        rooms = [self._room(recipient) for recipient in to]
        if to and not any(room.is_left for room in rooms):
            raise TooOften("This address has reached the number of answers for one day.")
        self.budget.limit(max((room.size for room in rooms), default=0))
        if rooms and all(room.kinds == UNPROVED for room in rooms):
            self.budget.lower()

    def _room(self, recipient: str) -> Room:
        """Return what an address can still get today. Whoever answers a letter that it got is its reader."""
        return self.limits.room(recipient, is_proved=recipient == self.owner_of)

    def notice(self, mistake: str = "") -> None:
        """Tell a stranger how to play, at most once a day, without repeating any of the mail.

        `mistake`: what was wrong in the line that should have opened an account. It is told more often, because only
        people write such lines. An address may be spelt in many ways, and a forger may know many: there is a limit for
        all strangers, too.
        """
        self._count(partial(Context._notice, mistake=mistake))

    def demand_writing(self) -> None:
        """Raise MustWrite if this is only a snapshot of the database."""
        if self.owed is not None:
            raise MustWrite

    def _count(self, write: "Callable[[Context], None]") -> None:
        """Write a letter whose limit is counted: now, or as soon as something can be counted."""
        if self.owed is None:
            write(self)
        else:
            self.owed.append(write)

    def _say_enough(self, recipient: str) -> None:
        room = self._room(recipient)
        kind, size = ("enough", "megabytes") if room.kinds == PROVED else ("enough unproved", "kilobytes")
        if self.is_first_letter(kind, recipient, timedelta(days=1)):
            most = {"most": room.most, size: room.most_bytes // (1_000_000 if size == "megabytes" else 1_000)}
            self.letters.write("enough", [recipient], "Enough answers for today", most)

    def _notice(self, mistake: str) -> None:
        stranger = self.mail.sender.lower()
        if stranger in ("", *BY_PAGE):
            return
        if self.is_mistake_told(stranger) if mistake else self._is_told(stranger, NOTICE, 1):
            data = {"mistake": mistake, "answers": ["signup USERID PASSWORD"]}
            self.letters.write(NOTICE, [stranger], "How to play by mail", data)

    def is_mistake_told(self, stranger: str) -> bool:
        """Count a letter about a mistake to an address that nobody has confirmed. Returns False if none is left."""
        return self._is_told(stranger, "mistake", MOST_MISTAKES)

    def _is_told(self, stranger: str, kind: str, most: int) -> bool:
        uses = ((self.site.address_subject(stranger), Allowance(kind, most)), *self._of_strangers(kind))
        return not self._free_at(*uses)

    # --- limits ----------------------------------------------------------------------------------------------------

    def spend(self, player: Player, what: str, most: int, text: str, amount: int = 1) -> None:
        """Count what a player does, at most `most` in a day. Raises PlayerError: `text`, and when there is more."""
        self._demand(self._free_at((player_subject(player.id), Allowance(what, most)), amount=amount), text)

    def spend_on_host(self, host: str, most: int, text: str) -> None:
        """Count a mail that makes the server write to a host of the internet. Raises PlayerError: `text`."""
        self._demand(
            self._free_at((f"host {self.site.signer.keyed_hash(host)[:32]}", Allowance("webhook", most))), text
        )

    def is_first_letter(self, kind: str, address: str, within: timedelta) -> bool:
        """Count a letter of a kind to an address in any spelling. Returns False if it got one within this time."""
        return not self._free_at((self.site.address_subject(address), Allowance(kind, 1, within.total_seconds())))

    def is_first_letter_to_sender(self, kind: str, within: timedelta, most: int) -> bool:
        """Like `is_first_letter`, to the sender of the mail: strangers who name the address cannot use it up.

        From may be forged, so there is one letter for each origin of mails, and at most so many for all origins. One
        more is kept for a network from which none of them came (/24, or /48 of IPv6). Forged mails cannot use up the
        one letter for which DMARC passed.
        """
        seconds, of_sender = within.total_seconds(), self.site.address_subject(self.mail.sender)
        if self.mail.dmarc_pass:
            return not self._free_at((of_sender, Allowance(self.apart(f"own {kind}"), 1, seconds)))
        network = client_network(self.origin.partition("/")[0], 24, 48)
        of_network = self.site.address_subject(self.mail.sender, f"all of {network}")
        is_new = not self._free_at((of_network, Allowance(kind, 1, seconds)))
        of_origin = (self.site.address_subject(self.mail.sender, self.origin), Allowance(kind, 1, seconds))
        if not self._free_at(of_origin, (of_sender, Allowance(f"own {kind}", most, seconds))):
            return True
        return is_new and not self._free_at((of_sender, Allowance(f"kept {kind}", 1, seconds)))

    def apart(self, what: str) -> str:
        """Return the name of an allowance; another if DMARC proves From, so that forged mails cannot use it up."""
        return f"{what} dmarc" if self.mail.dmarc_pass else what

    def spend_on_stranger(self, kind: str, text: str) -> None:
        """Count a letter to an address that nobody has confirmed. Raises PlayerError if this hour had too many."""
        self._demand(self._free_at(*self._of_strangers(kind)), text)

    def _of_strangers(self, kind: str) -> tuple[Use, ...]:
        """Return what a letter to a stranger uses: the hourly limit of the mail's origin, and that of all mails."""
        policy = self.site.policy
        return (
            (origin_subject(self.origin), Allowance(self.apart(kind), policy.origin_strangers_an_hour, HOUR)),
            ("server", Allowance(self.apart(kind), policy.strangers_an_hour, HOUR)),
        )

    def _free_at(self, *uses: Use, amount: int = 1) -> float:
        """Use allowances. Returns 0, or when all are free again, in seconds since 1970. An admin uses none."""
        self.demand_writing()
        return 0.0 if self.mail_id is None else self.store.operations.spend(uses, self.now.timestamp(), amount)

    def _demand(self, free_at: float, text: str) -> None:
        if free_at:
            when = times.from_seconds(free_at + 60).astimezone(self.reader_zone())  # the minute that begins then
            raise PlayerError(text, f"You can do it again after {when:%Y-%m-%d %H:%M %Z}.")

    def cut_signature(
        self,
        player: Player,
        row: BoardRow | None = None,
        *,
        needs_words: bool = False,
        wants: Preferences | None = None,
    ) -> None:
        """Cut what the sender's mails end with off the words to the others, and remember how this mail ends.

        `needs_words`: they are kept if nothing else is left. `wants`: the player's preferences, if they are known. All
        this happens once a mail.
        """
        if self._is_ending_read or not self.body or self.mail.sender in BY_PAGE:
            return
        self._is_ending_read, preferences = True, wants or self.preferences(player)
        if preferences.keeps_signature:
            return

        def hashed(words: str) -> str:
            return self.site.signer.keyed_hash(f"ending:{player.id}:{words}")[:_HASH]

        def is_words(end: str) -> bool:
            words = [fold(word).lower().strip(".,!") for word in end.split()]
            command = word_of(end.partition("\n")[0], self.command_language, row.board if row else None)
            return command is not None or wishes_well(words)

        ending = read_ending(self.body, preferences.endings, hashed, is_words)
        self.body = ending.text or (self.body if needs_words else "")
        self.has_new_signature = ending.is_new
        if ending.known != preferences.endings:
            self.store.players.set_preference(player.id, "", Preferences.endings.name, ending.known)

    def comment(
        self,
        player: Player,
        row: BoardRow | None = None,
        *,
        needed: bool = False,
        wants: Preferences | None = None,
    ) -> Comment | None:
        """Return the text of the sender, who is `player`, to the others. `row`: the board that it is about.

        Some senders repeat the command in the body. Nothing of it tells what only the sender sees on a board. `needed`:
        the mail says nothing else.
        """
        self.cut_signature(player, row, needs_words=needed, wants=wants)
        passwords = (password for (_, password), check in self.password_checks.checked.items() if check.fits)
        text = passed_on(self.body, self.site, passwords)
        rows = {row.number: row} if row else {}
        if MAY_TELL_MORE.search(text) or (row is None and text):
            rows = self.store.boards.find_many(self._hidden_boards(player)) | rows
        for board in rows.values():
            text = without_secrets(text, self.site, board, player)
        return Comment(player.userid, text) if text.strip() else None

    def _hidden_boards(self, player: Player) -> list[int]:
        """Return the numbers of a player's running boards on which something is hidden from the others."""
        search, numbers = partial(self.store.board_lists.search, player_ids=[player.id]), list[int]()
        for game in games.all_games():
            if game.info.hidden and max(game.info.seats) > 1:
                numbers += [board.number for board in search(game=game.info.key)]
        return numbers

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
        """Return the row for reading only. Only players may read a private board. Raises PlayerError."""
        row = self.row(call, ref, lock=False)
        _demand_reader(row, reader)
        return row

    def my_board(self, call: Call) -> tuple[BoardRow, Player, Seat]:
        """Return the board that a call names, the sender, and the sender's seat. Raises PlayerError, GameMissing."""
        player = self.authentication.login(call)
        row = self.row(call, call.values["board"])
        demand_installed(row.game)
        if not row.seats_of(player):
            _demand_reader(row, player)
            names = " and ".join(p.userid for p in row.players)
            raise PlayerError(f"{player.userid} does not play on board {row.number}. Its players are: {names}.")
        if signed := self.authentication.signed:
            if call.command.verb == "chat":  # words are right at any time
                return row, player, signed.seat
            self._demand_fresh(row, player, signed, moves_only=call.command.verb == "move")
            return row, player, signed.seat
        return row, player, row.seat_to_move(player)

    def preferences(self, player: Player) -> Preferences:
        """Return a player's preferences."""
        return self.store.players.preferences([player.id])[player.id]

    def log(self, row: BoardRow) -> Sequence[Entry]:
        """Return the log of a board as of when `row` was read. Only what is looked at is read from the database."""
        return self.letters.replays.log(row)

    def at(self, row: BoardRow, ply: int) -> Board:
        """Return the board after a ply. Raises PlayerError if there is no such ply, or if this exceeds the budget."""
        return self.letters.replays.at(row, ply)

    @property
    def budget(self) -> Budget:
        """What this mail has used of its budget."""
        return self.letters.budget

    def before(self, row: BoardRow) -> Board | None:
        """The board as it was before the last entry of this mail, if there is one."""
        return self._before.get(row.number)

    def append(self, row: BoardRow, change: Change) -> BoardRow:
        """Store an entry and its consequences, and return the board after it."""
        self.lookups.forget()
        self._before[row.number] = row.board
        return entries.write(self.store, row, change, self.mail_id, self.now)

    def _demand_fresh(self, row: BoardRow, player: Player, signed: SignedSeat, *, moves_only: bool) -> None:
        """Refuse an answer to an old letter: a move needs the same position, any other verb the same log.

        Moves of others that the player cannot see, such as placing ships at the same time, do not matter to a move.
        Words for the dice matter to nothing, until the last one sets the board up.
        """
        length = signed.length
        # A log that is shorter than the letter's was restored from an older backup.
        if length <= row.board.length and all(map(is_only_a_word, self.log(row)[length:])):
            return
        same = length <= row.board.length if moves_only else length == row.board.length
        changed = not same or (length != row.board.length and moved_since(self.log(row), length))
        if changed and not (moves_only and same and only_hidden(row.board, self.log(row), length, {signed.seat})):
            raise Outdated(row, player, length)


@dataclass
class Answer:
    """The result of a call: a text for the sender, and boards whose players get a letter.

    `complete`: the board letter is enough, the sender needs no other answer.
    """

    text: str | Words = ""
    subject: str = ""
    boards: list[BoardNews] = field(default_factory=list)
    complete: bool = False
    answers: tuple[str, ...] = ()  #: words that answer it by a link
    attachments: tuple[Attachment, ...] = ()
    reply_to: str = ""  #: where an answer to it goes, if not to the service address
    touches: Touches = NO_TOUCHES  #: moves that answer it by a link

    @property
    def size(self) -> int:
        """How long it is: the characters of its text and the bytes of its files."""
        return len(str(self.text)) + sum(len(file.content) for file in self.attachments)


@dataclass(frozen=True)
class Occasion:
    """Whom an example line is for, and on which board. See `Command.usable`."""

    ctx: Context
    game: AnyGame
    row: BoardRow | None  #: the board, if the example names one
    player: Player | None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the player on the board."""
        return self.row.seats_of(self.player) if self.row and self.player else ()

    def plays(self) -> bool:
        """Whether the player plays on the board."""
        return bool(self.seats)

    def has_turn(self) -> bool:
        """Whether the player is to move on the board."""
        return self.row is not None and any(seat in self.row.board.to_move for seat in self.seats)


@dataclass(frozen=True)
class Command(CommandSyntax):
    """A row of the command table: what a line says, and what it does."""

    run: Callable[[Context, Call], Answer]
    _: KW_ONLY
    usable: Callable[[Occasion], bool] | None = None  #: returns whether the example could be used now


class LetterAnswer(NamedTuple):
    """What the answer to a letter about no board does."""

    run: Callable[[Context, Token, str], Answer]  #: takes the first line
    shown: str  #: the text of this call in the mail's record
    find_reader: Callable[[Context, Token], None]  #: tells the context who got the letter
    words: Callable[[Context], Sequence[str]] = lambda _: ()  #: answers by a link, after an error


@dataclass(frozen=True)
class Commands(CommandLanguage):
    """Everything that a mail can say, and what it does."""

    commands: tuple[Command, ...]
    by_letter: Mapping[str, LetterAnswer]  #: by the purpose of the signed address that was answered


class MustWrite(Exception):
    """A mail that is being answered from a snapshot of the database has to write something."""


class Outdated(PlayerError):
    """An answer to a letter whose board has changed since. The sender gets the current board."""

    def __init__(self, row: BoardRow, player: Player, length: int) -> None:
        super().__init__("There is a newer letter about this board, so nothing was done.")
        self.row, self.player, self.length = row, player, length


def _demand_reader(row: BoardRow, reader: Player | None) -> None:
    """Raise PlayerError if this player (None: anybody) may not look at the board."""
    if not row.may_be_read_by(reader):
        raise PlayerError(
            f"Board {row.number} is private.",
            f"Its players can see it with: {row.key} showas USERID PASSWORD {row.number}",
        )


def names_of_games(site: Site) -> Mapping[tuple[str, ...], AnyGame]:
    """Return the games that are offered on a server, by the words of their names in all languages."""
    renderer, offered = site.renderer, {game.info.key for game in site.games}
    says = [renderer.to(language).say for language in renderer.languages]
    titles = {say(game.info.name): game.info.key for game in site.games for say in says}
    named = {name: game for name, game in games.names().items() if game.info.key in offered}
    return names_of(named, titles)
