"""The question how letters go, and what is tried for each answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbmserv.cli.mailing.setup.asking import NotRight, ask, choose, say, settled
from pbmserv.cli.mailing.setup.coming import ask_password, user_at
from pbmserv.cli.mailing.setup.mail_trouble import with_advice
from pbmserv.cli.mailing.setup.providers import MailProvider, provider_of
from pbmserv.cli.terminal.greeting import TIMEOUT
from pbmserv.mail.imap.account import read_account

if TYPE_CHECKING:
    from pbmserv.cli.mailing.setup.draft_settings import DraftSettings
    from pbmserv.config import Config

_MAIL_SERVER, _FILES = "smtp://127.0.0.1:25", "maildir:var/letters"
_STARTTLS = 587


def how_letters_go(draft: DraftSettings) -> None:
    """Ask it. Raises NotRight if the answer is none."""
    was = draft.text("relay")
    kinds = {"maildir": "files", "smtp": "relay", "lmtp": "relay"}
    usual = kinds.get(urlsplit(was).scheme, "submission") if was else "submission"
    say(
        "3. How do letters go? By the submission server of your mailbox's provider; by a relay, such as Postfix on "
        "this machine, which brings them to all others; or into files, to try things out."
    )
    _ASKED[choose("   They go by", _ASKED, usual)](draft)


def _submission(draft: DraftSettings) -> None:
    settled(lambda: _log_in(draft))


def _log_in(draft: DraftSettings) -> None:
    """Ask for the submission server and log in there. Raises NotRight."""
    known = provider_of(draft.text("address"))
    server, user = _place(draft, known)
    usual = draft.secrets.get("relay_password") or draft.secrets.get("mailbox_password", "")
    has_login = bool(draft.text("oauth_client")) and not usual
    password = "" if has_login else ask_password(user, usual, known)
    relay = user_at(server, user)
    config = draft.config(relay=relay, relay_password=password)
    draft.lines["relay"] = relay  # so it is offered again after a wrong password
    told = _reached(config, known)
    draft.set({"relay_password": password}, relay=relay)
    say(f"   {told}.")


def _place(draft: DraftSettings, known: MailProvider | None) -> tuple[str, str]:
    """Return the URL of the submission server, without a user, and the user."""
    address, was, mailbox = draft.text("address"), urlsplit(draft.text("relay")), draft.text("mailbox")
    if known:
        return known.submission, address
    host = was.netloc.rpartition("@")[2] if was.username else f"smtp.{address.partition('@')[2]}"
    usual = host if was.scheme != "smtp+starttls" else f"{host.partition(':')[0]}:{was.port or _STARTTLS}"
    server = ask("   Submission server of the provider, HOST or HOST:PORT", usual)
    scheme = "smtp+starttls" if server.endswith(f":{_STARTTLS}") else "smtps"
    account = read_account(mailbox) if mailbox else None
    user = ask("   User there", account.user if account and account.host else address)
    return server if "://" in server else f"{scheme}://{server}", user


def _relay(draft: DraftSettings) -> None:
    settled(lambda: _reach(draft))


def _reach(draft: DraftSettings) -> None:
    was = draft.text("relay")
    relay = ask("   Which one", was if was.startswith(("smtp://", "lmtp://")) else _MAIL_SERVER)
    told = _reached(draft.config(relay=relay, relay_password=""))
    draft.set({"relay_password": ""}, relay=relay)
    say(f"   {told}.")


def _files(draft: DraftSettings) -> None:
    draft.set({"relay_password": ""}, relay=_FILES)
    say("   No letter leaves this machine: `pbmserv send` shows them, each player's in a folder below var/letters.")


def _reached(config: Config, known: MailProvider | None = None) -> str:
    """Connect and log in. Returns what the relay says; raises NotRight."""
    from pbmserv.cli.terminal.database import tokens_of
    from pbmserv.mail.smtp.delivery import RelayDown
    from pbmserv.mail.smtp.relay import open_relay

    try:
        with tokens_of(config, config.relay_login) as tokens:
            return asyncio.run(open_relay(config.relay, TIMEOUT, tokens).probe())
    except RelayDown as down:
        raise NotRight(with_advice(str(down), known)) from None
    except ValueError as error:
        raise NotRight(str(error)) from None


_ASKED = {"submission": _submission, "relay": _relay, "files": _files}
