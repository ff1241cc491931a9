"""Settings, from PBMSERV_* variables, files of secrets and pbmserv.toml. Only entry points import this."""

import os
import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from difflib import get_close_matches
from ipaddress import ip_address, ip_network
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Literal, get_args
from urllib.parse import quote, urlsplit

from pydantic import Field, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from pbmserv import paths
from pbmserv.db import postgresql
from pbmserv.letters.policy import Policy
from pbmserv.mail.envelope import PLAIN_ADDRESS
from pbmserv.mail.imap.account import read_account
from pbmserv.mail.oauth.oauth_settings import OAuthSettings, check, known
from pbmserv.mail.signed_addresses import Signer
from pbmserv.mail.smtp.endpoints import most_a_day, read_url, without_password
from pbmserv.robots.engines.told import EngineSettings

TOML = "pbmserv.toml"  #: in the working folder
PREFIX = "PBMSERV_"
#: The variable in which systemd names the folder of a service's credentials: a file for each secret setting, with the
#: name of its variable (systemd.exec(5), LoadCredential). It works without systemd, too.
SECRETS = "CREDENTIALS_DIRECTORY"
OWN_SECRETS = "pbmserv.secrets"  #: a folder of such files beside pbmserv.toml; those of systemd go before them
RENAMED = {"one_click": "web_listener"}  #: old names of settings, which are still read
ROLES = ("listener", "sender", "clock", "robots", "mailbox")
_ADDRESS = re.compile(r"[\w.=-]{1,20}@\w[\w.-]*")  #: a longer name plus a signature would exceed 64 characters
_OAuth = Literal["client", "secret", "login_url", "device_url", "token_url", "scopes"]
_ENGINE = re.compile("[a-z0-9_-]{1,40}")
_LEAST_KEY = 16  #: characters
_HOST = re.compile(r"(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::[0-9]+)?", re.ASCII)


