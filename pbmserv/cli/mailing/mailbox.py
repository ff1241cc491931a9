"""`pbmserv mailbox`: logs in to mailbox and relay by OAuth2, and compares the mailbox with the database."""

from __future__ import annotations

import io
import os
import selectors
import sys
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.terminal.acting import who
from pbmserv.cli.terminal.console import AdminCommands, AsJson, console, errors, fail, load_config, print_json
from pbmserv.cli.terminal.database import key_of, open_database, prepare_database, tokens_of
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from pbmserv.config import Config
    from pbmserv.mail.imap.mailbox_audit import FolderCheck
    from pbmserv.mail.oauth.grants import Grant
    from pbmserv.mail.oauth.logging_in import Redirect
    from pbmserv.mail.oauth.oauth_settings import OAuthSettings

_PATIENCE = 900.0  #: seconds for which we wait for the browser
_COUNTED = ("done", "shelved")  #: of what was refused nothing is kept
_MOST_BYTES = 16_384  #: of a line that somebody pastes

app = AdminCommands()


@app.command()
def login(
    redirect: Annotated[
        bool, typer.Option("--redirect", help="use a browser that comes back here, also where there are short codes")
    ] = False,
) -> None:
    """Log in to the mailbox and the relay by OAuth2, in a browser on any machine. The server may run meanwhile.

    If they have two users, those log in who must, one after the other; if none must, both.

    For example: pbmserv mailbox login
    """
    log_in(load_config(), by_redirect=redirect)


@app.command()
def verify(as_json: AsJson = False) -> None:
    """Check that the database knows each mail which lies in the mailbox as done. Exits with 1 if one is missing there.

    It changes nothing, and the server may run meanwhile. For example: pbmserv mailbox verify
    """
    checks = _checks(load_config())
    unknown = [mail for folder in checks.values() for mail in folder.unknown]
    if as_json:
        folders = {kind: _told(folder) for kind, folder in checks.items()}
        print_json({"ok": not unknown, "folders": folders})
    else:
        for kind, folder in checks.items():
            console.print(f"{kind}: {folder.looked_at} mails, {len(folder.unknown)} not in the database", markup=False)
            for mail in folder.unknown:
                errors.print(f"  {mail.sender or 'nobody'}: {mail.title or 'no subject'}", markup=False)
        if unknown:
            errors.print("Move them back to where mails come in: then the server reads them.", markup=False)
    if unknown:
        raise typer.Exit(1)


def _told(folder: FolderCheck) -> dict[str, object]:
    return {"looked_at": folder.looked_at, "unknown": [mail._asdict() for mail in folder.unknown]}


def _checks(config: Config) -> dict[str, FolderCheck]:
    """Check the folders of the mailbox. Exits with 78 if the settings have none, and with 69 if it is out of reach."""
    from pbmserv.db import engines
    from pbmserv.mail.imap.account import read_account
    from pbmserv.mail.imap.connection import MailboxTrouble
    from pbmserv.mail.imap.mailbox_audit import check
    from pbmserv.mail.imap.watched_maildir import open_mailbox
    from pbmserv.mail.oauth.oauth_settings import LoginTrouble
    from pbmserv.mail.sizes import MOST_MESSAGE_BYTES
    from pbmserv.store import Store

    if not config.mailbox:
        raise fail("There is no PBMSERV_MAILBOX in the settings: see docs/mailbox.md", Exit.CONFIG)
    account = read_account(config.mailbox)
    try:
        with (
            open_database(config) as engine,
            tokens_of(config, config.mailbox_login) as tokens,
            closing(open_mailbox(account, config.mailbox_password, tokens)) as mailbox,
            engine.execution_options(**engines.READ_ONLY).connect() as connection,
        ):
            known = Store(connection).mails.known
            return {kind: check(mailbox.kept(kind, MOST_MESSAGE_BYTES + 1), known) for kind in _COUNTED}
    except (MailboxTrouble, LoginTrouble) as trouble:
        raise fail(f"{account.name}: {trouble}", Exit.UNAVAILABLE) from None


def log_in(config: Config, *, by_redirect: bool = False) -> None:
    """Let a person log in as each user who must, try it out, and store it.

    Exits with 78 if the settings have no login by OAuth2, and with 69 if it does not work.
    """
    from pbmserv.cli.serve import check_extras

    if not config.logins:
        text = "Nothing here needs a login by OAuth2. It is for a PBMSERV_MAILBOX or PBMSERV_RELAY without a password"
        raise fail(f"{text}, with PBMSERV_OAUTH_CLIENT: see docs/mailbox.md", Exit.CONFIG)
    try:
        check_extras(config)
    except ValueError as e:
        raise fail(str(e), Exit.CONFIG) from None
    prepare_database(config)
    for one in _needed(config):
        grant = _grant(one, by_redirect=by_redirect)
        _try_out(config, one, grant)
        _keep(config, one, grant)
        console.print(f"{one.user} is logged in. A running server goes on within five minutes.", markup=False)


