"""What one installation is: the things that every letter and command need and that never change while it runs."""

from dataclasses import dataclass, field

from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.signed_addresses import Signer
from pbmserv.passwords import Passwords


@dataclass(frozen=True)
class Site:
    """Made by the entry point from the settings and passed down."""

    signer: Signer
    renderer: Renderer = field(default_factory=Renderer, repr=False)
    passwords: Passwords = field(default_factory=Passwords, repr=False)
    trust_from: bool = False  #: From is enough to challenge in one's own name
    confirm_addresses: bool = True  #: an address gets nothing but the question until it is confirmed
    vacation_days: float = 30.0  #: in a calendar year
    retention_days: float = 400.0  #: after which the records of mails say nothing of people any more
    letters_days: float = 30.0  #: after which delivered letters are deleted
    authserv: str = ""  #: the name under which our own MTA writes Authentication-Results (RFC 8601)

    @property
    def address(self) -> str:
        """The service address."""
        return self.signer.address
