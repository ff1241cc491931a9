"""One installation: the things that letters and commands need and that never change while the server runs."""

from dataclasses import dataclass, field

from pbmserv.letters.policy import Policy
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.reading.headers import mailbox
from pbmserv.mail.signed_addresses import Signer
from pbmserv.passwords import Passwords


@dataclass(frozen=True)
class Site:
    """Data of the installation. The entry point makes it from the settings and passes it down."""

    signer: Signer
    renderer: Renderer = field(default_factory=Renderer, repr=False)
    passwords: Passwords = field(default_factory=Passwords, repr=False)
    policy: Policy = field(default_factory=Policy)

    @property
    def address(self) -> str:
        """The service address."""
        return self.signer.address

    def address_subject(self, address: str, origin: str | None = None) -> str:
        """Return the subject under which letters to an address are counted. It contains only a hash of the address.

        With `origin`, only letters that were caused by mails from there are counted.
        """
        text = mailbox(address) if origin is None else f"{mailbox(address)} from {origin}"
        return f"address {self.signer.keyed_hash(text)[:32]}"
