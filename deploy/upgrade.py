"""Put another version of pbmserv in place of the one that runs. Started as root, it needs nothing but Python 3.11:

    python3 deploy/upgrade.py --constraints deploy/constraints.txt dist/pbmserv-2.0.0-py3-none-any.whl

It installs the wheel into a new folder beside the old one, with the extras and the games of the old one, stops the
servers, makes a backup, migrates the database, checks all boards, puts the new folder in the place of the old one,
starts the servers and waits until they answer. If a step fails, it goes back: the old program runs again, with the
database as it was. Nothing that was accepted with a 250 is lost: while it can go back by the backup, no server runs.

A file beside the folder says how far it is. If it was killed, start it again: it goes back first, or finishes if
the new servers have been started. Exit codes: 0 upgraded; 1 it went back, or did not begin; 2 somebody has to look.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

RUN = (
    "systemd-run --quiet --wait --pipe --collect --uid=pbmserv --working-directory=/etc/pbmserv "
    "--property=EnvironmentFile=-/etc/pbmserv/env"
)
UNITS = "systemctl list-units --plain --no-legend --state=active,activating --type=service,timer pbmserv*"
ANSWER_SECONDS = 60.0
#: Run by the old Python: its extras all of whose packages are installed, and the packages that bring games.
IN_USE = """
import json, re
from importlib.metadata import PackageNotFoundError, distribution, distributions
wanted = {}
for line in distribution("pbmserv").requires or []:
    for extra in re.findall(r"extra == ['\\"](.+?)['\\"]", line):
        wanted.setdefault(extra, []).append(re.match(r"[\\w.-]+", line)[0])
def is_there(name):
    try:
        return bool(distribution(name))
    except PackageNotFoundError:
        return False
extras = [x for x, names in wanted.items() if x not in ("dev", "oracle") and all(map(is_there, names))]
def source(d):
    url = json.loads(d.read_text("direct_url.json") or "{}").get("url")
    return f"{d.name} @ {url}" if url else f"{d.name}=={d.version}"
games = {source(d) for d in distributions() if any(e.group == "pbmserv.games" for e in d.entry_points)}
print(json.dumps([sorted(extras), sorted(games)]))
"""

#: Run by the new Python: the old `restore` refuses a database of PostgreSQL whose schema it does not know.
EMPTY = """
import sqlalchemy as sa
from pbmserv.config import Config
from pbmserv.db import engines
with engines.connect(Config().database_url).begin() as connection:
    if connection.dialect.name == "postgresql":
        found = sa.MetaData()
        found.reflect(connection)
        found.drop_all(connection)
"""


class StepFailedError(Exception):
    """A step of the upgrade failed; the text is for the operator."""


#: What lets it go back: a full disk and a program that is missing, too.
TROUBLE = (StepFailedError, OSError)


def said(command: list[str], *, fine: tuple[int, ...] = (0,), kept_open: tuple[int, ...] = ()) -> str:
    """Return what a command prints. Raises StepFailedError if it ends with another code than these."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, pass_fds=kept_open)  # noqa: S603
    if done.returncode not in fine:
        raise StepFailedError(f"{shlex.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Upgrade:
    """An upgrade and how far it is."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._place: Path = options.place.absolute()
        self._file = self._place.with_name(f"{self._place.name}.upgrade")
        # What this program starts holds the lock, too: if it was killed, the next one waits for it.
        self._lock = self._file.with_suffix(".lock").open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._kept: dict[str, Any] = json.loads(self._file.read_text()) if self._file.exists() else {}

    @property
    def was_interrupted(self) -> bool:
        """Whether an earlier run has not come to its end."""
        return bool(self._kept)

    def do(self, wheel: Path) -> None:
        """Take all steps. Raises StepFailedError."""
        old = self._place.resolve()
        number = len(list(self._place.parent.glob(f"{self._place.name}-*")))
        stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{number}"
        if not self._place.is_symlink():
            old = self._place.with_name(f"{self._place.name}-before-{stamp}")
        new = self._place.with_name(f"{self._place.name}-{stamp}")
        backup = self._options.backups / f"before-{stamp}"
        self._note("installing", old=str(old), new=str(new), backup=str(backup), units=self._units())
        whole = self._is_whole()
        extras, games = json.loads(said([str(self._place / "bin/python"), "-c", IN_USE]))
        self._said([self._options.python, "-m", "venv", str(new)])
        wanted = f"{wheel.absolute()}[{','.join(extras)}]" if extras else str(wheel.absolute())
        pip = [str(new / "bin/python"), "-m", "pip", "install", "--quiet"]
        if pinned := self._options.constraints:
            self._said([*pip, "--require-hashes", "--requirement", str(pinned)])
        self._said([*pip, wanted, *games])
        self._note("stopping")
        self._stop()
        self._note("backing up")
        self._pbmserv(self._place, "backup", "--with-key", str(backup))
        self._note("migrating")
        self._pbmserv(new, "migrate")
        if whole:  # differences that were there before are no reason to go back
            self._pbmserv(new, "boards", "verify")
        self._note("switching", mails=self._mails(new))
        self._switch(old, new)
        self._note("starting")
        self._start_and_wait()
        self._end()

    def finish_or_go_back(self) -> bool:
        """Return whether the new program runs now; else the old one does. Raises StepFailedError if neither can be."""
        if self._kept["step"] == "starting the old servers":
            self._start_again()
            return False
        if self._kept["step"] == "starting":
            try:
                self._start_and_wait()
            except StepFailedError as e:
                tell(str(e))
            else:
                self._end()
                return True
        self._go_back()
        return False

    def _go_back(self) -> None:
        old, new, step = Path(self._kept["old"]), Path(self._kept["new"]), self._kept["step"]
        if step == "installing":
            self._forget(new)
            return
        self._stop()
        if step == "starting" and self._mails(new) != self._kept["mails"]:
            raise StepFailedError(
                "The new server has accepted mails, so the backup is not restored: they would be lost. Mend what is "
                f"said above, and run this again. The backup is {self._kept['backup']}."
            )
        if step in ("migrating", "switching", "starting", "going back"):
            self._note("going back")
            self._switch(old, old)
            self._said([*shlex.split(self._options.run), str(new / "bin/python"), "-P", "-c", EMPTY])
            restore = self._command(self._place, "restore", "--yes", self._kept["backup"])
            self._said(restore, fine=(0, 1))  # 1: there are differences that were there before
            self._note("starting the old servers")  # they accept mails, which another restore would lose
        self._start_again()

    def _start_again(self) -> None:
        self._start()
        self._forget(Path(self._kept["new"]))

    def _forget(self, new: Path) -> None:
        shutil.rmtree(new, ignore_errors=True)
        self._end()

    def _switch(self, old: Path, to: Path) -> None:
        """Let the place lead to a folder. The first time, the place is the old folder itself and is renamed."""
        if self._place.is_dir() and not self._place.is_symlink():
            if to == old:
                return
            self._place.rename(old)
        link = self._place.with_name(f"{self._place.name}.link")
        link.unlink(missing_ok=True)
        link.symlink_to(to.name)
        link.replace(self._place)

    def _note(self, step: str, **more: object) -> None:
        """Say what is done next, first on disk, before it is done."""
        kept = self._kept | {"step": step, **more}
        beside = self._file.with_suffix(".new")
        with beside.open("w") as file:
            json.dump(kept, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._file)
        self._kept = kept
        tell(step)

    def _end(self) -> None:
        self._file.unlink(missing_ok=True)
        self._kept = {}

    def _units(self) -> list[str]:
        if self._options.stop:
            return []
        return [line.split()[0] for line in said(shlex.split(UNITS)).splitlines()]

    def _stop(self) -> None:
        """Stop the servers. If no unit was active, there is nothing to stop."""
        if self._options.stop or self._kept["units"]:
            self._said(shlex.split(self._options.stop) or ["systemctl", "stop", *self._kept["units"]])

    def _start(self) -> None:
        """Start what was stopped. It does not hold the lock: servers that a command starts might keep it."""
        if self._options.start or self._kept["units"]:
            said(shlex.split(self._options.start) or ["systemctl", "start", *self._kept["units"]])

    def _start_and_wait(self) -> None:
        self._start()
        if not (self._options.start or self._kept["units"]):
            return
        deadline = time.monotonic() + ANSWER_SECONDS
        while self._does_nobody_answer():
            if time.monotonic() > deadline:
                raise StepFailedError("The new servers do not answer.")
            time.sleep(0.5)

    def _does_nobody_answer(self) -> bool:
        command = self._command(self._place, "status")
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        return done.returncode not in (0, 1) or "Nobody answers" in " ".join((done.stdout + done.stderr).split())

    def _mails(self, folder: Path) -> str:
        """Return the number of the last mail that was accepted."""
        return self._pbmserv(folder, "mail", "list", "--limit", "1", "--json")

    def _is_whole(self) -> bool:
        try:
            self._pbmserv(self._place, "boards", "verify")
        except StepFailedError:
            return False
        return True

    def _pbmserv(self, folder: Path, *words: str) -> str:
        return self._said(self._command(folder, *words))

    def _said(self, command: list[str], fine: tuple[int, ...] = (0,)) -> str:
        return said(command, fine=fine, kept_open=(self._lock.fileno(),))

    def _command(self, folder: Path, *words: str) -> list[str]:
        """Run pbmserv by its Python, because the first line of its script may name another place."""
        return [*shlex.split(self._options.run), str(folder / "bin/python"), "-P", "-m", "pbmserv", *words]


def tell(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201


def main() -> int:
    """Run the command line, and return the exit code."""
    first, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=first, epilog=rest, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("wheel", type=Path, help="the file of the new version")
    parser.add_argument("--place", type=Path, default=Path("/opt/pbmserv"), help="the virtual environment")
    parser.add_argument("--python", default=sys.executable, help="the Python of the new version")
    parser.add_argument("--constraints", type=Path, help="a file with the versions and hashes of all packages")
    parser.add_argument("--backups", type=Path, default=Path("/var/backups/pbmserv"), help="the folder of backups")
    parser.add_argument("--run", default=RUN, help="what runs a command of pbmserv as its user, with its settings")
    parser.add_argument("--stop", default="", help="what stops all servers; without it systemctl, each active unit")
    parser.add_argument("--start", default="", help="what starts them and returns")
    options = parser.parse_args()
    os.umask(0o022)  # the account of the servers must read what root installs
    try:
        upgrade = Upgrade(options)
    except OSError as e:
        tell(f"Nothing was done: {e}")
        return 1
    return upgraded(upgrade, options.wheel)


def upgraded(upgrade: Upgrade, wheel: Path) -> int:
    """Upgrade, or go back, and return the exit code."""
    try:
        if upgrade.was_interrupted:
            tell("An earlier upgrade was interrupted.")
            if upgrade.finish_or_go_back():
                tell("Upgraded. Remove the old folder when you are content.")
                return 0
            tell("It is as before that upgrade. Now it begins again.")
    except TROUBLE as e:
        tell(str(e))
        return 2
    try:
        upgrade.do(wheel)
    except TROUBLE as e:
        tell(str(e))
    else:
        tell("Upgraded. Remove the old folder when you are content.")
        return 0
    try:
        finished = upgrade.was_interrupted and upgrade.finish_or_go_back()
    except TROUBLE as e:
        tell(str(e))
        return 2
    tell("Upgraded." if finished else "It went back: the old version runs, with its data.")
    return 0 if finished else 1


if __name__ == "__main__":
    sys.exit(main())
