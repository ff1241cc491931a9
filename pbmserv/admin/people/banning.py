"""Bans of addresses and domains, by an admin."""

from pbmserv.admin.desk import Desk, Missing
from pbmserv.commands.accounts import read_address
from pbmserv.errors import PlayerError
from pbmserv.mail.reading.headers import mailbox
from pbmserv.model import Player
from pbmserv.model.mails import Ban


def ban(desk: Desk, who: str) -> tuple[str, list[Player]]:
    """Ban an address or a domain, and return how it is kept, and which accounts have that very address."""
    what = _read(who)
    if _find(desk, what):
        raise PlayerError(f"{what} is banned already.", "To see all bans: pbmserv players bans")
    if not desk.admin.why:
        raise PlayerError("A ban needs a reason, because the banned person is told it.", 'Add: --why "…"')
    number = desk.store.banned.add(what, desk.admin.why, desk.now)
    desk.note(f"ban {number}: added")  # without the address, which must not remain when the ban is taken back
    return what, [] if what.startswith("@") else desk.store.players.at(read_address(who))


def unban(desk: Desk, who: str) -> str:
    """Take a ban back, which its number may name, too, and return what was banned."""
    what = who.strip() if who.strip().isdecimal() else _read(who)
    known = _find(desk, what)
    if known is None:
        raise Missing(f"{what} is not banned.", "To see all bans: pbmserv players bans")
    desk.store.banned.remove(known.id)
    desk.note(f"ban {known.id}: taken back")
    return known.what


def _find(desk: Desk, what: str) -> Ban | None:
    return next((ban for ban in desk.store.banned.all() if what in (ban.what, str(ban.id))), None)


def _read(who: str) -> str:
    """Return what is banned: an address as all its spellings are compared, or `@example.org` for a domain."""
    local, _, domain = who.strip().rpartition("@")
    if local:
        return mailbox(read_address(who.strip()))
    return f"@{read_address(f'anybody@{domain}').rpartition('@')[2]}"
