# ruff: noqa: N802 - the library finds commands by names like smtp_DATA
"""LMTP for our own MTA: a reply for each recipient, and the client that sent the message to the MTA."""

import re
from ipaddress import ip_address
from typing import cast

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope

from pbmserv.mail.smtp.session import Smtp

FORWARDED = re.compile(r"ADDR=(?:IPV6:)?([0-9a-f:.]{2,45})", re.IGNORECASE)


class Lmtp(LMTP, Smtp):
    """One LMTP session. It begins with LHLO, and a message gets one reply for each recipient (RFC 2033 §4.2)."""

    protocol_name = "LMTP"
    extensions = ("XFORWARD ADDR",)
    _forwarded = ""  # the client of our own MTA

    async def check_helo_needed(self, helo: str = "LHLO") -> bool:
        """Return the name of this protocol's greeting."""
        return await super().check_helo_needed(helo)

    def _answers(self) -> int:
        return len(cast(Envelope, self.envelope).rcpt_tos)

    def _client(self) -> str:
        return self._forwarded

    async def smtp_XFORWARD(self, arg: str | None) -> None:
        """Note which client sent the next message to our own MTA, as Postfix tells it (its XFORWARD_README)."""
        if not self.idle:
            await self.push("503 5.5.1 Error: a transaction is under way")
            return
        addresses = [match[1] for word in (arg or "").split() if (match := FORWARDED.fullmatch(word))]
        self._forwarded = addresses[0] if addresses and _is_ip(addresses[0]) else ""
        await self.push("250 2.0.0 Ok")

    async def smtp_DATA(self, arg: str) -> None:
        """Receive one message. The data of XFORWARD is for this message only."""
        await super().smtp_DATA(arg)
        self._forwarded = ""


def _is_ip(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