def _needed(config: Config) -> list[OAuthSettings]:
    """Return who must log in; all if none must."""
    from pbmserv.store import Store

    with open_database(config) as engine, engine.connect() as connection:
        rows = [(one, Store(connection).mailboxes.login(one.user)) for one in config.logins]
    return [one for one, row in rows if row is None or row.trouble] or config.logins


def _grant(settings: OAuthSettings, *, by_redirect: bool) -> Grant:
    """Let a person log in. Exits with 69."""
    from pbmserv.mail.oauth.oauth_settings import LoginTrouble

    is_short = settings.provider.device_url and not (by_redirect and settings.provider.login_url)
    try:
        return _by_code(settings) if is_short else _by_redirect(settings)
    except LoginTrouble as trouble:
        raise fail(f"The login did not work: {trouble}", Exit.UNAVAILABLE) from None


def _by_code(settings: OAuthSettings) -> Grant:
    from pbmserv.mail.oauth.logging_in import begin_device, wait_for_device

    device = begin_device(settings)
    console.print(f"Open {device.url} in a browser on any machine, and log in as {settings.user}.", markup=False)
    console.print(f"The code is: {device.code}", markup=False)
    return wait_for_device(settings, device)


def _by_redirect(settings: OAuthSettings) -> Grant:
    from pbmserv.mail.oauth.logging_in import Redirect

    with closing(Redirect(settings)) as redirect:
        console.print(f"Open this in a browser, and log in as {settings.user}:\n\n{redirect.url}\n", markup=False)
        console.print(
            f"If the browser is on another machine, it cannot open {redirect.comes_to} in the end. That is all right: "
            "copy the address from its bar, and paste it here.",
            markup=False,
        )
        return redirect.grant(_brought(redirect))


def _brought(redirect: Redirect) -> str:
    """Return what the browser brings, or what the person pastes. Exits with 69 if neither does for a while."""
    with selectors.DefaultSelector() as selector:
        selector.register(redirect, selectors.EVENT_READ)
        with suppress(OSError, ValueError, io.UnsupportedOperation):  # it is a file, or closed
            selector.register(sys.stdin, selectors.EVENT_READ)
        while ready := selector.select(_PATIENCE):
            for key, _ in ready:
                line = b"" if key.fileobj is redirect else os.read(sys.stdin.fileno(), _MOST_BYTES)
                if key.fileobj is sys.stdin and not line:  # it has ended
                    selector.unregister(sys.stdin)
                if brought := redirect.heard() if key.fileobj is redirect else line.decode(errors="replace").strip():
                    return brought
    raise fail("Nobody has logged in.", Exit.UNAVAILABLE)


def _try_out(config: Config, one: OAuthSettings, grant: Grant) -> None:
    """Log in with a new token. Exits with 69 if the mailbox does not let us in, as another account's would not."""
    import asyncio

    from pbmserv.cli.terminal.greeting import TIMEOUT
    from pbmserv.mail.imap.account import read_account
    from pbmserv.mail.imap.connection import LoginRefused, MailboxTrouble
    from pbmserv.mail.imap.watched_maildir import open_mailbox
    from pbmserv.mail.smtp.delivery import RelayDown
    from pbmserv.mail.smtp.relay import open_relay

    token = _Given(grant.access)
    try:
        if one == config.mailbox_login:
            open_mailbox(read_account(config.mailbox), "", token).close()
        if one == config.relay_login:
            asyncio.run(open_relay(config.relay, TIMEOUT, token).probe())
    except LoginRefused as e:
        text = "Was it the right account, and may programs use IMAP there? Nothing was stored."
        raise fail(f"The mailbox does not let us in: {e}. {text}", Exit.UNAVAILABLE) from None
    except (MailboxTrouble, RelayDown) as e:
        console.print(f"The login is kept, though it cannot be used now: {e}. Ask again: pbmserv doctor", markup=False)


class _Given:
    """A token that has just come, for a trial."""

    def __init__(self, token: str) -> None:
        self._token = token

    def access(self) -> str:
        return self._token

    def refused(self) -> None:
        pass


def _keep(config: Config, settings: OAuthSettings, grant: Grant) -> None:
    from pbmserv.db import engines
    from pbmserv.letters.text.times import utc_now
    from pbmserv.server.logins.tokens import StoredTokens
    from pbmserv.store import Store

    with open_database(config) as engine:
        StoredTokens(engine, settings, key_of(config)).keep(grant)
        event = (utc_now(), who(), f"mailbox {settings.user}: login", "")
        engines.transact(engine, lambda connection, _: Store(connection).operations.add_event(*event))
