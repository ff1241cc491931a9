"""Letters as files: one Maildir per recipient, for trying things out and for mail systems that read Maildirs."""

import asyncio
import os
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryFile
from urllib.parse import quote

from pbmserv.mail.envelope import Outgoing
from pbmserv.mail.smtp.delivery import RelayDown

#: The longest name of a folder; most file systems take 255 bytes.
_FOLDER_LENGTH = 200


class MaildirRelay:
    """One Maildir per recipient under a folder. A letter counts as delivered once file and folder are on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """Deliver as `Relay.deliver` says. The receipt is the file's path below the folder."""
        try:
            path = await asyncio.to_thread(self._store, letter)
        except OSError as error:
            raise RelayDown(f"cannot write below {self._folder}: {error.strerror}") from None
        return str(path.relative_to(self._folder))

    async def close(self) -> None:
        """Nothing is held open."""

    async def probe(self) -> str:
        """Write a file that is gone at once, there or in the nearest folder above. Raises RelayDown."""
        try:
            there = next(folder for folder in (self._folder, *self._folder.absolute().parents) if folder.exists())
            with TemporaryFile(dir=there):
                return f"{self._folder} can be written"
        except OSError as error:
            raise RelayDown(f"cannot write below {self._folder}: {error.strerror}") from None

    def _store(self, letter: Outgoing) -> Path:
        """Write the letter, once: its name follows from its number and its bytes, so a second attempt finds the first.

        The number alone would not do: it starts anew with a new database.
        """
        maildir = self._folder / folder_name(letter.recipient)
        tmp, new, cur = (maildir / name for name in ("tmp", "new", "cur"))
        for folder in (tmp, new, cur):
            _make_folder(folder)
        name = f"{letter.id:010}.{blake2b(letter.data, digest_size=8).hexdigest()}.pbmserv"
        if not (new / name).exists() and not any(cur.glob(f"{name}*")):
            _write(tmp / name, letter.data.replace(b"\r\n", b"\n"))
            (tmp / name).rename(new / name)
        _sync(new)  # also if the file was there: then somebody stopped before this line, perhaps
        return new / name


def folder_name(address: str) -> str:
    """The percent-encoded address, in lower case: one name of a folder, whatever the address holds."""
    name = quote(address.lower(), safe="@+", errors="surrogatepass")
    if name.startswith("."):  # of these, "." and ".." are other folders, and the rest are hidden
        name = "%2E" + name[1:]
    if len(name) > _FOLDER_LENGTH:
        name = f"{name[: _FOLDER_LENGTH - 33]}-{blake2b(name.encode(), digest_size=16).hexdigest()}"
    return name


def _make_folder(path: Path) -> None:
    """Make `path` and the folders above it, each on disk before the next; only their owner may read them."""
    if path.is_dir():
        return
    _make_folder(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    _sync(path.parent)


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Put the names in `folder` on disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
