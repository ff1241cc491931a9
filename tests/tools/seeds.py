"""Seeds of boards, and numbers of robots, that are the same in every run."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from types import SimpleNamespace

import pytest

from pbmserv.commands import starting
from pbmserv.server import robot_player


@contextmanager
def seeds_from(name: str) -> Iterator[None]:
    """In this context, what boards and robots draw follows from the name, so that a test always has the same result."""
    numbers = count()

    def token_hex(size: int) -> str:
        return sha256(f"{name} {next(numbers)}".encode()).hexdigest()[: 2 * size]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starting, "secrets", SimpleNamespace(**vars(secrets) | {"token_hex": token_hex}))
        patch.setattr(robot_player, "token_hex", token_hex)
        yield
