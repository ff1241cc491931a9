"""Check the listener of this machine: exit with 0 if every address of PBMSERV_LISTEN greets, else with 1.

The image's HEALTHCHECK runs this. A process without the role `listener` has no socket and counts as healthy.
"""

import smtplib
import sys
from urllib.parse import urlsplit

from pbmserv.config import Config

_SECONDS = 5
_ANY_HOST = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - bound to any host, a listener answers on loopback


def greet(url: str) -> None:
    """Read the greeting and quit. Raises OSError if there is none; smtplib's errors are OSErrors, too."""
    parts = urlsplit(url)
    if parts.scheme == "lmtp+unix":
        client: smtplib.SMTP = smtplib.LMTP(parts.path, timeout=_SECONDS)
    else:
        host = parts.hostname or ""
        client = smtplib.SMTP(_ANY_HOST.get(host, host), parts.port or 0, timeout=_SECONDS)
    client.quit()


def main() -> int:
    """Ask each address and return the exit code."""
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
