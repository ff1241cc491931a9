"""Whether the listener of this machine greets: exits with 0 if every place of PBMSERV_LISTEN does, else with 1.

For the image's HEALTHCHECK. A process without the role `listener` has no socket to ask and counts as healthy.
"""

import smtplib
import sys
from urllib.parse import urlsplit

from pbmserv.config import Config

_SECONDS = 5
_ANY_HOST = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what it is told to bind, and where that answers


def greet(url: str) -> None:
    """Read the greeting and take leave. Raises OSError, of which smtplib's errors are a kind, if there is none."""
    parts = urlsplit(url)
    if parts.scheme == "lmtp+unix":
        client: smtplib.SMTP = smtplib.LMTP(parts.path, timeout=_SECONDS)
    else:
        host = parts.hostname or ""
        client = smtplib.SMTP(_ANY_HOST.get(host, host), parts.port or 0, timeout=_SECONDS)
    client.quit()


def main() -> int:
    """The exit code."""
    config = Config()
    try:
        for url in config.listen if "listener" in config.roles else ():
            greet(url)
    except OSError as error:
        print(f"{url}: {error}", file=sys.stderr)  # noqa: T201 - `docker inspect` shows it
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
