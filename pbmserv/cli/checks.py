"""The checks of `pbmserv doctor`. Each says what it found, be it good or bad, and what to do about what is bad."""

import asyncio
import shutil
import socket
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from time import time
from typing import Literal

from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from pbmserv import games
from pbmserv.config import Config, is_loopback
from pbmserv.db import engines, migrate
from pbmserv.db.health import Health
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.smtp.delivery import RelayDown
from pbmserv.mail.smtp.listener import Endpoint, read_url
from pbmserv.mail.smtp.relay import open_relay
from pbmserv.store import Store
from pbmserv.store.operations import LAST_RUN

#: On these, an fsync is somebody else's promise, and SQLite's locks do not hold (sqlite.org/faq.html, question 5).
_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "glusterfs", "fuse.sshfs", "fuse.glusterfs", "vboxsf"}
_GONE_AT_BOOT = {"tmpfs", "ramfs"}
_LEAST_FREE, _SOON_FULL = 100e6, 1e9  #: bytes
_LEAST_KEY = 32  #: characters: 128 bits in hexadecimal
_SECONDS = 60  #: by which two clocks may differ
_TIMEOUT = 5.0


@dataclass(frozen=True)
class Finding:
    """What a check found. `failed`: promises are broken, or mail does not flow. `warning`: somebody should look."""

    check: str
    status: Literal["ok", "warning", "failed"]
    said: str
    advice: str = ""


Check = Callable[[Config], Iterator[Finding]]


def _ok(check: str, said: str) -> Finding:
    return Finding(check, "ok", said)


def _failed(check: str, said: str, advice: str) -> Finding:
    return Finding(check, "failed", said, advice)


def _warning(check: str, said: str, advice: str) -> Finding:
    return Finding(check, "warning", said, advice)


def demonstration(config: Config) -> Iterator[Finding]:
    """Settings that are refused on a public server anyway."""
    if config.trust_from:
        yield _warning("settings", "From is trusted", "on a public server, set PBMSERV_TRUST_FROM=0")
    if not config.confirm_addresses:
        yield _warning("settings", "Addresses are not confirmed", "on a public server, PBMSERV_CONFIRM_ADDRESSES=1")
    if config.relay.startswith("maildir:") and not config.address.endswith("@localhost"):
        yield _warning("settings", "Letters stay on this machine", "set PBMSERV_RELAY=smtp://127.0.0.1:25")


def exposed(config: Config) -> Iterator[Finding]:
    """Doors that are open to others."""
    public = [url for url in config.listen if not is_loopback(url)]
    if public and "listener" in config.roles:
        yield _warning(
            "settings",
            f"Others can reach {', '.join(public)}",
            "put an MTA in front of it, or a firewall",
        )
    if config.metrics and not is_loopback(f"http://{config.metrics}"):
        yield _warning("settings", f"Others can reach PBMSERV_METRICS={config.metrics}", "use 127.0.0.1, or a firewall")


def key(config: Config) -> Iterator[Finding]:
    """The secret key: there, long enough, and nobody else's to read."""
    file = None if config.secret_key else config.key_file
    if file and not file.exists():
        yield _ok("key", f"{file} is made at the first start")
        return
    words = config.secret_key or (file.read_text().strip() if file else "")
    if len(words) < _LEAST_KEY:
        fresh = 'python3 -c "import secrets; print(secrets.token_hex(32))"'
        yield _failed("key", f"The secret key has {len(words)} characters", f"make one, before boards begin: {fresh}")
    elif file and stat.S_IMODE(file.stat().st_mode) & 0o077:
        yield _failed("key", f"Others may read {file}", f"chmod 600 {file}")
    else:
        yield _ok("key", str(file) if file else "PBMSERV_SECRET_KEY is set")


def filesystem(config: Config) -> Iterator[Finding]:
    """Where SQLite's file is: on a disk of this machine, with room on it."""
    if config.sqlite_file is None:
        return
    folder = _existing(config.sqlite_file.parent.absolute())
    kind, free = _kind(folder), shutil.disk_usage(folder).free
    if kind in _NETWORK:
        yield _failed("disk", f"{folder} is on a network file system ({kind})", "use a disk of this machine")
    elif kind in _GONE_AT_BOOT:
        yield _warning("disk", f"{folder} is in memory ({kind})", "use a disk, unless this is a test")
    said = f"{free / 1e9:.1f} GB free in {folder}"
    if free < _LEAST_FREE:
        yield _failed("disk", said, "make room: without it, mails get 451")
    elif free < _SOON_FULL:
        yield _warning("disk", said, "make room soon")
    else:
        yield _ok("disk", said)


def templates(config: Config) -> Iterator[Finding]:
    """All templates compile, and each of the operator's own replaces one of ours."""
    try:
        renderer = Renderer(config.templates)
    except ValueError as e:
        yield _failed("templates", str(e), "correct the table: docs/adding-a-language.md says how it is written")
        return
    broken = renderer.broken()
    for name, why in broken.items():
        yield _failed("templates", f"{name}: {why}", "correct it, or take it out of PBMSERV_TEMPLATES")
    for name in renderer.unused(config.templates) if config.templates else ():
        yield _warning("templates", f"{name} replaces nothing", "compare its name with those in our folder templates")
    if not broken:
        yield _ok("templates", "all compile")


