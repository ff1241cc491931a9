"""What an admin does to an account, with the same functions as the player's own mails."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbmserv.admin.desk import Desk
from pbmserv.boards import closing_accounts
from pbmserv.commands import vacation
from pbmserv.commands.accounts import add_addresses, demand_free, read_address, welcome
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import USERID_LETTERS, is_userid
from pbmserv.inbox.context import Context
from pbmserv.letters.occasions.vacation_letters import runs_again
from pbmserv.letters.site import Site
from pbmserv.letters.text import times
from pbmserv.letters.tournament_letters import write_left
from pbmserv.letters.waiting import bounced_addresses
from pbmserv.model import Address, Player
from pbmserv.model.letters import LetterKind
from pbmserv.model.operations import player_subject
from pbmserv.model.passwords import LOCKED
from pbmserv.store import Store


def add(desk: Desk, userid: str, password_hash: str, addresses: Sequence[str], confirmed: bool) -> Player:
    """Create an account. Its addresses get a confirmation letter, as after `signup`, unless they are `confirmed`."""
    ctx, userid = _trusting(desk, confirmed), userid.lower()
    demand_new(desk, userid)
    player = desk.store.players.add(userid, password_hash, desk.now)
    add_addresses(ctx, player, [read_address(a) for a in addresses])
    desk.note(f"player {userid}: add")
    text = welcome(ctx, player, new=True, added=True)
    desk.ctx.letters.write("answer", desk.ctx.letters.addresses(player), "Welcome", {"text": text})
    return player


def lock(desk: Desk, userid: str) -> None:
    """Lock an account: the player can do nothing, but the boards and their time limits go on."""
    player = desk.player(userid)
    if player.is_locked:
        raise PlayerError(f"The account {player.userid} is locked already.")
    if desk.store.robots.find(player.id):
        raise PlayerError(
            f"{player.userid} is a robot of this server.",
            f"To let it rest, write: pbmserv robots pause {player.userid}",
        )
    desk.store.players.set_lock(player.id, f"{LOCKED}{player.password_hash}")
    desk.note(f"player {player.userid}: lock")


def unlock(desk: Desk, userid: str) -> None:
    """Unlock an account. The player keeps the old password."""
    player = desk.player(userid)
    if not player.is_locked:
        raise PlayerError(f"The account {player.userid} is not locked.")
    desk.store.players.set_lock(player.id, (player.password_hash or "").removeprefix(LOCKED))
    desk.note(f"player {player.userid}: unlock")


def set_password(desk: Desk, userid: str, password_hash: str) -> None:
    """Change a player's password and send the player a letter. A locked account stays locked."""
    player = desk.player(userid)
    if player.is_locked:
        password_hash = f"{LOCKED}{password_hash}"
    desk.store.players.set_password(player.id, password_hash)
    desk.note(f"player {player.userid}: password")
    text = desk.ctx.letters.render("password", player, player=player.userid)
    to = desk.ctx.letters.addresses(player)
    desk.ctx.letters.write("answer", to, "Your password is changed", {"text": text})


def add_address(desk: Desk, userid: str, address: str, confirmed: bool) -> None:
    """Add an address to an account. It gets a confirmation letter, unless it is confirmed or `confirmed` is set."""
    player, address = desk.player(userid), read_address(address)
    before = desk.ctx.letters.addresses(player)
    add_addresses(_trusting(desk, confirmed), player, [address])
    if confirmed:
        _confirm(desk, player, address)
    how = ", confirmed" if confirmed else ""
    desk.note(f"player {player.userid}: address added{how}")  # without the address, which must not remain after `erase`
    tell(desk, player, before, "added", changed=address)


def remove_address(desk: Desk, userid: str, address: str) -> None:
    """Remove an address. The last confirmed one stays until another one is confirmed."""
    player = desk.player(userid)
    addresses = desk.store.addresses.of(player.id)
    if address.casefold() not in {a.address.casefold() for a in addresses}:
        raise PlayerError(f"{player.userid} does not have that address.", f"The addresses are: {_texts(addresses)}")
    before = desk.ctx.letters.addresses(player)
    keep = [a.address for a in addresses if not a.leaving and a.address.casefold() != address.casefold()]
    desk.store.addresses.replace(player.id, keep)
    desk.note(f"player {player.userid}: address removed")
    tell(desk, player, before, "removed", changed=address)


def rename(desk: Desk, old: str, new: str) -> Player:
    """Change a player's userid. The old one stays reserved, because old records name it."""
    player, new = desk.player(old), new.lower()
    demand_new(desk, new)
    desk.store.players.rename(player.id, player.userid, new)
    desk.store.players.add_closed(player.userid, desk.now, player.id)
    desk.note(f"player {player.userid}: rename to {new}")
    desk.note(f"player {new}: rename from {player.userid}")
    renamed = replace(player, userid=new)
    tell(desk, renamed, desk.ctx.letters.addresses(renamed), "renamed", old=player.userid)
    return renamed


