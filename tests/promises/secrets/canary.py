"""A password that is easy to find, in every line in which a player could write it, rightly or by mistake."""

from collections.abc import Iterable, Iterator
from email import message_from_bytes
from email.header import decode_header, make_header
from itertools import chain
from pathlib import Path

from pbmserv.commands.help import examples
from pbmserv.games import GAMES
from pbmserv.inbox.command import PASSWORD, Is
from pbmserv.inbox.context import Command
from tests.promises.secrets.disguises import disguises

#: One password could also be a userid, the other could not.
CANARIES = ("canary7under", "Canary-Ünder-7")


def lines(command: Command, canary: str) -> list[str]:
    """Return the examples of a command, with the password in its place and in places where it may be by mistake."""
    right = list(dict.fromkeys(line.replace(PASSWORD, canary) for line in examples(command, GAMES[0])))
    wrong = list(chain.from_iterable(_mistakes(line.split(), canary) for line in right[:1]))
    if any(arg.is_ is Is.NEW_PASSWORD for arg in command.args) and canary.isalnum():
        wrong = []  # if userid and password are swapped here, the account gets that name
    return right + wrong


def _mistakes(words: list[str], canary: str) -> Iterator[str]:
    for at in range(len(words)):
        yield " ".join([*words[:at], canary, *words[at + 1 :]])
        yield " ".join([*words[:at], canary, *words[at:]])
    yield " ".join([*words, canary])
    yield " ".join([words[0], words[-1][::-1], *words[1:], canary])
    yield " ".join([*words, f"--as=alice:{canary}"])
    yield " ".join([*words, f"--as={canary}:alice"])
    yield " ".join([*words, f"--nagtime={canary}", f"--{canary}", f"-{canary}={canary}"])
    yield " ".join([words[0][::-1], *words[1:], canary])
    yield " ".join(words).replace(canary, f"{canary}x")
    yield " ".join(words[:-1])


def leaks(found: Iterable[bytes], canary: str) -> list[bytes]:
    """Return the forms of the password that are found. Upper and lower case are the same, because words are folded."""
    everything = b"\n".join(found)
    looked_for = {*disguises(canary), *disguises(canary.lower()), *disguises(canary.upper())}
    return [form for form in looked_for if form in everything]


def files(folder: Path) -> list[bytes]:
    """Return all files below a folder: database, WAL, shelf, Maildirs, logs. Letters are there in decoded form, too."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    letters = [decoded(path.read_bytes()) for path in paths if path.suffix == ".pbmserv"]
    return [path.read_bytes() for path in paths] + letters


def decoded(letter: bytes) -> bytes:
    """Return a letter with its headers and parts decoded."""
    message = message_from_bytes(letter)
    headers = "\n".join(f"{name}: {make_header(decode_header(value))}" for name, value in message.items())
    parts = [part.get_payload(decode=True) for part in message.walk() if not part.is_multipart()]
    return b"\n".join([headers.encode(), *(part for part in parts if isinstance(part, bytes))])