def own_templates(config: Config) -> Iterator[Finding]:
    """The same, if the operator has some: ours were tested."""
    if config.templates:
        yield from templates(config)


def database(config: Config) -> Iterator[Finding]:
    """All that is asked of the database; the first trouble is the last finding."""
    file = config.sqlite_file
    if file and not file.exists():
        yield _ok("database", f"{file} is made at the first start")
        return
    engine = engines.connect(config.database_url)
    try:
        yield from _database(engine)
    except SQLAlchemyError as e:
        said = f"The database cannot be used: {getattr(e, 'orig', None) or type(e).__name__}"
        yield _failed("database", said, "is it running, and may this account use it? PBMSERV_DATABASE_URL, PGPASSWORD")
    finally:
        engine.dispose()


def _database(engine: Engine) -> Iterator[Finding]:
    with engine.connect() as connection:
        store, found = Store(connection), migrate.revision(connection)
        if found != migrate.newest():
            yield _failed("schema", f"{found or 'none'}, and {migrate.newest()} is needed", "pbmserv migrate")
            return
        store.operations.set_fact("doctor", "writes, and takes it back")
        connection.rollback()
        yield _ok("database", f"{engine.dialect.name}, schema {found}, can be written")
        yield from _durability(Health(connection))
        yield from _clocks(store, Health(connection))
        yield from _games(store)
        connection.rollback()


def _durability(health: Health) -> Iterator[Finding]:
    weak = {name: value for name, (value, wanted) in health.durability().items() if value not in wanted}
    for name, value in weak.items():
        yield _failed("durability", f"{name} is {value}: a 250 is no promise", f"set {name} back to its default")
    if not weak:
        yield _ok("durability", "what is committed is on disk")


def _clocks(store: Store, health: Health) -> Iterator[Finding]:
    here, there, last = time(), health.now(), store.operations.fact(LAST_RUN)
    if abs(here - there) > _SECONDS:
        yield _failed("clock", f"{abs(here - there):.0f} s away from the database's", "set both by NTP")
    elif last and float(last) > here + _SECONDS:
        yield _failed("clock", "The clock ran last in the future", "set the time of this machine right (NTP)")
    else:
        yield _ok("clock", "agrees with the database")


def _games(store: Store) -> Iterator[Finding]:
    installed = {game.info.key for game in games.all_games()}
    missing = [key for key in store.audit.games() if key not in installed]
    for key in missing:
        yield _failed(
            "games",
            f"There are boards of {key}, and no such game is installed",
            "install its package again; then run the mails that came meanwhile: pbmserv mail list, pbmserv mail retry",
        )
    if not missing:
        yield _ok("games", "all boards are of games that are installed")


def relay(config: Config) -> Iterator[Finding]:
    """The relay lets us in, as far as one gets without a letter."""
    if "sender" not in config.roles:
        return
    try:
        yield _ok("relay", asyncio.run(open_relay(config.relay, timeout=_TIMEOUT).probe()))
    except RelayDown as e:
        yield _failed("relay", str(e), "letters wait until it works: check PBMSERV_RELAY, the MTA, and its log")


def ports(config: Config) -> Iterator[Finding]:
    """Every place of the listener is free, or taken by us."""
    for url in config.listen if "listener" in config.roles else ():
        place = read_url(url)
        try:
            banner = _banner(place)
        except OSError:
            yield _free(place)
            continue
        if banner.startswith(f"220 {config.address.rpartition('@')[2]} "):
            yield _ok("listen", f"{url} greets as we do")
        else:
            yield _failed("listen", f"Somebody else answers at {url}", "end that program, or change PBMSERV_LISTEN")


def _free(place: Endpoint) -> Finding:
    """Whether we could listen there."""
    try:
        _bind(place)
    except OSError as e:
        return _failed("listen", f"Cannot listen on {place.url}: {e.strerror}", "change PBMSERV_LISTEN")
    return _ok("listen", f"{place.url} is free")


def _bind(place: Endpoint) -> None:
    """Raises OSError, as the listener would get it."""
    if place.path:
        with TemporaryFile(dir=_existing(Path(place.path).parent)):
            return
    family, _, _, _, address = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, socket.SOCK_STREAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)


def _banner(place: Endpoint) -> str:
    """The first line that is said there. Raises OSError."""
    if place.path:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
            sock.settimeout(_TIMEOUT)
            sock.connect(place.path)
            return sock.recv(200).decode("latin-1")
    with socket.create_connection((place.host, place.port), timeout=_TIMEOUT) as sock:
        return sock.recv(200).decode("latin-1")


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that there is."""
    return folder if folder.exists() else _existing(folder.parent)


def _kind(folder: Path) -> str:
    """The type of its file system; "" where there is no /proc."""
    try:
        lines = Path("/proc/mounts").read_text().splitlines()
    except OSError:
        return ""
    mounts = {Path(point): kind for _, point, kind, *_ in map(str.split, lines)}
    return next((mounts[p] for p in (folder.resolve(), *folder.resolve().parents) if p in mounts), "")


#: What is cheap, and worth knowing before the first mail.
AT_START: tuple[Check, ...] = (exposed, key, filesystem, own_templates, database)
ALL: tuple[Check, ...] = (demonstration, exposed, key, filesystem, templates, database, relay, ports)