def set_vacation(desk: Desk, userid: str, words: Sequence[str]) -> datetime | None:
    """Begin, change or end a vacation, whatever days are left, and return its end. `words`: as in a mail."""
    player = desk.player(userid)
    try:
        end = vacation.read_end(desk.ctx, player, words)
    except PlayerError as error:
        raise PlayerError(error.text, f"For example: pbmserv players vacation {player.userid} 10") from None
    vacation.set_end(desk.ctx, player, end)
    is_away = end > desk.now
    desk.note(f"player {player.userid}: vacation {f'until {end:%Y-%m-%d %H:%M} UTC' if is_away else 'off'}")
    wants = desk.store.players.preferences([player.id])[player.id]
    say, zone = desk.ctx.site.renderer.to(wants.language).say, times.zone(wants.timezone)
    earlier = runs_again(desk.store, player, end.timestamp(), desk.now.timestamp(), zone, say) if is_away else []
    until = say(times.shown(end, zone)) if is_away else ""
    tell(desk, player, desk.ctx.letters.addresses(player), "vacation", until=until, earlier=earlier)
    return end if is_away else None


def erase(desk: Desk, userid: str) -> list[int]:
    """Close an account for good, as `signoff` does. Returns the boards that the player has left."""
    player, letters = desk.player(userid), desk.ctx.letters
    to, language = letters.addresses(player), letters.language(player)
    left = closing_accounts.close(desk.store, player, desk.now)
    write_left(letters, left, player)
    numbers = [x.row.number for x in left.boards]
    desk.note(f"player {player.userid}: erase")
    letters.write(LetterKind.FAREWELL, to, "Goodbye", {"player": player.userid, "boards": numbers}, language=language)
    return numbers


def export(desk: Desk, userid: str) -> dict[str, list[dict[str, object]]]:
    """Return all data about a player, by table. The export is recorded."""
    player = desk.player(userid)
    desk.note(f"player {player.userid}: export")
    return desk.store.players.personal_data(player.id)


def count_subjects(site: Site, store: Store, player: Player) -> list[str]:
    """Return the subjects of all counts of a player: of the account, and of its addresses."""
    addresses = store.addresses.of(player.id)
    return [player_subject(player.id), *dict.fromkeys(site.address_subject(a.address) for a in addresses)]


def lift_counts(desk: Desk, userid: str | None) -> int:
    """Reset the counts of a player, or all counts. Returns how many there were."""
    subjects: list[str] = []
    if userid is not None:
        subjects = count_subjects(desk.ctx.site, desk.store, desk.player(userid))
    desk.note(f"player {userid.lower()}: counts lifted" if userid else "counts: all lifted")
    return desk.store.operations.lift(subjects)


def demand_new(desk: Desk, userid: str) -> None:
    """Raise PlayerError unless a player can have this userid."""
    if not is_userid(userid):
        raise PlayerError(f"A userid has {USERID_LETTERS}, a letter first.", "Choose a different one.")
    demand_free(desk.ctx, userid)
    if desk.store.players.find(userid):
        raise PlayerError(f"The userid {userid} is taken, or was once.", "Choose a different one.")


def _trusting(desk: Desk, confirmed: bool) -> Context:
    """Return the context; with `confirmed`, addresses need no confirmation by the player."""
    ask = desk.ctx.site.policy.confirm_addresses and not confirmed
    policy = replace(desk.ctx.site.policy, confirm_addresses=ask)
    return replace(desk.ctx, site=replace(desk.ctx.site, policy=policy))


def _confirm(desk: Desk, player: Player, address: str) -> None:
    """Confirm an address for its owner. Letters go there from now on, even if it was suspended."""
    own = next(a for a in desk.store.addresses.of(player.id) if a.address.casefold() == address.casefold())
    if not own.confirmed:
        desk.store.addresses.confirm(own.id, desk.now)
    desk.store.addresses.drop_leaving(player.id)
    bounced_addresses.confirmed(desk.store, player.id, own.id, desk.now)


def tell(desk: Desk, player: Player, to: Sequence[str], what: str, **data: object) -> None:
    """Tell a player what an admin has changed: templates/mail/changed.txt."""
    data = {"earlier": (), "player": player.userid, **data}
    text = desk.ctx.letters.render("changed", player, what=what, **data)
    desk.ctx.letters.write("answer", to, "Your account is changed", {"text": text})


def _texts(addresses: Sequence[Address]) -> str:
    return ", ".join(a.address for a in addresses) or "none"
