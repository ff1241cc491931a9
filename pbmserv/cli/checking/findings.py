"""What the checks of `pbmserv doctor` find, good or bad, and what to do about a problem."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from pbmserv.config import Config


@dataclass(frozen=True)
class Finding:
    """The result of a check. `failed`: data is not safe, or mail does not flow. `warning`: have a look."""

    check: str
    status: Literal["ok", "warning", "failed"]
    said: str
    advice: str = ""


Check = Callable[[Config], Iterator[Finding]]


def ok(check: str, text: str) -> Finding:
    return Finding(check, "ok", text)


def failed(check: str, text: str, advice: str) -> Finding:
    return Finding(check, "failed", text, advice)


def warning(check: str, text: str, advice: str) -> Finding:
    return Finding(check, "warning", text, advice)
