"""Delivers letters to files: one Maildir for each recipient, for tests and for mail systems that read Maildirs."""

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
    """One Maildir for each recipient in a folder. A letter is delivered when its file and folder are on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def deliver(self, letter: Outgoing, then: Outgoing | None = None, /) -> str:
        """Deliver as in `Relay.deliver`. The receipt is the file's path relative to the folder."""
        try:
            path = await asyncio.to_thread(self._store, letter)
        except OSError as error:
            raise RelayDown(f"cannot write below {self._folder}: {error.strerror}") from None
        return str(path.relative_to(self._folder))

    async def close(self) -> None:
        """Do nothing, because nothing is open."""

    async def probe(self) -> str:
        """Write and delete a file, there or in the nearest folder above. Raises RelayDown."""
        try:
            there = next(folder for folder in (self._folder, *self._folder.absolute().parents) if folder.exists())
            with TemporaryFile(dir=there):
                return f"{self._folder} can be written"
        except OSError as error:
            raise RelayDown(f"cannot write below {self._folder}: {error.strerror}") from None

    def _store(self, letter: Outgoing) -> Path:
        """Write the letter once.

        Its file name depends on its number and its bytes, so a second attempt finds the first.

        The number alone is not enough, because a new database starts again from 1.
        """
        maildir = self._folder / folder_name(letter.recipient)
        tmp, new, cur = (maildir / name for name in ("tmp", "new", "cur"))
        for folder in (tmp, new, cur):
            _make_folder(folder)
        name = f"{letter.id:010}.{blake2b(letter.data, digest_size=8).hexdigest()}.pbmserv"
        if not (new / name).exists() and not any(cur.glob(f"{name}*")):
            _write(tmp / name, letter.data.replace(b"\r\n", b"\n"))
            (tmp / name).rename(new / name)
        _sync(new)  # also if the file exists: an earlier attempt may have stopped before this line
        return new / name


def folder_name(address: str) -> str:
    """Return the percent-encoded lower-case address, which is a valid folder name for every address."""
    name = quote(address.lower(), safe="@+", errors="surrogatepass")
    if name.startswith("."):  # "." and ".." are other folders, and names with a leading dot are hidden
        name = "%2E" + name[1:]
    if len(name) > _FOLDER_LENGTH:
        name = f"{name[: _FOLDER_LENGTH - 33]}-{blake2b(name.encode(), digest_size=16).hexdigest()}"
    return name


def _make_folder(path: Path) -> None:
    """Create `path` and the folders above it with mode 0700, each on disk before the next."""
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
    """Write the names in `folder` to disk (fsync)."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
