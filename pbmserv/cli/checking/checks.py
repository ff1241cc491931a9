"""The checks of `pbmserv doctor`. Each reports what it found, good or bad, and what to do about a problem."""

import shutil
import sqlite3
import stat
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from time import time

from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from pbmserv import games
from pbmserv.admin import dumps
from pbmserv.boards.absences import steady_time
from pbmserv.cli.checking import connection_checks
from pbmserv.cli.checking.connection_checks import asked, existing
from pbmserv.cli.checking.findings import Check, Finding, failed, ok, warning
from pbmserv.cli.status import ROBOT_WAITS
from pbmserv.config import OWN_SECRETS, PREFIX, RENAMED, TOML, Config, is_loopback, secret_files, settings_file
from pbmserv.db import engines, migrate
from pbmserv.db.health import Health
from pbmserv.letters.text.templates import Renderer
from pbmserv.model import Phase
from pbmserv.model.operations import LAST_RUN
from pbmserv.model.tournaments import LAST
from pbmserv.robots.engines import EngineFault, Engines, Strength
from pbmserv.store import Store
from pbmserv.tournaments.forms import swiss

#: File systems on which fsync is not reliable and SQLite's locks do not work (sqlite.org/faq.html, question 5).
_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "glusterfs", "fuse.sshfs", "fuse.glusterfs", "vboxsf"}
_GONE_AT_BOOT = {"tmpfs", "ramfs"}
_LEAST_FREE, _SOON_FULL = 100e6, 1e9  #: bytes
_LEAST_KEY = 32  #: characters: 128 bits in hexadecimal
_PROGRAMS = "install the client programs of PostgreSQL"
_SECONDS = 60  #: the allowed difference between two clocks


def settings(config: Config) -> Iterator[Finding]:
    """Report where the settings come from."""
    file = settings_file()
    yield ok(
        "settings", f"{file} was read" if file else f"there is no {TOML} in {Path.cwd()}; variables and defaults hold"
    )


def demonstration(config: Config) -> Iterator[Finding]:
    """Warn about settings for demonstrations."""
    if config.trust_from:
        yield warning("settings", "From is trusted", "on a public server, set PBMSERV_TRUST_FROM=0")
    if not config.confirm_addresses:
        yield warning("settings", "Addresses are not confirmed", "on a public server, PBMSERV_CONFIRM_ADDRESSES=1")
    if config.relay.startswith("maildir:") and not config.address.endswith("@localhost"):
        yield warning("settings", "Letters stay on this machine", "set PBMSERV_RELAY=smtp://127.0.0.1:25")
    if not config.operator and not config.address.endswith("@localhost"):
        yield warning("settings", "Nobody reads mail to postmaster and abuse", "set PBMSERV_OPERATOR=you@example.org")


def exposed(config: Config) -> Iterator[Finding]:
    """Warn about ports that other machines can reach, and about pages that others can read on their way."""
    public = [url for url in config.listen if not is_loopback(url)]
    if public and "listener" in config.roles:
        yield warning(
            "settings",
            f"Others can reach {', '.join(public)}",
            "put an MTA in front of it, or a firewall",
        )
    if config.metrics and not is_loopback(f"http://{config.metrics}"):
        yield warning("settings", f"Others can reach PBMSERV_METRICS={config.metrics}", "use 127.0.0.1, or a firewall")
    for old, new in RENAMED.items():
        if getattr(config, old):
            yield warning("settings", f"{PREFIX}{old.upper()} has another name now", f"write {PREFIX}{new.upper()}")
    if config.web_url.startswith("http:") and not is_loopback(config.web_url):
        yield warning("settings", f"Players' own pages are not encrypted on {config.web_url}", "use https://")


