"""Settings: PBMSERV_* variables, then pbmserv.toml. Only entry points import this."""

import os
import re
import secrets
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from pbmserv.db import postgresql
from pbmserv.letters.policy import Policy

ROLES = ("listener", "sender", "clock")
_ADDRESS = re.compile(r"[\w.=-]{1,20}@\w[\w.-]*")  #: with its signature, the name has 64 characters


class Config(Policy, BaseSettings):
    """The settings of one process, with those of `Policy`; their names are an interface."""

    model_config = SettingsConfigDict(
        env_prefix="PBMSERV_", toml_file="pbmserv.toml", extra="forbid", hide_input_in_errors=True
    )

    database_url: str = "sqlite:///var/pbmserv.db"
    listen: Annotated[list[str], NoDecode] = ["smtp://127.0.0.1:2525"]
    relay: str = "maildir:var/letters"
    address: str = "pbmserv@localhost"
    roles: Annotated[list[str], NoDecode] = list(ROLES)
    secret_key: str | None = None
    templates: str | None = None
    metrics: str = ""
    pg_bin: str = ""
    log_format: Literal["kv", "json"] = "kv"
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Variables come before the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)

    @field_validator("listen", "roles", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return [x.strip() for x in value.split(",") if x.strip()] if isinstance(value, str) else value

    @field_validator("roles")
    @classmethod
    def _known_roles(cls, value: list[str]) -> list[str]:
        if unknown := set(value) - set(ROLES):
            raise ValueError(f"unknown role {', '.join(sorted(unknown))}; known are {', '.join(ROLES)}")
        return value

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str) -> str:
        scheme, _, file = value.partition("///")
        in_a_file = scheme == "sqlite:" and file not in ("", ":memory:") and "?" not in file
        if not in_a_file and not value.startswith("postgresql://"):
            raise ValueError("must be sqlite:///folder/file.db or postgresql://user@host/database")
        if value.startswith("postgresql:"):
            postgresql.parameters(value)
        return value

    @field_validator("address")
    @classmethod
    def _plain_address(cls, value: str) -> str:
        if not _ADDRESS.fullmatch(value):
            raise ValueError("must be name@domain, the name at most 20 characters long and without a plus")
        return value

    @field_validator("metrics")
    @classmethod
    def _host_and_port(cls, value: str) -> str:
        host, _, port = value.rpartition(":")
        if value and not (host and port.isdecimal() and int(port) < 2**16):
            raise ValueError("must be host:port, such as 127.0.0.1:9464")
        return value

    @model_validator(mode="after")
    def _demo_settings_stay_at_home(self) -> "Config":
        """Whoever can reach the port could play in anybody's name."""
        if (self.trust_from or not self.confirm_addresses) and not all(map(is_loopback, self.listen)):
            raise ValueError(
                "PBMSERV_TRUST_FROM=1 and PBMSERV_CONFIRM_ADDRESSES=0 are for demonstrations: "
                "they are refused when PBMSERV_LISTEN is not a loopback address such as smtp://127.0.0.1:2525"
            )
        return self

    @property
    def policy(self) -> Policy:
        """What letters and commands go by, without anything that is secret."""
        return Policy(**self.model_dump(include=set(Policy.model_fields)))

    @property
    def sqlite_file(self) -> Path | None:
        """The database file, None on PostgreSQL."""
        scheme, _, rest = self.database_url.partition("///")
        return Path(rest) if scheme == "sqlite:" else None

    @property
    def key_file(self) -> Path | None:
        """Where the secret key is kept beside an SQLite database; None on PostgreSQL."""
        return self.sqlite_file and self.sqlite_file.with_suffix(".key")

    def key(self) -> bytes:
        """The secret key. Beside an SQLite database it is made at the first start, readable by the owner only.

        Raises ValueError if there is none, OSError if it cannot be written or read.
        """
        if self.secret_key:
            return self.secret_key.encode()
        file = self.key_file
        if file is None:
            raise ValueError("PBMSERV_SECRET_KEY is required with PostgreSQL: every process must have the same one")
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            _make_key(file)
        if key := file.read_text().strip():
            return key.encode()
        raise ValueError(f"{file} is empty: put the secret key of a backup there, or remove the file to get a new one")


def _make_key(file: Path) -> None:
    """Write a new key: the whole of it, or no file at all. If another process was faster, its key stays."""
    with NamedTemporaryFile("w", dir=file.parent, prefix=f".{file.name}.") as part:  # for its owner only
        part.write(secrets.token_hex(32))
        part.flush()
        os.fsync(part.fileno())
        with suppress(FileExistsError):
            os.link(part.name, file)


def is_loopback(url: str) -> bool:
    """Whether only this machine can reach the place of `url`."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return True  # nobody can listen there: the listener says so, and how it is written
    if parts.scheme.endswith("+unix"):
        return True
    try:
        return ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.hostname == "localhost"
