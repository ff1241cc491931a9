"""The settings as they are to be: those of pbmserv.toml, with the answers in their place."""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, TypeAlias

from pydantic import ValidationError

from pbmserv import paths
from pbmserv.cli.mailing.setup.asking import NotRight
from pbmserv.cli.terminal.console import fail, wrong_setting
from pbmserv.cli.terminal.exits import Exit
from pbmserv.config import OWN_SECRETS, PREFIX, TOML, Config, secret_files, unknown_settings, variables

if TYPE_CHECKING:
    from typing import Self

_FIRST = "# Settings of pbmserv, made by `pbmserv setup`. All that there are: deploy/pbmserv.toml.example\n"

_SECRETS = ("mailbox_password", "relay_password", "oauth_secret")  #: move out of the file of settings

Value: TypeAlias = str | int | bool | list[str]


@dataclass
class DraftSettings:
    """Settings that are not yet written. `was`: the text of the file as it is."""

    was: str = ""
    lines: dict[str, Value] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict, repr=False)
    can_come: bool = True  #: whether a mail can come before the settings are written

    @classmethod
    def begin(cls) -> Self:
        """Return what is written now. Exits with 78 if it cannot be read."""
        try:
            was = Path(TOML).read_text(encoding="utf-8") if Path(TOML).exists() else ""
            secrets = {
                _setting(file): file.read_text().strip() for file in Path(OWN_SECRETS).glob(f"{PREFIX.lower()}*")
            }
            lines = tomllib.loads(was)
            in_the_file = {name: str(lines.pop(name)) for name in _SECRETS if name in lines}
            draft = cls(was, lines, {**in_the_file, **secrets})
        except (OSError, ValueError) as e:
            raise fail(f"The settings cannot be read: {e}", Exit.CONFIG) from None
        names = [*variables(), *draft.lines, *(file.name for file in secret_files())]
        if unknown := unknown_settings(names):  # no answer could mend that
            raise fail("\n".join(["The settings are not right:", *unknown]), Exit.CONFIG)
        return draft

    def config(self, **others: object) -> Config:
        """Return the settings, with some of them changed. Raises NotRight with a sentence for each that is wrong."""
        try:
            return Config(**{**self.lines, **self.secrets, **others})  # type: ignore[arg-type]  # pydantic checks them
        except ValidationError as e:
            raise NotRight("\n".join(map(wrong_setting, e.errors()))) from None

    def set(self, secrets: dict[str, str] | None = None, **lines: Value) -> None:
        """Take these values over, if they are right together with the others. Raises NotRight."""
        self.config(**lines, **(secrets or {}))
        self.lines |= lines
        self.secrets |= secrets or {}

    def text(self, name: str) -> str:
        """Return the value of a setting; "" if it is not written."""
        return str(self.lines.get(name, ""))

    @property
    def file(self) -> str:
        """The text of the file with these settings: each in its line, other lines as they were.

        Raises NotRight if a value that changes is written in several lines.
        """
        text = self.was or _FIRST
        for name, value in self.lines.items():
            new = f"{name} = {json.dumps(value, ensure_ascii=False)}"
            line = re.compile(rf"^{name}[ \t]*=.*$", re.MULTILINE)
            if tomllib.loads(self.was).get(name) == value:
                continue
            if line.search(text):
                text = line.sub(new.replace("\\", r"\\"), text, count=1)
            elif value not in ("", []):
                text = f"{text.rstrip()}\n{new}\n"
        for name in self.secrets:
            text = re.sub(rf"^{name}[ \t]*=.*\n?", "", text, flags=re.MULTILINE)
        self._compare(text)
        return text

    def _compare(self, text: str) -> None:
        with suppress(ValueError):
            written = tomllib.loads(text)
            if all(written.get(name, _default(name)) == value for name, value in self.lines.items()):
                return
        raise NotRight(f"Some lines of {TOML} cannot be replaced. Write each setting in one line.")

    @property
    def is_new(self) -> bool:
        """Whether nothing was written before."""
        return not self.was and not Path(OWN_SECRETS).exists()

    def write(self) -> None:
        """Write the secrets, each to a file that only its owner can read, and then the settings. Raises OSError."""
        text, toml = self.file, Path(TOML)
        for name, value in self.secrets.items():
            if value:
                _replace(_secret_file(name), value, 0o600)
            else:
                _secret_file(name).unlink(missing_ok=True)
        _replace(toml, text, stat.S_IMODE(toml.stat().st_mode) if toml.exists() else 0o644)

    def changes(self) -> list[str]:
        """Return what `write` would change, without the secrets themselves."""
        new, old = self.file.splitlines(), self.was.splitlines()
        secrets = [
            f"{_secret_file(name)} (another secret)" for name, value in self.secrets.items() if _kept(name) != value
        ]
        return (
            [f"- {_hidden(line)}" for line in old if line not in new]
            + [f"+ {line}" for line in new if line not in old]
            + secrets
        )


def _hidden(line: str) -> str:
    """Return a line without what could be a secret."""
    name = line.partition("=")[0].strip()
    return f"{name} = …" if name in _SECRETS else line


def _default(name: str) -> object:
    value = Config.model_fields[name].default
    return [*value] if isinstance(value, tuple) else value


def _setting(file: Path) -> str:
    return file.name.lower().removeprefix(PREFIX.lower())


def _secret_file(name: str) -> Path:
    return Path(OWN_SECRETS) / f"{PREFIX.lower()}{name}"


def _kept(name: str) -> str:
    file = _secret_file(name)
    return file.read_text().strip() if file.exists() else ""


def _replace(file: Path, text: str, mode: int) -> None:
    """Write a file, completely or not at all."""
    if file.parent != Path() and not file.parent.is_dir():
        file.parent.mkdir(mode=0o700)
    with NamedTemporaryFile("w", dir=file.parent, prefix=f".{file.name}.", encoding="utf-8", delete=False) as part:
        part.write(text)  # created with mode 0600
        part.flush()
        os.fsync(part.fileno())
    Path(part.name).chmod(mode)
    Path(part.name).replace(file)
    paths.sync(file.parent)
