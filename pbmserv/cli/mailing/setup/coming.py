"""The question how mail comes, and what is tried for each answer."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

import typer

from pbmserv.cli.mailing.setup.asking import NotRight, ask, ask_secret, choose, say, settled
from pbmserv.cli.mailing.setup.mail_trouble import with_advice
from pbmserv.cli.mailing.setup.providers import MailProvider, provider_of
from pbmserv.mail.imap.account import read_account

if TYPE_CHECKING:
    from pbmserv.cli.mailing.setup.draft_settings import DraftSettings
    from pbmserv.config import Config

_LISTENING = {"postfix": "lmtp://127.0.0.1:2424", "alone": "smtp://0.0.0.0:25"}


def how_mail_comes(draft: DraftSettings) -> None:
    """Ask it. Raises NotRight if the answer is none."""
    usual = (
        "mailbox" if draft.text("mailbox") or not draft.was else "listener" if "listen" in draft.lines else "deliver"
    )
    usual = "maildir" if draft.text("mailbox").startswith("maildir:") else usual
    say(
        "2. How does mail come? From a mailbox at a provider; to a listener, with a domain and port 25, or behind "
        "Postfix; into a Maildir; or by another program that calls `pbmserv deliver`."
    )
    _ASKED[choose("   It comes by", _ASKED, usual)](draft)


def user_at(url: str, user: str) -> str:
    """Return the URL of a server with a user in it."""
    scheme, _, host = url.partition("://")
    return f"{scheme}://{quote(user, safe='@')}@{host}"


def _mailbox(draft: DraftSettings) -> None:
    settled(lambda: _log_in(draft, provider_of(draft.text("address"))))


def _log_in(draft: DraftSettings, known: MailProvider | None) -> None:
    """Ask for the mailbox and log in there. Raises NotRight."""
    server, user = _place(draft, known)
    url = user_at(server, user)
    if known:
        say(f"   {known.name}: {known.login}.")
    password = ask_password(user, draft.secrets.get("mailbox_password", ""), known)
    if not password:
        _log_in_by_oauth(draft, url)
    config = draft.config(mailbox=url, mailbox_password=password)
    draft.lines["mailbox"] = url  # so it is offered again after a wrong password
    told = look(config, known)
    draft.set({"mailbox_password": password}, mailbox=url)
    say(f"   {told}.")


def ask_password(user: str, usual: str, known: MailProvider | None) -> str:
    """Return the password of a user; "" if a person shall log in by OAuth2."""
    if known and not known.takes_passwords:
        return ""
    return ask_secret(f"   Password of {user}, which is not shown; nothing, to log in by OAuth2", usual)


def _log_in_by_oauth(draft: DraftSettings, url: str) -> None:
    """Let a person log in with a browser. Raises NotRight."""
    from pbmserv.cli.mailing.mailbox import log_in

    client = ask("   What the provider calls this program, the client (docs/mailbox.md)", draft.text("oauth_client"))
    secrets = {"mailbox_password": "", "relay_password": ""}
    secrets["oauth_secret"] = ask_secret("   Its secret, if there is one", draft.secrets.get("oauth_secret", ""))
    try:
        log_in(draft.config(mailbox=url, oauth_client=client, **secrets))
    except typer.Exit:
        raise NotRight("Without a password and without this login the mailbox cannot be used.") from None
    draft.set(secrets, mailbox=url, oauth_client=client)


def _place(draft: DraftSettings, known: MailProvider | None) -> tuple[str, str]:
    """Return the URL of the IMAP server, without a user, and the user."""
    address, was = draft.text("address"), urlsplit(draft.text("mailbox"))
    if known:
        return known.imap, address.partition("@")[0] if known.is_short else address
    host = was.netloc.rpartition("@")[2] or f"imap.{address.partition('@')[2]}"
    server = ask(
        "   IMAP server of the provider, HOST or HOST:PORT", f"imap://{host}" if was.scheme == "imap" else host
    )
    user = ask("   User there", unquote(was.username) if was.username else address)
    return server if "://" in server else f"imaps://{server}", user


def look(config: Config, known: MailProvider | None = None) -> str:
    """Log in to the mailbox, and return what is there. Raises NotRight."""
    from pbmserv.cli.terminal.database import tokens_of
    from pbmserv.mail.imap.connection import MailboxTrouble
    from pbmserv.mail.imap.watched_maildir import open_mailbox
    from pbmserv.mail.oauth.oauth_settings import LoginTrouble

    account = read_account(config.mailbox)
    try:
        with (
            tokens_of(config, config.mailbox_login) as tokens,
            closing(open_mailbox(account, config.mailbox_password, tokens)) as connection,
        ):
            folder = connection.select()
            connection.leave()
    except (MailboxTrouble, LoginTrouble) as trouble:
        raise NotRight(with_advice(f"{account.name}: {trouble}", known)) from None
    waiting = "will be left alone" if folder.has_order else "will be read"
    return f"{account.name} can be used. {folder.mails} mails are there, which {waiting}"


def _listener(draft: DraftSettings) -> None:
    settled(lambda: _listen(draft))
    draft.set(mailbox="")


def _listen(draft: DraftSettings) -> None:
    was = draft.lines.get("listen", "")
    usual = ", ".join(was) if isinstance(was, list) else str(was)
    say(f"   Behind Postfix it is {_LISTENING['postfix']} (deploy/postfix.md), alone {_LISTENING['alone']}.")
    urls = ask("   Where to listen", usual or _LISTENING["postfix"])
    _try_to_listen(draft.config(listen=urls))
    draft.set(listen=[url.strip() for url in urls.split(",")])


def _try_to_listen(config: Config) -> None:
    """Raises NotRight if an address cannot be listened on, and is not that of our own server."""
    from pbmserv.cli.checking import connection_checks

    try:
        trouble = [finding for finding in connection_checks.ports(config) if finding.status == "failed"]
    except ValueError as error:
        raise NotRight(str(error)) from None
    if trouble:
        raise NotRight("\n   ".join(with_advice(f"{f.said}. Try this: {f.advice}") for f in trouble))
    say("   The server can listen there.")


def _maildir(draft: DraftSettings) -> None:
    settled(lambda: _watch(draft))


def _watch(draft: DraftSettings) -> None:
    usual = draft.text("mailbox").removeprefix("maildir:") or str(Path.home() / "Maildir")
    mailbox = f"maildir:{Path(ask('   The folder, in which new/ and cur/ are', usual)).expanduser()}"
    told = look(draft.config(mailbox=mailbox))
    draft.set(mailbox=mailbox)
    say(f"   {told}.")


def _deliver(draft: DraftSettings) -> None:
    _try_to_listen(draft.config())
    draft.set(mailbox="")
    draft.can_come = False  # that command reads them
    say(f"   Let your mail program call this, as docs/mailbox.md says: cd {Path.cwd()} && pbmserv deliver")


_ASKED = {"mailbox": _mailbox, "listener": _listener, "maildir": _maildir, "deliver": _deliver}
