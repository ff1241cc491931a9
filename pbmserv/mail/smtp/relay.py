"""The relay for letters, from a setting such as `smtp://host:25`, `lmtp://host:24` or `maildir:var/letters`."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pbmserv.mail.oauth.oauth_settings import Tokens
from pbmserv.mail.smtp.client import TIMEOUT, SmtpRelay, Target
from pbmserv.mail.smtp.endpoints import WITH_TLS
from pbmserv.mail.smtp.maildir import MaildirRelay

_DEFAULT_PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465, "lmtp": 24}


def open_relay(url: str, timeout: float = TIMEOUT, tokens: Tokens | None = None) -> SmtpRelay | MaildirRelay:
    """Return the relay of `url`, not yet connected. Raises ValueError with the allowed forms.

    `tokens`: what logs in if the URL has a user and no password.
    """
    if match := re.fullmatch(r"maildir:(?://(?=/))?([^/].*|/[^/].*)", url):
        return MaildirRelay(Path(match[1]))
    if target := read_target(url):
        is_open = target.user is None or target.password is not None
        if is_open or tokens:
            return SmtpRelay(target, timeout, None if is_open else tokens)
    scheme = re.match(r"[a-z][a-z+]*(?=:)", url)  # only the scheme, because every other part could be a password
    raise ValueError(
        f"Cannot send letters to '{scheme[0] if scheme else ''}:…'. Write maildir:folder, smtp://host:port, "
        "lmtp://host:port, smtps://user:password@host or smtp+starttls://user:password@host. A password is sent over "
        "TLS only; in it, write %2F %3A %3F %23 %40 %25 for / : ? # @ %, or put it into PBMSERV_RELAY_PASSWORD. "
        "Without one, PBMSERV_OAUTH_CLIENT is needed."
    )


def read_target(url: str) -> Target | None:
    """Return the server in `url`; None if it is no URL of a mail server."""
    try:
        parts = urlsplit(url)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return None
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        return None
    if parts.username is None:
        return Target(parts.scheme, parts.hostname, port)
    if parts.scheme not in WITH_TLS or not parts.username or parts.password == "":
        return None
    password = None if parts.password is None else unquote(parts.password)
    return Target(parts.scheme, parts.hostname, port, unquote(parts.username), password)
