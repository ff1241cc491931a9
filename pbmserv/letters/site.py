"""What one installation is: the things that every letter and command need and that never change while it runs."""

from dataclasses import dataclass, field

from pbmserv.letters.policy import Policy
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.signed_addresses import Signer
from pbmserv.passwords import Passwords


@dataclass(frozen=True)
class Site:
    """Made by the entry point from the settings and passed down."""

    signer: Signer
    renderer: Renderer = field(default_factory=Renderer, repr=False)
    passwords: Passwords = field(default_factory=Passwords, repr=False)
    policy: Policy = field(default_factory=Policy)

    @property
    def address(self) -> str:
        """The service address."""
        return self.signer.address
