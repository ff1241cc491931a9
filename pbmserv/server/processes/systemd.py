"""Sends messages to systemd: sd_notify(3), one datagram for each (ADR 16).

We use no package: one is a wrapper around a C library, and the others have had no release since 2017.
"""

import os
import socket
from contextlib import suppress


def notify(*states: str) -> None:
    """Send a message such as `READY=1` to the service manager. Does nothing if there is none."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return
    address = "\0" + place[1:] if place.startswith("@") else place  # an abstract address begins with a zero byte
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
        sender.setblocking(False)
        sender.sendto("\n".join(states).encode(), address)


def watchdog_seconds() -> float:
    """Return how often to send `WATCHDOG=1`: twice in systemd's limit; 0 if there is no watchdog."""
    ours = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(os.environ.get("WATCHDOG_USEC", "0")) / 2e6 if ours else 0.0
