"""One installation: the things that letters and commands need and that never change while the server runs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbmserv import games
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base.log import Entry
from pbmserv.letters.policy import Policy
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.reading.headers import mailbox
from pbmserv.mail.signed_addresses import BOARDS, CALENDAR, PAGE, Signer, with_words, words_of
from pbmserv.model import BoardRow, Player
from pbmserv.model.letters import Event
from pbmserv.model.passwords import Passwords

LINE_TO_KEEP = "Leave this line in your answer"  #: before the words for it, if no mail goes to signed addresses
PAGES = "/my/"  #: the path of the players' own web pages
_SECRETS = {CALENDAR: "calendar", BOARDS: "boards"}  #: what a link of a player's own leads to, by its purpose
STOPPING = f"{PAGES}stop/"  #: the path of the pages where readers stop letters with one click


class Events:
    """Makes events for webhooks of what letters say. This one makes none; `WebhookEvents` (webhooks/) has the words."""

    def of_board(self, row: BoardRow, player: Player, log: Sequence[Entry], seen: int) -> Event | None:
        """Return that it is the player's turn, or the end of the board. `seen`: entries that the player has read."""

    def of_message(self, by: str, text: str, row: BoardRow | None) -> Event | None:
        """Return what another player wrote, about a board or not."""


@dataclass(frozen=True)
class Site:
    """Data of the installation. The entry point makes it from the settings and passes it down."""

    signer: Signer
    renderer: Renderer = field(default_factory=Renderer, repr=False)
    passwords: Passwords = field(default_factory=Passwords, repr=False)
    policy: Policy = field(default_factory=Policy)
    events: Events = field(default_factory=Events)

    @property
    def address(self) -> str:
        """The service address."""
        return self.signer.address

    @property
    def games(self) -> tuple[AnyGame, ...]:
        """The games of which boards can begin here; at least one."""
        return games.chosen(self.policy.games)

    @property
    def usual_game(self) -> AnyGame:
        """The game in examples: the first, if possible one for several players."""
        return next((g for g in self.games if max(g.info.seats) > 1), self.games[0])

    def reached_at(self, signed: str, subject: str) -> tuple[str, str]:
        """Return the address and the subject of a mail that a signed address is for."""
        return (signed, subject) if self.policy.plus else (self.address, with_words(subject, words_of(signed)))

    def page(self, board: int, seat: Seat, player: Player) -> str:
        """Return the link to a player's own web page of a board; "" if the settings do not say where the pages are.

        Who has the link sees the page. It ends when the player sets another password, or leaves (ADR 35).
        """
        url = self.policy.web_url
        return f"{url}{PAGES}{self.signer.signed(PAGE, board, seat, player_code(self.signer, player))}" if url else ""

    def calendar(self, player: Player, nonce: str) -> str:
        """Return the link to a player's own calendar. `nonce`: from the preferences; another one makes another link."""
        return f"{self._secret(CALENDAR, player, nonce)}/calendar.ics"

    def boards(self, player: Player, nonce: str) -> str:
        """Return the link to the list of a player's boards. `nonce`: from the preferences, too."""
        return f"{self._secret(BOARDS, player, nonce)}/boards"

    def _secret(self, purpose: str, player: Player, nonce: str) -> str:
        words = self.signer.signed(purpose, player.id, self.secret_code(purpose, player, nonce))
        return f"{self.policy.web_url}{PAGES}{words}"

    def secret_code(self, purpose: str, player: Player, nonce: str) -> int:
        """Return the number in a link of a player's own. It changes with the nonce and with the password."""
        what = _SECRETS[purpose]
        return int(self.signer.keyed_hash(f"{what}:{player.id}:{player.password_hash}:{nonce}")[:12], 16)

    def one_click(self, address: str) -> str:
        """Return the URL that stops letters as a mail to this signed address does; "" if the settings allow none."""
        signed = words_of(address)
        return f"{self.policy.web_url}{STOPPING}{signed}" if self.policy.web_listener and self.policy.web_url else ""

    def address_subject(self, address: str, origin: str | None = None) -> str:
        """Return the subject under which letters to an address are counted. It contains only a hash of the address.

        With `origin`, only letters that were caused by mails from there are counted.
        """
        text = mailbox(address) if origin is None else f"{mailbox(address)} from {origin}"
        return f"address {self.signer.keyed_hash(text)[:32]}"


def player_code(signer: Signer, player: Player) -> int:
    """Return the number that stands for a player in the link to a page. With another password it is another number."""
    return int(signer.keyed_hash(f"page:{player.id}:{player.password_hash}")[:6], 16)
