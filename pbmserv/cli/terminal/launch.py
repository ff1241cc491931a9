"""What a server needs from its settings, as plain data."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pbmserv import __version__
from pbmserv.letters.policy import Policy
from pbmserv.mail.oauth.oauth_settings import OAuthSettings, Provider
from pbmserv.robots.engines.told import EngineSettings

if TYPE_CHECKING:
    from pbmserv.config import Config
    from pbmserv.letters.site import Site
    from pbmserv.model.rows import Json


#: MB of memory from which on children send. A server with two of them, robots and web pages needs 600.
_ENOUGH = 900


def usual_senders() -> int:
    """Return how many child processes send letters if no setting says so: two, but none on a small machine.

    A Python process uses one core. Measured on two: with children, twice as many moves, and their letters come sooner.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 2 if cores > 1 and memory() >= _ENOUGH else 0


def memory(root: Path = Path("/")) -> float:
    """Return how many MB this process can have: those of the machine, or of its control groups (version 2)."""
    mounted, bytes_ = root / "sys/fs/cgroup", [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with suppress(OSError):  # another system
        group = (root / "proc/self/cgroup").read_text().rpartition("0::/")[2].strip()
        for folder in (mounted / group, *(mounted / group).parents):
            with suppress(OSError, ValueError):  # no limit there
                bytes_.append(int((folder / "memory.max").read_text()))
    return min(bytes_) / 1e6


class OtherVersion(Exception):
    """The version of a parent process whose files were replaced while it runs."""


@dataclass(frozen=True)
class Launch:
    """The checked settings of a server."""

    database_url: str
    listen: Sequence[str]
    relay: str
    address: str
    roles: Sequence[str]
    key: str = field(repr=False)
    policy: Policy
    templates: str | None
    metrics: str
    log_format: str
    log_level: str
    senders: int
    robots: int = 0  #: processes that play for robots
    has_robots: bool = True  #: whether there were any when the server started
    robot_rest: float = 10.0  #: seconds that a robot waits before it answers
    robot_lease: float = 120.0  #: seconds for which a process has a turn
    engines: dict[str, EngineSettings] = field(default_factory=dict)  #: of others, which choose moves for robots
    mailbox: str = ""  #: the URL of a mailbox to fetch mails from
    mailbox_password: str = field(default="", repr=False)
    mailbox_lease: float = 30.0  #: seconds for which a process has it
    inbound: str = ""  #: the provider that posts mails to the web pages
    inbound_key: str = field(default="", repr=False)
    mailbox_login: OAuthSettings | None = field(default=None, repr=False)
    relay_login: OAuthSettings | None = field(default=None, repr=False)
    child: str = ""  #: the share of a process that sends or plays for the server that started it, such as 1/2

    @classmethod
    def of(cls, config: Config, key: bytes) -> Launch:
        """Return what these settings say."""
        return cls(
            database_url=config.database_url,
            listen=config.listen,
            relay=config.relay,
            address=config.address,
            roles=config.roles,
            key=key.decode(),
            policy=config.policy,
            templates=config.templates,
            metrics=config.metrics,
            log_format=config.log_format,
            log_level=config.log_level,
            senders=usual_senders() if config.senders is None else config.senders,
            robots=config.robots,
            robot_rest=config.robot_rest,
            robot_lease=config.robot_lease,
            engines=config.engines,
            mailbox=config.mailbox,
            mailbox_password=config.mailbox_password,
            mailbox_lease=config.mailbox_lease,
            inbound=config.inbound,
            inbound_key=config.inbound_key,
            mailbox_login=config.mailbox_login,
            relay_login=config.relay_login,
        )

    @property
    def sqlite_file(self) -> Path | None:
        """The database file; None on PostgreSQL."""
        scheme, _, rest = self.database_url.partition("///")
        return Path(rest) if scheme == "sqlite:" else None

    def site(self) -> Site:
        """Return what letters, commands and pages need. Reads the templates."""
        from pbmserv.letters.site import Site
        from pbmserv.letters.text.templates import Renderer
        from pbmserv.mail.signed_addresses import Signer
        from pbmserv.webhooks.events import WebhookEvents

        signer, renderer = Signer(self.address, self.key.encode()), Renderer(self.templates)
        return Site(signer, renderer, policy=self.policy, events=WebhookEvents())

    @classmethod
    def load(cls, text: bytes) -> Launch:
        """Read what `dump` wrote. Raises OtherVersion if another version of the program wrote it."""
        fields = json.loads(text)
        if (wrote := fields.pop("version", "an older one")) != __version__:
            raise OtherVersion(wrote)
        policy: Json = {name: tuple(x) if isinstance(x, list) else x for name, x in fields["policy"].items()}
        fields["engines"] = {
            name: EngineSettings(**of | {"setup": tuple(of["setup"])}) for name, of in fields["engines"].items()
        }
        for name in ("mailbox_login", "relay_login"):
            if login := fields[name]:
                fields[name] = OAuthSettings(**login | {"provider": Provider(**login["provider"])})
        return cls(**fields | {"policy": Policy(**policy)})

    def dump(self) -> bytes:
        """Return it as JSON, for another process. The secret key is in it."""
        return json.dumps({"version": __version__} | asdict(self)).encode()
