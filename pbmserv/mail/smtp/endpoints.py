"""Where to listen, and what is known of a relay, as settings write them. It imports nothing that takes time."""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

#: How many letters a day the providers of mailboxes take from an ordinary account, as they say themselves. They lock
#: an account that sends more, for a day or for good.
_MOST_A_DAY = {
    "smtp.gmail.com": 500,
    "smtp-mail.outlook.com": 300,
    "smtp.office365.com": 10_000,
    "smtp.mail.yahoo.com": 500,
    "smtp.mail.me.com": 1000,
}


WITH_TLS = ("smtp+starttls", "smtps")  #: relays to which a login may be shown


@dataclass(frozen=True)
class Endpoint:
    """Where to listen, from one URL: a path, or a host and a port."""

    url: str
    scheme: str
    host: str = ""
    port: int = 0
    path: str = ""


def read_url(url: str) -> Endpoint:
    """Return the endpoint of `url`. Raises ValueError with the allowed forms."""
    try:
        parts = urlsplit(url.strip())
        if parts.scheme == "lmtp+unix" and not parts.netloc and parts.path.startswith("/"):
            return Endpoint(url, parts.scheme, path=parts.path)
        if parts.scheme in ("smtp", "lmtp") and parts.hostname and parts.port is not None and parts.path in ("", "/"):
            return Endpoint(url, parts.scheme, parts.hostname, parts.port)
    except ValueError:
        pass  # urlsplit's error names neither the URL nor the solution
    raise ValueError(
        f"Cannot listen on '{url}': write smtp://host:port, lmtp://host:port or lmtp+unix:///path/of/the.sock"
    )


def without_password(url: str) -> tuple[str, str]:
    """Return the user and the host of a relay where a token must log in; two empty texts for all others."""
    try:
        parts = urlsplit(url)
        is_it = parts.scheme in WITH_TLS and parts.username and parts.password is None
        return (unquote(parts.username or ""), parts.hostname or "") if is_it else ("", "")
    except ValueError:
        return "", ""


def most_a_day(url: str) -> int:
    """Return how many letters a day the relay of `url` is known to take; 0 if nothing is known."""
    return _MOST_A_DAY.get(urlsplit(url).hostname or "", 0)
