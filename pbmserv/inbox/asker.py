"""Who asks: proved by a password, by a signed address, or by a From line that can be trusted."""

from collections.abc import Iterable
from dataclasses import dataclass

from pbmserv.errors import PlayerError
from pbmserv.games.base import Seat
from pbmserv.inbox.command import Call, TooOften
from pbmserv.inbox.lookups import Lookups
from pbmserv.inbox.password_checks import Proofs
from pbmserv.letters.preferences import Preferences, read_preferences
from pbmserv.letters.site import Site
from pbmserv.mail.inbound import Mail
from pbmserv.mail.signed_addresses import Token
from pbmserv.store import BoardRow, Player, Store


@dataclass(frozen=True)
class Signed:
    """A signed address that a mail was sent to: it speaks for a seat, as of a log of `length` entries."""

    number: int
    seat: Seat
    length: int

    @classmethod
    def by(cls, token: Token) -> "Signed":
        """What the signed address of a board letter says, or of an offer."""
        return cls(*token.numbers[:3])


class Asker:
    """The sender of one mail, as far as he has proved who he is."""

    def __init__(self, site: Site, store: Store, mail: Mail, lookups: Lookups, proofs: Proofs) -> None:
        self._site = site
        self._store = store
        self._mail = mail
        self._lookups = lookups
        self._proofs = proofs
        self.signed: Signed | None = None
        self.proved: Player | None = None  #: who has proved himself by password or signed address

    def login(self, call: Call) -> Player:
        """The player who proved himself by password or by a signed address. Raises PlayerError."""
        if self.signed:
            return self.enter(self.signed_row().players[self.signed.seat])
        if call.credentials is None:
            raise PlayerError("This command needs your userid and password.")
        userid, password = call.credentials
        player = self._lookups.player(userid)
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
        players = self._store.players.at(self._mail.sender)
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
        return self._is_from_trusted and len(self._store.players.at(self._mail.sender)) == 1

    @property
    def _is_from_trusted(self) -> bool:
        return self._site.policy.trust_from or self._mail.dmarc_pass

    def is_own_address(self, player: Player) -> bool:
        """Whether the mail comes from one of the player's addresses."""
        mine = {a.address.casefold() for a in self._store.addresses.of(player.id) if a.confirmed}
        return self._mail.sender.casefold() in mine

    def is_password(self, player: Player, password: str) -> bool:
        """Whether the password is the player's; what was verified before the transaction counts for that hash only."""
        check = self._proofs.checked.get((player.userid, password))
        if check and check.stored == player.password_hash:
            return check.fits
        return self._site.passwords.verify(player.userid, player.password_hash, password)

    def demand_patience(self, call: Call) -> None:
        """Raise TooOften if the password of a call was not looked at."""
        if call.credentials in self._proofs.waits:
            raise TooOften(self._proofs.waits[call.credentials])

    def password_hash(self, password: str) -> str:
        """The hash of a new password."""
        return self._proofs.hashed.get(password) or self._site.passwords.hash(password)

    def signed_row(self) -> BoardRow:
        """The board of the signed address, locked. Raises PlayerError."""
        if self.signed is None:
            raise ValueError("the mail was not sent to a signed address")
        return self._lookups.hold(self.signed.number)

    @property
    def language(self) -> str:
        """The language in which he wants letters, if it is clear who he is; else English."""
        return _common({p.language for p in self._preferences()}, Preferences().language)

    @property
    def timezone(self) -> str:
        """The name of his time zone, if it is clear who he is; else UTC."""
        return _common({p.timezone for p in self._preferences()}, Preferences().timezone)

    def _preferences(self) -> Iterable[Preferences]:
        """His; or those of everybody whom his address belongs to, if he has not proved who he is."""
        readers = [self.proved] if self.proved else self._store.players.at(self._mail.sender)
        return read_preferences(self._store, (p.id for p in readers)).values()


def _common(values: set[str], otherwise: str) -> str:
    """The only one of these values, if there is just one."""
    return values.pop() if len(values) == 1 else otherwise


def demand_unlocked(player: Player) -> None:
    """Raise PlayerError if an admin has locked the account."""
    if player.is_locked:
        raise PlayerError(
            f"The account {player.userid} is locked by the people who run this server, so nothing was done.",
            "Only they can tell you why.",
        )