def key(config: Config) -> Iterator[Finding]:
    """Check that the secret key exists, is long enough, and is not readable by other users."""
    file = None if config.secret_key else config.key_file
    if file and not file.exists():
        yield ok("key", f"{file} is made at the first start")
        return
    words = config.secret_key or (file.read_text().strip() if file else "")
    fresh = 'python3 -c "import secrets; print(secrets.token_hex(32))"'
    if not words and not file:
        advice = f"with PostgreSQL, every process needs the same one; make it, before boards begin: {fresh}"
        yield failed("key", "PBMSERV_SECRET_KEY is not set", advice)
    elif len(words) < _LEAST_KEY:
        yield failed("key", f"The secret key has {len(words)} characters", f"make one, before boards begin: {fresh}")
    elif file and stat.S_IMODE(file.stat().st_mode) & 0o077:
        yield failed("key", f"Others may read {file}", f"chmod 600 {file}")
    else:
        yield ok("key", str(file) if file else "PBMSERV_SECRET_KEY is set")


def filesystem(config: Config) -> Iterator[Finding]:
    """Check that SQLite's file is on a local disk with free space."""
    if config.sqlite_file is None:
        return
    folder = existing(config.sqlite_file.parent.absolute())
    kind, free = _kind(folder), shutil.disk_usage(folder).free
    if kind in _NETWORK:
        yield failed("disk", f"{folder} is on a network file system ({kind})", "use a disk of this machine")
    elif kind in _GONE_AT_BOOT:
        yield warning("disk", f"{folder} is in memory ({kind})", "use a disk, unless this is a test")
    if why := _unwritable(folder):
        own = config.sqlite_file.parent.absolute()
        missing = f"make {own} for the user who runs pbmserv; systemd does it at the first start of the unit"
        advice = "allow the user who runs pbmserv to write there" if own == folder else missing
        if not folder.is_dir():
            advice = "it is a file: change PBMSERV_DATABASE_URL"
        yield failed("disk", f"No file can be made in {folder}: {why}", advice)
    text = f"{free / 1e9:.1f} GB free in {folder}"
    if free < _LEAST_FREE:
        yield failed("disk", text, "make room: without it, mails get 451")
    elif free < _SOON_FULL:
        yield warning("disk", text, "make room soon")
    else:
        yield ok("disk", text)


def files(config: Config) -> Iterator[Finding]:
    """Check that other users cannot read SQLite's files, which contain all addresses and letters, nor our secrets."""
    file = config.sqlite_file
    there = [file.with_name(file.name + end) for end in ("", "-wal", "-shm")] if file else []
    there += [f for f in secret_files() if f.parent.name == OWN_SECRETS]  # systemd has its own rules for those of units
    open_ = [f for f in there if f.exists() and stat.S_IMODE(f.stat().st_mode) & 0o077]
    if open_:
        names = " ".join(map(str, open_))
        yield failed("files", f"Others may read {names}", f"chmod 600 {names}")
    elif file and file.exists():
        yield ok("files", f"nobody else may read {file}")


def templates(config: Config) -> Iterator[Finding]:
    """Check that all templates compile, and that each of the operator's templates replaces one of ours."""
    if config.templates and not Path(config.templates).is_dir():
        yield failed("templates", f"There is no folder {config.templates}", "make it, or change PBMSERV_TEMPLATES")
    try:
        renderer = Renderer(config.templates)
    except ValueError as e:
        yield failed("templates", str(e), "correct the table: docs/adding-a-language.md says how it is written")
        return
    broken = renderer.broken()
    for name, why in broken.items():
        yield failed("templates", f"{name}: {why}", "correct it, or take it out of PBMSERV_TEMPLATES")
    for name in renderer.unused(config.templates) if config.templates else ():
        yield warning("templates", f"{name} replaces nothing", "compare its name with those in our folder templates")
    if not broken:
        yield ok("templates", "all compile")


def own_templates(config: Config) -> Iterator[Finding]:
    """Check the templates only if the operator has some, because ours were tested."""
    if config.templates:
        yield from templates(config)


def database(config: Config) -> Iterator[Finding]:
    """Check the database, and stop at the first problem."""
    file = config.sqlite_file
    if file and not file.exists():
        yield ok("database", f"{file} is made at the first start")
        return
    engine = engines.connect(config.database_url)
    try:
        yield from _database(engine, config)
    except (SQLAlchemyError, sqlite3.Error) as e:
        text = f"The database cannot be used: {getattr(e, 'orig', None) or e}"
        yield failed("database", text, "is it running, and may this account use it? PBMSERV_DATABASE_URL, PGPASSWORD")
    finally:
        engine.dispose()


