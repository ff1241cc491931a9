"""A real IMAP server, dovecot, on a port of its own; and a mailbox as a folder, which tests change behind its back."""

import os
import pwd
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from imaplib import IMAP4
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

from tests.tools.process import free_port, until

_PROGRAM = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
IS_AVAILABLE = _PROGRAM is not None
USER, PASSWORD = "club@example.org", "app-password"

_CONFIG = """
protocols = imap
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
first_valid_uid = 1
mail_location = maildir:{folder}/mail
mail_max_userip_connections = 0
maildir_very_dirty_syncs = no
disable_plaintext_auth = no
auth_mechanisms = plain login{mechanisms}
auth_failure_delay = 0
imap_capability = {capability}
ssl = {ssl}
{certificate}
listen = 127.0.0.1
{passdb}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={owner} gid={owner_group} home={folder}/home
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
service auth {{
  chroot =
}}
namespace inbox {{
  inbox = yes
  separator = {separator}
}}
"""


_OAUTH = """
introspection_mode = post
introspection_url = {url}
username_attribute = username
active_attribute = active
active_value = true
"""


class Served:
    """A mailbox on a running dovecot, which finds new mails as files that somebody has put there."""

    def __init__(self, folder: Path, port: int, tls_port: int) -> None:
        self.folder = folder
        self.port = port
        self.tls_port = tls_port
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start dovecot, and wait until it answers."""
        assert _PROGRAM
        command = [_PROGRAM, "-F", "-c", str(self.folder / "dovecot.conf")]
        with (self.folder / "out").open("w") as out:
            process = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
        self._process = process
        until(lambda: _answers(self.port) or process.poll() is not None)
        assert process.poll() is None, (self.folder / "out").read_text() + (self.folder / "log").read_text()

    def kill(self) -> None:
        """Kill it with all its processes: it would take seconds to end by itself."""
        assert self._process
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    @property
    def maildir(self) -> Path:
        """Return the folder of INBOX."""
        return self.folder / "mail"

    def deliver(self, data: bytes) -> None:
        """Put a mail into INBOX."""
        self.deliver_many([data])

    def deliver_many(self, mails: Sequence[bytes]) -> None:
        """Put mails into INBOX, in their order."""
        for data in mails:
            name = f"{time.time_ns() // 10**9}.{next(self._numbers):06}.test"
            (self.maildir / "tmp" / name).write_bytes(data)
            _give(self.maildir / "tmp" / name)
            (self.maildir / "tmp" / name).rename(self.maildir / "new" / name)

    def files(self, kind: str = "") -> list[Path]:
        """Return the mails in INBOX, or in a folder for mails of a kind."""
        where = self.maildir / f".pbmserv.{kind}" if kind else self.maildir
        return sorted(file for part in ("new", "cur") for file in where.glob(f"{part}/*"))

    @property
    def bytes_sent(self) -> int:
        """Return how many bytes it has sent to programs that have logged out."""
        return sum(map(int, re.findall(r" out=(\d+)", (self.folder / "log").read_text())))

    def renumber(self, by: int = 1, mails: Sequence[bytes] = ()) -> None:
        """Give INBOX another UIDVALIDITY, and all its mails new UIDs, as after a restored backup.

        With `by=0` it is the same UIDVALIDITY, as no server may do. `mails`: those that come meanwhile.
        """
        self.kill()
        self.deliver_many(mails)
        uids = self.maildir / "dovecot-uidlist"
        validity = next(int(word[1:]) for word in uids.read_text().split("\n", 1)[0].split() if word[0] == "V")
        for index in self.maildir.glob("dovecot.index*"):
            index.unlink(missing_ok=True)
        part = self.maildir / "uidlist"
        part.write_text(f"3 V{validity + by} N1\n")
        _give(part)
        part.rename(uids)
        self.start()

    @contextmanager
    def client(self) -> Iterator[IMAP4]:
        """Another program that is logged in, such as the mail program of the owner."""
        with IMAP4("127.0.0.1", self.port) as client:
            client.login(USER, PASSWORD)
            client.select()
            yield client


@contextmanager
def dovecot(
    *,
    separator: str = "/",
    capability: str = "",
    certificate: Mapping[str, Path] | None = None,
    introspection: str = "",
) -> Iterator[Served]:
    """A context in which dovecot runs. `capability`: what it says that it can; "": all that it can.

    `introspection`: the URL where it asks about tokens of XOAUTH2.
    """
    folder = Path(mkdtemp(prefix="pbmserv-dovecot"))
    is_root = os.geteuid() == 0
    me = pwd.getpwuid(os.geteuid()).pw_name
    owner = pwd.getpwnam("nobody") if is_root else pwd.getpwuid(os.geteuid())
    port, tls_port = free_port(), free_port()
    tls = "\n".join(f"ssl_{name} = <{file}" for name, file in (certificate or {}).items())
    config = _CONFIG.format(
        folder=folder,
        internal="dovecot" if is_root else me,
        group="dovecot" if is_root else owner.pw_gid,
        login="dovenull" if is_root else me,
        owner=owner.pw_uid,
        owner_group=owner.pw_gid,
        password=PASSWORD,
        port=port,
        tls_port=tls_port if certificate else 0,
        ssl="yes" if certificate else "no",
        certificate=tls,
        mechanisms=" xoauth2" if introspection else "",
        passdb=f"passdb {{\n  driver = oauth2\n  mechanisms = xoauth2\n  args = {folder}/oauth\n}}"
        if introspection
        else "",
        separator=separator,
        capability=capability,
    )
    folder.chmod(0o755)
    (folder / "dovecot.conf").write_text(config)
    (folder / "oauth").write_text(_OAUTH.format(url=introspection))
    for part in ("mail/new", "mail/cur", "mail/tmp", "home", "state"):
        (folder / part).mkdir(parents=True)
    for file in folder.rglob("*"):
        _give(file)
    served = Served(folder, port, tls_port)
    served.start()
    try:
        yield served
    finally:
        served.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _give(file: Path) -> None:
    """Give a file to the owner of the mailbox, because dovecot serves no mail of root."""
    if os.geteuid() == 0:
        owner = pwd.getpwnam("nobody")
        os.chown(file, owner.pw_uid, owner.pw_gid)


def _answers(port: int) -> bool:
    try:
        IMAP4("127.0.0.1", port).logout()
    except OSError:
        return False
    return True