class Config(BaseSettings, Policy):
    """The settings of one process, including those of `Policy`. Operators use their names."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, toml_file=TOML, extra="forbid", frozen=True, hide_input_in_errors=True
    )

    database_url: str = "sqlite:///var/pbmserv.db"
    listen: Annotated[list[str], NoDecode] = ["smtp://127.0.0.1:2525"]
    relay: str = "maildir:var/letters"
    relay_password: str = ""  #: the password of the user in `relay`, if it is not in that URL
    address: str = "pbmserv@localhost"
    roles: Annotated[list[str], NoDecode] = list(ROLES)
    games: Annotated[tuple[str, ...], NoDecode] = ()  # of Policy; a variable has them with commas between
    webhook_ports: Annotated[tuple[int, ...], NoDecode] = Policy.webhook_ports  # of Policy, too
    webhook_networks: Annotated[tuple[str, ...], NoDecode] = ()  # of Policy, too
    senders: int | None = Field(None, ge=0)  #: None: as many as suit the machine
    robots: int = Field(1, ge=0)  #: processes that play for robots, if there are any robots; 0: robots do not move
    robot_rest: float = Field(10.0, ge=0, le=3600)  #: seconds that a robot waits before it answers
    robot_lease: float = Field(120.0, ge=1, le=86_400)  #: seconds after which a turn of a killed process is taken again
    engines: dict[str, EngineSettings] = Field({}, max_length=100)  #: programs of others that choose moves for robots
    mailbox: str = ""  #: imaps://user@host or maildir:folder: mails are fetched from there, too
    mailbox_password: str = ""
    oauth_client: str = ""  #: the program as which we log in to mailbox and relay, where there is no password
    oauth_secret: str = ""
    oauth_login_url: str = ""  #: these four are known of large providers
    oauth_device_url: str = ""
    oauth_token_url: str = ""
    oauth_scopes: str = ""
    relay_oauth: dict[_OAuth, str] = {}  #: the same for the relay, if its user is another one's, at another provider
    mailbox_lease: float = Field(
        30.0, ge=0.1, le=3600
    )  #: seconds after which another process takes that of a killed one
    inbound: Literal["", "postmark", "mailgun", "ses"] = ""  #: the provider that posts mails to `pbmserv web`
    inbound_key: str = ""  #: proves that it does
    admin: str = ""  #: who gives admin commands, for `events list`; read in cli/terminal/acting.py
    one_click: str = ""  #: the old name of web_listener
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
        """Let variables override files."""
        secrets = SecretsSettingsSource(settings_cls, _secret_folders())
        return init_settings, env_settings, secrets, TomlConfigSettingsSource(settings_cls)

    @model_validator(mode="before")
    @classmethod
    def _known_variables(cls, values: object) -> object:
        """Refuse a PBMSERV_ variable or secret that is no setting, because it is probably misspelt."""
        if unknown := unknown_settings([*variables(), *(file.name for file in secret_files())]):
            raise ValueError("\n".join(unknown))
        return values

    @model_validator(mode="before")
    @classmethod
    def _read_old_names(cls, values: dict[str, object]) -> dict[str, object]:
        return {**{RENAMED[name]: value for name, value in values.items() if name in RENAMED}, **values}

    @model_validator(mode="before")
    @classmethod
    def _log_in_with_the_password(cls, values: dict[str, object]) -> dict[str, object]:
        """Put the password of the relay into its URL."""
        url, password = str(values.get("relay", "")), str(values.get("relay_password", ""))
        if not password:
            return values
        start, at, host = url.rpartition("@")
        if not at or urlsplit(url).password is not None:
            raise ValueError("PBMSERV_RELAY_PASSWORD is for a relay such as smtps://me@example.org@smtp.example.org")
        return {**values, "relay": f"{start}:{quote(password, safe='')}@{host}"}

    @field_validator("listen", "roles", "games", "webhook_ports", "webhook_networks", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return [x.strip() for x in value.split(",") if x.strip()] if isinstance(value, str) else value

    @field_validator("roles")
    @classmethod
    def _known_roles(cls, value: list[str]) -> list[str]:
        if unknown := set(value) - set(ROLES):
            raise ValueError(f"unknown role {', '.join(sorted(unknown))}; known are {', '.join(ROLES)}")
        return value

    @field_validator("games")
    @classmethod
    def _known_games(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Return the keys of the games, which may be named by their aliases; each once.

        A game that is there, but cannot be used now, is known: `doctor` and the start tell about it.
        """
        if not value:
            return ()
        from pbmserv import games  # here, because all rules are read with it

        known, broken = games.names(), {b.name for b in games.broken()}
        if unknown := [name for name in value if name.lower() not in known.keys() | broken]:
            there = ", ".join(g.info.key for g in games.listed())
            raise ValueError(f"there is no game {', '.join(unknown)}; the games are {there}")
        keys = dict.fromkeys(known[n].info.key if n in known else n for n in map(str.lower, value))
        if not keys.keys() & {g.info.key for g in games.all_games()}:
            raise ValueError(f"none of these games can be used: {', '.join(keys)}")
        return tuple(keys)

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

    @model_validator(mode="after")
    def _robots_for_their_role(self) -> "Config":
        """Refuse a process that is only for robots where they are turned off."""
        if set(self.roles) == {"robots"} and not self.robots:
            raise ValueError("PBMSERV_ROBOTS=0 turns robots off, so no process can have only their role")
        return self

    @model_validator(mode="after")
    def _engines_in_time(self) -> "Config":
        """Refuse an engine that may need most of the time for which a process has a turn."""
        for name, engine in self.engines.items():
            if not _ENGINE.fullmatch(name):
                raise ValueError(f"the name of an engine is of a-z, 0-9, - and _, at most 40 characters: not {name!r}")
            if engine.seconds > (most := self.robot_lease / 4):
                raise ValueError(f"[engines.{name}] seconds must be at most {most:g}, a quarter of robot_lease")
        return self

    @field_validator("mailbox")
    @classmethod
    def _known_mailbox(cls, value: str) -> str:
        if value:
            read_account(value)
        return value

    @model_validator(mode="after")
    def _mailbox_for_its_role(self) -> "Config":
        """Refuse a mailbox without a login, and a process that is only for a mailbox, where none is set."""
        if self.mailbox_needs_token and not self.oauth_client:
            raise ValueError(
                "PBMSERV_MAILBOX needs PBMSERV_MAILBOX_PASSWORD, the password, or app password, of its user; or "
                "PBMSERV_OAUTH_CLIENT"
            )
        if set(self.roles) == {"mailbox"} and not self.mailbox:
            raise ValueError("PBMSERV_MAILBOX is not set, so no process can have only the role mailbox")
        return self

    @model_validator(mode="after")
    def _complete_oauth(self) -> "Config":
        for login in self.logins:
            check(login.provider)
        if self.relay_oauth and self.relay_login and self.relay_login == self.mailbox_login:
            raise ValueError("PBMSERV_RELAY_OAUTH is for a user of the relay who is not that of the mailbox")
        return self

    @model_validator(mode="after")
    def _operator_elsewhere(self) -> "Config":
        """Refuse an address of this server, because mail to it would come back again and again."""
        if self.operator and not PLAIN_ADDRESS.fullmatch(self.operator):
            raise ValueError("PBMSERV_OPERATOR must be one address, such as you@example.org")
        if self.operator and Signer(self.address, b"").is_ours(self.operator):
            raise ValueError("PBMSERV_OPERATOR must be an address that pbmserv does not take mail for")
        return self

    @field_validator("web_url")
    @classmethod
    def _root_of_a_site(cls, value: str) -> str:
        """Check where the pages are. They link from the root of their site, so there is no path."""
        try:
            parts = urlsplit(value)
            is_url = parts.scheme in ("http", "https") and parts.port != 0 and _HOST.fullmatch(parts.netloc)
        except ValueError:  # a port that is none, or half an IPv6 address
            is_url = False
        if value and not (is_url and value.rstrip("/") == f"{parts.scheme}://{parts.netloc}"):
            raise ValueError("must be http:// or https:// with a host and nothing behind it: https://pbm.example.org")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _posts_on_safe_pages(self) -> "Config":
        """Check the listener that takes what is posted. Mail programs post only to https (RFC 8058 §3.1)."""
        if self.web_listener:
            read_url(self.web_listener)
            if not (self.web_url.startswith("https://") or (self.web_url and is_loopback(self.web_url))):
                raise ValueError("PBMSERV_WEB_LISTENER needs PBMSERV_WEB_URL=https://…, where the web pages are")
        return self

    @model_validator(mode="after")
    def _inbound_proves_itself(self) -> "Config":
        """Refuse mails by the web that anybody could post, and those that nobody would take."""
        if self.inbound and len(self.inbound_key) < _LEAST_KEY:
            raise ValueError(
                f"PBMSERV_INBOUND needs PBMSERV_INBOUND_KEY, of at least {_LEAST_KEY} characters: the signing key of "
                "Mailgun, or the password in the URL that Postmark or SNS posts to"
            )
        if self.inbound and not self.web_listener:
            raise ValueError("PBMSERV_INBOUND needs PBMSERV_WEB_LISTENER, where this server takes the mails")
        return self

    @field_validator("webhook_ports")
    @classmethod
    def _ports(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value or not all(0 < port < 2**16 for port in value):
            raise ValueError("must be ports with commas between them, such as 443,8443")
        return value

    @field_validator("webhook_networks")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return tuple(str(ip_network(text)) for text in value)
        except ValueError:
            raise ValueError("must be networks with commas between them, such as 192.168.7.0/24") from None

    @field_validator("metrics")
    @classmethod
    def _host_and_port(cls, value: str) -> str:
        host, _, port = value.rpartition(":")
        if value and not (host and port.isdecimal() and int(port) < 2**16):
            raise ValueError("must be host:port, such as 127.0.0.1:9464")
        return value

    @model_validator(mode="after")
    def _demo_settings_stay_at_home(self) -> "Config":
        """Refuse demonstration settings on a public port: anybody who can reach it could play in every name."""
        if (self.trust_from or not self.confirm_addresses) and not all(map(is_loopback, self.listen)):
            raise ValueError(
                "PBMSERV_TRUST_FROM=1 and PBMSERV_CONFIRM_ADDRESSES=0 are for demonstrations: "
                "they are refused when PBMSERV_LISTEN is not a loopback address such as smtp://127.0.0.1:2525"
            )
        return self

    @property
    def policy(self) -> Policy:
        """The settings that letters and commands need, without secrets. A known limit of the relay is one of them."""
        values = {field.name: getattr(self, field.name) for field in fields(Policy)}
        if "letters_a_day" not in self.model_fields_set:
            values["letters_a_day"] = most_a_day(self.relay)
        return Policy(**values)

    @property
    def mailbox_needs_token(self) -> bool:
        """Whether there is a mailbox at a provider without a password."""
        return self.mailbox.startswith("imap") and not self.mailbox_password

    @property
    def mailbox_login(self) -> OAuthSettings | None:
        """Who logs in to the mailbox by OAuth2, and where; None if there is a password, or no mailbox."""
        account = read_account(self.mailbox) if self.mailbox_needs_token else None
        return _login(account.user, account.host, self._oauth) if account else None

    @property
    def relay_login(self) -> OAuthSettings | None:
        """The same for the relay. The login of the mailbox serves here, too, if the user is the same."""
        user, host = without_password(self.relay)
        if self.mailbox_login and user == self.mailbox_login.user:
            return self.mailbox_login
        return _login(user, host, self.relay_oauth or self._oauth)

    @property
    def logins(self) -> list[OAuthSettings]:
        """Those who log in by OAuth2, each once."""
        both = [login for login in (self.mailbox_login, self.relay_login) if login]
        return both[:1] if both[:1] == both[1:] else both

    @property
    def _oauth(self) -> dict[_OAuth, str]:
        return {name: getattr(self, f"oauth_{name}") for name in get_args(_OAuth)}

    @property
    def sqlite_file(self) -> Path | None:
        """The database file; None on PostgreSQL."""
        scheme, _, rest = self.database_url.partition("///")
        return Path(rest) if scheme == "sqlite:" else None

    @property
    def key_file(self) -> Path | None:
        """The file of the secret key beside an SQLite database; None on PostgreSQL."""
        return self.sqlite_file and self.sqlite_file.with_suffix(".key")

    def key(self) -> bytes:
        """Return the secret key. With SQLite it is created at the first start, readable only by its owner.

        Raises ValueError if there is none, OSError if it cannot be written or read.
        """
        if self.secret_key:
            return self.secret_key.encode()
        file = self.key_file
        if file is None:
            raise ValueError("PBMSERV_SECRET_KEY is required with PostgreSQL: every process must have the same one")
        paths.make_folder(file.parent)
        if not file.exists():
            _make_key(file)
        if key := file.read_text().strip():
            return key.encode()
        raise ValueError(f"{file} is empty: put the secret key of a backup there, or remove the file to get a new one")


def _login(user: str, host: str, oauth: Mapping[_OAuth, str]) -> OAuthSettings | None:
    """Return how a user logs in by OAuth2 at a host; None if nobody does."""
    own = {name: value for name, value in oauth.items() if value}
    client, secret = own.pop("client", ""), own.pop("secret", "")
    return OAuthSettings(user, client, secret, replace(known(host), **own)) if client and user else None


def _make_key(file: Path) -> None:
    """Write a new key, completely or not at all. If another process was faster, its key stays."""
    with NamedTemporaryFile("w", dir=file.parent, prefix=f".{file.name}.") as part:  # created with mode 0600
        part.write(secrets.token_hex(32))
        part.flush()
        os.fsync(part.fileno())
        with suppress(FileExistsError):
            os.link(part.name, file)
    paths.sync(file.parent)


def variables() -> list[str]:
    """Return the names of the environment variables that begin with our prefix."""
    return sorted(name for name in os.environ if name.upper().startswith(PREFIX))


def secret_files() -> list[Path]:
    """Return the files of secrets that are read, each named after the variable that it stands for."""
    there = [file for folder in _secret_folders() for file in sorted(folder.iterdir())]
    return [file for file in there if file.name.upper().startswith(PREFIX)]


def _secret_folders() -> list[Path]:
    """Return the folders with files of secrets. What is in a later one goes before what is in the first."""
    folders = (Path(OWN_SECRETS).absolute(), Path(os.environ.get(SECRETS) or OWN_SECRETS).absolute())
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def settings_file() -> Path | None:
    """Return the file of settings that is read, None if there is none."""
    file = Path(TOML).absolute()
    return file if file.is_file() else None


def unknown_settings(names: Iterable[str]) -> list[str]:
    """Return an error for each name that is no setting."""
    unknown = (name for name in names if name.upper().removeprefix(PREFIX).lower() not in Config.model_fields)
    return [f"{name}: {no_such_setting(name)}" for name in unknown]


def no_such_setting(name: str) -> str:
    """Return the error for an unknown name of a variable or a line in the file, with the nearest setting."""
    key = name.upper().removeprefix(PREFIX).lower()
    near = get_close_matches(key, list(Config.model_fields), n=1, cutoff=0.6)
    return "There is no such setting." + (f" Did you mean {PREFIX}{near[0].upper()}?" if near else "")


def is_loopback(url: str) -> bool:
    """Return whether only this machine can reach the address in `url`."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return True  # nobody can listen there; the listener will report it
    if parts.scheme.endswith("+unix"):
        return True
    try:
        return ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.hostname == "localhost"
