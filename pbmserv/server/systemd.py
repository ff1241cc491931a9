"""What a service tells systemd: sd_notify(3), one datagram for each message.

It needs no package: one is a wrapper around a C library, the others have had no release since 2017.
"""

import os
import socket
from contextlib import suppress


def notify(*states: str) -> None:
    """Tell the service manager something such as `READY=1`. Without a manager, or if it is gone, nothing happens."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return
    address = "\0" + place[1:] if place.startswith("@") else place  # an abstract one begins with a zero byte
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
        sender.setblocking(False)
        sender.sendto("\n".join(states).encode(), address)


def watchdog_seconds() -> float:
    """How often to send `WATCHDOG=1`: twice in the time after which systemd loses patience; 0 if it has no watchdog."""
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(os.environ.get("WATCHDOG_USEC", "0")) / 2e6 if ours else 0.0