def _database(engine: Engine, config: Config) -> Iterator[Finding]:
    with engine.connect() as connection:
        store, revision = Store(connection), migrate.revision(connection)
        yield from _programs(Health(connection), config.pg_bin)
        if revision != migrate.newest():
            yield from _outdated(Health(connection), revision)
            return
        store.operations.set_fact("doctor", "writes, and takes it back")
        connection.rollback()
        yield ok("database", f"{engine.dialect.name}, schema {revision}, can be written")
        yield from _durability(Health(connection))
        yield from _clocks(store, Health(connection))
        yield from _games(store)
        yield from _tournaments(store)
        yield from _robots(store, config.robots)
        connection.rollback()


def _outdated(health: Health, revision: str | None) -> Iterator[Finding]:
    if not health.can_make_tables():
        advice = "as its superuser: ALTER DATABASE … OWNER TO …, or GRANT CREATE ON SCHEMA public TO …"
        yield failed("schema", "This account may not make tables in the database", advice)
    yield failed("schema", f"{revision or 'none'}, and {migrate.newest()} is needed", "pbmserv migrate")


def _programs(health: Health, folder: str) -> Iterator[Finding]:
    """Check that `pbmserv backup` and `restore` find programs that fit the PostgreSQL server."""
    server = health.major_version()
    for name in ("pg_dump", "pg_restore") if server else ():
        try:
            version = dumps.major_version(name, folder)
        except dumps.ToolError as e:
            yield warning("backup", str(e).partition(". ")[0], f"{_PROGRAMS} {server} or newer, or set PBMSERV_PG_BIN")
            continue
        if version < server:
            text = f"{name} is of version {version}, and the server of version {server}: no backup can be made"
            yield warning("backup", text, f"{_PROGRAMS} {server} or newer, or set PBMSERV_PG_BIN")
        else:
            yield ok("backup", f"{name} is of version {version}")


def _durability(health: Health) -> Iterator[Finding]:
    weak = {name: value for name, (value, right) in health.durability().items() if value not in right}
    for name, value in weak.items():
        yield failed("durability", f"{name} is {value}: a 250 is no promise", f"set {name} back to its default")
    if not weak:
        yield ok("durability", "what is committed is on disk")


def _clocks(store: Store, health: Health) -> Iterator[Finding]:
    here, there, last = time(), health.now(), store.operations.fact(LAST_RUN)
    if abs(here - there) > _SECONDS:
        yield failed("clock", f"{abs(here - there):.0f} s away from the database's", "set both by NTP")
    elif last and float(last) > here + _SECONDS:
        yield failed("clock", "The clock ran last in the future", "set the time of this machine right (NTP)")
    elif jump := steady_time.jump(store):
        text = f"The time has jumped by {jump.seconds / 3600:.1f} hours and is not trusted yet: tournaments wait"
        yield warning("clock", text, "if the server was not down for so long, set the time of this machine right (NTP)")
    else:
        yield ok("clock", "agrees with the database")


def _games(store: Store) -> Iterator[Finding]:
    missing = store.audit.games_missing()
    for key in missing:
        yield failed(
            "games",
            f"There are boards of {key}, and no such game is installed",
            "install its package again: the boards wait until then, and nobody loses time",
        )
    if not missing:
        yield ok("games", "all boards are of games that are installed")


def _tournaments(store: Store) -> Iterator[Finding]:
    """Check that Swiss tournaments can go on. Nothing if there are none."""
    going_on = store.tournaments.all(phases=[phase for phase in Phase if phase not in LAST])
    waiting = [f"{t.number}" for t in going_on if t.plan.form == swiss.Swiss.key]
    if waiting and not swiss.can_draw():
        text = f"No round of Swiss tournaments can be drawn; of this form: {', '.join(waiting)}"
        yield failed("tournaments", text, "install pbmserv[swiss], and restart the server: they wait until then")


