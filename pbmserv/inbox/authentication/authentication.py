"""Who sent a mail: proved by a password, a signed address, or a From header that can be trusted."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from pbmserv.errors import PlayerError
from pbmserv.games.base import Seat
from pbmserv.inbox.authentication.password_checks import PasswordChecks
from pbmserv.inbox.command import PASSWORD, Call, CommandSyntax, TooOften
from pbmserv.inbox.lookups import Lookups
from pbmserv.letters.site import Site
from pbmserv.mail.inbound import Mail
from pbmserv.mail.outbound import NOWHERE
from pbmserv.mail.signed_addresses import TOUCH, Token
from pbmserv.model import BoardRow, Player
from pbmserv.model.preferences import NO_PREFERENCES, Preferences
from pbmserv.store import Store

_ALIKE = 0.5  #: a word that is this similar to a password (difflib's ratio) may be a misspelt one


@dataclass(frozen=True)
class SignedSeat:
    """The signed address of a board letter: it means a seat of a board whose log has `length` entries."""

    number: int
    seat: Seat
    length: int
    by_page: bool = False  #: it was made for the player's own page, whose link only they have

    @classmethod
    def by(cls, token: Token) -> "SignedSeat":
        """Read the signed address of a board letter or of an offer."""
        number, seat, length, *_ = token.numbers
        return cls(number, seat, length, token.purpose == TOUCH)


class Authentication:
    """What a mail proves about its sender."""

    def __init__(self, site: Site, store: Store, mail: Mail, lookups: Lookups, checks: PasswordChecks) -> None:
        self._site = site
        self._store = store
        self._mail = mail
        self._lookups = lookups
        self._checks = checks
        self.signed: SignedSeat | None = None
        self.player: Player | None = None  #: the player, if proved by a password or a signed address
        #: Preferences that were read, by the proved player; None while this mail may change them.
        self.read: dict[int | None, list[Preferences]] | None = None
        self._is_own = cache(store.addresses.is_own)

    def login(self, call: Call) -> Player:
        """Return the player, proved by a password or a signed address. Raises PlayerError."""
        return self._confirmed(self._login(call), call.command)

    def _login(self, call: Call) -> Player:
        if self.signed:
            return self.enter(self.signed_row().players[self.signed.seat])
        if call.credentials is None:
            raise PlayerError("This command needs your userid and password.")
        userid, password = call.credentials
        player = self._lookups.player(userid)
        if not self.is_password(player, password):
            raise PlayerError(
                f"The password is not that of {player.userid}.",
                "Capital letters count in passwords. Check userid and password, and send the line again.",
            )
        return self.enter(player)

    def _confirmed(self, player: Player, command: CommandSyntax) -> Player:
        """The player; if the command reaches others, only one who has confirmed an address. Raises PlayerError."""
        if command.reaches_others and not self.is_confirmed(player):
            raise PlayerError(
                f"{player.userid} has not confirmed an address yet, so this cannot reach other players.",
                "Confirm it first: answer the confirmation letter with the word yes.\n"
                f"To get that letter again, send: signup {player.userid} {PASSWORD}",
            )
        return player

    def is_confirmed(self, player: Player) -> bool:
        """Whether what the player writes may reach others."""
        return not self._site.policy.confirm_addresses or self._store.addresses.has_confirmed(player.id)

    def enter(self, player: Player) -> Player:
        """Accept a proved player. Raises PlayerError if the account is locked."""
        self.player = player
        demand_unlocked(player)
        return player

    def sender_player(self, call: Call) -> Player:
        """Return the player for commands without a password: from `--as`, or from a From header that can be trusted."""
        if call.credentials or self.signed:
            return self.login(call)
        if self.player and self.is_own_address(self.player):  # an answer to a letter that only this player got
            return self._confirmed(self.enter(self.player), call.command)
        how = "Add your userid and password to the line: --as=USERID:PASSWORD"
        if not self._is_from_trusted:
            raise PlayerError("The From address alone does not prove who sent this mail.", how)
        players = self._store.players.at(self._mail.sender)
        if not players:
            raise PlayerError("No player has your address.", f"Send: signup USERID PASSWORD\n{how}")
        named = [p for p in players if p.userid in (call.get("userid") or ())]
        if len(players) > 1 and len(named) != 1:
            raise PlayerError("Several players share your address.", how)
        player = named[0] if len(players) > 1 else players[0]
        demand_unlocked(player)
        return player

    def probable_player(self) -> Player | None:
        """Return the only player with the address in From, which proves nothing; None if there is none, or several."""
        players = self._store.players.at(self._mail.sender)
        return players[0] if len(players) == 1 else None

    def is_known_by_from(self) -> bool:
        """Return whether From alone proves which player this is."""
        return self._is_from_trusted and self.probable_player() is not None

    @property
    def _is_from_trusted(self) -> bool:
        return self._site.policy.trust_from or self._mail.dmarc_pass

    def is_proved_at(self, address: str) -> bool:
        """Whether the mail proves that the reader of an address has sent it: by DMARC, password or signed address."""
        if self._mail.dmarc_pass and address.casefold() == self._mail.sender.casefold():
            return True
        return any(self._is_own(address, player.id) for player in self._proved_players())

    def _proved_players(self) -> Iterable[Player]:
        """Return the proved player; before a command has run, those whose passwords are in the mail."""
        if self.player:
            return [self.player]
        userids = {userid for (userid, _), check in self._checks.checked.items() if check.fits}
        return [player for userid in sorted(userids) if (player := self._store.players.find(userid))]

    def is_own_address(self, player: Player) -> bool:
        """Whether the mail is from an address of the player or from their own page, or from a robot of this server."""
        if self.signed and self.signed.by_page:
            return True
        if player.robot and self._mail.sender == f"{player.userid}@{NOWHERE}":
            return self._store.robots.find(player.id) is not None
        own = {a.address.casefold() for a in self._store.addresses.of(player.id) if a.confirmed}
        return self._mail.sender.casefold() in own

    def is_password(self, player: Player, password: str) -> bool:
        """Return whether the password is the player's. A check before the transaction counts only for the same hash."""
        if player.password_hash in self._checks.hashed.values():  # this mail has set it
            return self._checks.hashed.get(password) == player.password_hash
        check = self._checks.checked.get((player.userid, password))
        if check and check.stored == player.password_hash:
            return check.fits
        return self._site.passwords.verify(player.userid, player.password_hash, password)

    def is_no_password(self, word: str) -> bool:
        """Return whether a word is meant as a userid: the mail has the right password, and the word is not like it."""
        passwords = [password.lower() for (_, password), check in self._checks.checked.items() if check.fits]
        return bool(passwords) and not get_close_matches(word.lower(), passwords, n=1, cutoff=_ALIKE)

    def demand_patience(self, call: Call) -> None:
        """Raise TooOften if the password of a call was not looked at."""
        if call.credentials in self._checks.waits:
            raise TooOften(self._checks.waits[call.credentials])

    def password_hash(self, password: str) -> str:
        """The hash of a new password."""
        return self._checks.hashed.get(password) or self._site.passwords.hash(password)

    def signed_row(self) -> BoardRow:
        """The board of the signed address, locked. Raises PlayerError."""
        if self.signed is None:
            raise ValueError("the mail was not sent to a signed address")
        return self._lookups.hold(self.signed.number)

    @property
    def language(self) -> str:
        """The sender's language, if it is clear who the sender is; else English."""
        return _common({p.language for p in self._preferences()}, NO_PREFERENCES.language)

    @property
    def timezone(self) -> str:
        """The name of the sender's time zone, if it is clear who the sender is; else UTC."""
        return _common({p.timezone for p in self._preferences()}, NO_PREFERENCES.timezone)

    @property
    def as_spectator(self) -> Preferences:
        """How boards are drawn for a sender who sees what everybody sees: with pictures for readers who want them."""
        rich = all(p.wants_pictures for p in self._preferences())
        return NO_PREFERENCES if rich else Preferences({("", "mail"): "text"})

    def _preferences(self) -> Iterable[Preferences]:
        """Return the sender's preferences; if it is not proved who that is, those of all players with this address."""
        key = self.player.id if self.player else None
        if self.read is not None and key in self.read:
            return self.read[key]
        readers = [self.player] if self.player else self._store.players.at(self._mail.sender)
        preferences = list(self._store.players.preferences(p.id for p in readers).values())
        if self.read is not None:
            self.read[key] = preferences
        return preferences


def _common(values: set[str], otherwise: str) -> str:
    """Return the value if all values are equal, else ""."""
    return values.pop() if len(values) == 1 else otherwise


def demand_unlocked(player: Player) -> None:
    """Raise PlayerError if an admin has locked the account."""
    if player.is_locked:
        raise PlayerError(
            f"The account {player.userid} is locked, so nothing was done.",
            "To ask why, write to the people who run this server.",
        )