def _robots(store: Store, processes: int) -> Iterator[Finding]:
    """Check that robots answer. `processes`: how many are to play for them. Nothing if there are no robots."""
    there, turn = len(store.robots.all()), store.robots.longest_wait()
    late = max(time() - turn, 0) if turn else 0
    if there and not processes:
        yield warning("robots", f"There are {there}, and PBMSERV_ROBOTS=0: they do not move", "set it to 1")
    elif late > ROBOT_WAITS:
        yield warning(
            "robots", f"A robot has not moved for {late / 60:.0f} minutes", "is a process with the role robots running?"
        )
    elif there:
        yield ok("robots", f"there are {there}, and none is late")


def engines_of_others(config: Config) -> Iterator[Finding]:
    """Start each engine, ask it, and end it; and report its last fault in the server."""
    started = Engines(config.engines)
    faults = asked(config, lambda store: store.operations.engines()) or {}
    try:
        for name in config.engines:
            yield from _engine(started, name)
            if (health := faults.get(name)) and health.trouble:
                text = f"{name} made a fault {(time() - health.since) / 60:.0f} minutes ago: {health.trouble}"
                yield warning("engines", text, "until it is started again, our own search moves in its place")
    finally:
        started.close()


def _engine(engines: Engines, name: str) -> Iterator[Finding]:
    try:
        has_network = engines.check(name, Strength())
    except EngineFault as fault:
        advice = f"correct [engines.{name}]: docs/engines.md has an example; until then our own search moves"
        yield warning("engines", f"{name}: {fault}", advice)
        return
    if has_network:
        advice = "this system gives it no namespace (unshare): allow namespaces of users, or run the server as root"
        yield warning("engines", f"{name} answers, and can reach the network", advice)
    else:
        yield ok("engines", f"{name} answers, and has no network")


def extras(config: Config) -> Iterator[Finding]:
    """Report what the settings need and nobody has installed; a server would not start."""
    if config.metrics and find_spec("prometheus_client") is None:
        yield failed(
            "settings",
            "PBMSERV_METRICS needs the package prometheus-client",
            "install pbmserv[metrics], or take the setting away",
        )
    if config.logins and find_spec("oauthlib") is None:
        yield failed(
            "settings", "PBMSERV_OAUTH_CLIENT needs the package oauthlib", "install pbmserv[oauth], or set a password"
        )


def packages(config: Config) -> Iterator[Finding]:
    """Report games of other packages that cannot be used, and which games the operator has chosen."""
    if config.games:
        offered = ", ".join(g.info.key for g in games.chosen(config.games))
        yield ok("games", f"players can begin boards of: {offered}")
    for broken in games.broken():
        yield failed(
            "games",
            f"{broken.package}: the game {broken.name} cannot be used: {broken.why}",
            "install a version that works, or uninstall the package; then start the server again",
        )


def _unwritable(folder: Path) -> str:
    """Return why no file can be created in a folder; "" if it is possible."""
    try:
        with TemporaryFile(dir=folder):
            return ""
    except OSError as e:
        return e.strerror or str(e)


def _kind(folder: Path) -> str:
    """Return the type of its file system; "" if there is no /proc."""
    try:
        lines = Path("/proc/mounts").read_text().splitlines()
    except OSError:
        return ""
    mounts = {Path(point): kind for _, point, kind, *_ in map(str.split, lines)}
    return next((mounts[p] for p in (folder.resolve(), *folder.resolve().parents) if p in mounts), "")


#: Fast checks that are useful before the first mail.
AT_START: tuple[Check, ...] = (exposed, key, filesystem, files, own_templates, packages, database)
ALL: tuple[Check, ...] = (
    settings,
    demonstration,
    exposed,
    extras,
    key,
    filesystem,
    files,
    templates,
    packages,
    database,
    engines_of_others,
    connection_checks.login,
    connection_checks.relay,
    connection_checks.mailbox,
    connection_checks.ports,
    connection_checks.metrics,
)
