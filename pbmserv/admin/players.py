"""What an admin does to an account, by the functions that the player's own mails use."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbmserv.admin.desk import Desk
from pbmserv.boards import leaving
from pbmserv.boards.news import BoardNews
from pbmserv.boards.queued_moves import play_queued
from pbmserv.commands.accounts import add_addresses, demand_free, read_address, welcome
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import USERID_LETTERS, is_userid
from pbmserv.inbox.context import Context
from pbmserv.letters import undelivered
from pbmserv.letters.board_letters import write_news
from pbmserv.passwords import LOCKED
from pbmserv.store import Address, Player


def add(desk: Desk, userid: str, password_hash: str, addresses: Sequence[str], confirmed: bool) -> Player:
    """Open an account. Its addresses are asked, as after `signup`, unless they are `confirmed`."""
    ctx, userid = _trusting(desk, confirmed), userid.lower()
    _demand_new(desk, userid)
    player = desk.store.players.add(userid, password_hash, desk.now)
    add_addresses(ctx, player, [read_address(a) for a in addresses])
    desk.note(f"player {userid}: add")
    text = welcome(ctx, player, new=True, added=True)
    desk.ctx.letters.write("answer", desk.ctx.letters.addresses(player), "Welcome", {"text": text})
    return player


def lock(desk: Desk, userid: str) -> None:
    """Keep a player from doing anything in his own name; his boards and their clocks go on."""
    player = desk.player(userid)
    if player.is_locked:
        raise PlayerError(f"The account {player.userid} is locked already.")
    desk.store.players.set_password(player.id, f"{LOCKED}{player.password_hash}")
    desk.note(f"player {player.userid}: lock")


def unlock(desk: Desk, userid: str) -> None:
    """Let him in again, with the password that he had."""
    player = desk.player(userid)
    if not player.is_locked:
        raise PlayerError(f"The account {player.userid} is not locked.")
    desk.store.players.set_password(player.id, (player.password_hash or "").removeprefix(LOCKED))
    desk.note(f"player {player.userid}: unlock")


def set_password(desk: Desk, userid: str, password_hash: str) -> None:
    """Give a player another password; a locked account stays locked. His addresses are told."""
    player = desk.player(userid)
    if player.is_locked:
        password_hash = f"{LOCKED}{password_hash}"
    desk.store.players.set_password(player.id, password_hash)
    desk.note(f"player {player.userid}: password")
    text = desk.ctx.letters.render("password", player, player=player.userid)
    to = desk.ctx.letters.addresses(player)
    desk.ctx.letters.write("answer", to, "Your password is changed", {"text": text})


def add_address(desk: Desk, userid: str, address: str, confirmed: bool) -> None:
    """Give a player one more address; its owner is asked, unless it is `confirmed`, or is by this."""
    player, address = desk.player(userid), read_address(address)
    before = desk.ctx.letters.addresses(player)
    add_addresses(_trusting(desk, confirmed), player, [address])
    if confirmed:
        _confirm(desk, player, address)
    how = ", confirmed" if confirmed else ""
    desk.note(f"player {player.userid}: address added{how}")  # not which one: nothing may be left when he is erased
    _tell(desk, player, before, "added", changed=address)


def remove_address(desk: Desk, userid: str, address: str) -> None:
    """Take an address away; the last confirmed one goes when another is confirmed."""
    player = desk.player(userid)
    mine = desk.store.addresses.of(player.id)
    if address.casefold() not in {a.address.casefold() for a in mine}:
        raise PlayerError(f"{player.userid} does not have that address.", f"He has: {_texts(mine)}")
    before = desk.ctx.letters.addresses(player)
    keep = [a.address for a in mine if not a.leaving and a.address.casefold() != address.casefold()]
    desk.store.addresses.replace(player.id, keep)
    desk.note(f"player {player.userid}: address removed")
    _tell(desk, player, before, "removed", changed=address)


def rename(desk: Desk, old: str, new: str) -> Player:
    """Give a player another userid. The old one stays reserved, so that records that name it keep their sense."""
    player, new = desk.player(old), new.lower()
    _demand_new(desk, new)
    desk.store.players.rename(player.id, player.userid, new)
    desk.store.players.add_closed(player.userid, desk.now)
    desk.note(f"player {player.userid}: rename to {new}")
    desk.note(f"player {new}: rename from {player.userid}")
    renamed = replace(player, userid=new)
    _tell(desk, renamed, desk.ctx.letters.addresses(renamed), "renamed", old=player.userid)
    return renamed


def erase(desk: Desk, userid: str) -> list[int]:
    """Close an account for good, as `signoff` does; the boards that its player left."""
    player, letters = desk.player(userid), desk.ctx.letters
    to, language = letters.addresses(player), letters.language(player)
    left = leaving.close(desk.store, player, desk.now)
    for x in left:
        played = play_queued(desk.store, x.row, None, desk.now)
        write_news(letters, BoardNews(played.row, x.since, player, news=played.news))
    numbers = [x.row.number for x in left]
    desk.note(f"player {player.userid}: erase")
    letters.write("farewell", to, "Goodbye", {"player": player.userid, "boards": numbers}, language=language)
    return numbers


def export(desk: Desk, userid: str) -> dict[str, list[dict[str, Any]]]:
    """Everything that is kept about a player, by table. That it was given out is written down."""
    player = desk.player(userid)
    desk.note(f"player {player.userid}: export")
    return desk.store.players.personal_data(player.id)


def _demand_new(desk: Desk, userid: str) -> None:
    """Raise PlayerError unless a player can have this userid."""
    if not is_userid(userid):
        raise PlayerError(f"A userid has {USERID_LETTERS}, a letter first.", "Choose another one.")
    demand_free(desk.ctx, userid)
    if desk.store.players.find(userid):
        raise PlayerError(f"The userid {userid} is taken, or was once.", "Choose another one.")


def _trusting(desk: Desk, confirmed: bool) -> Context:
    """The context in which the admin's word for an address is enough, if he gives it."""
    ask = desk.ctx.site.policy.confirm_addresses and not confirmed
    policy = desk.ctx.site.policy.model_copy(update={"confirm_addresses": ask})
    return replace(desk.ctx, site=replace(desk.ctx.site, policy=policy))


def _confirm(desk: Desk, player: Player, address: str) -> None:
    """Do as if its owner had said yes: letters go there from now on, even if it was suspended."""
    found = next(a for a in desk.store.addresses.of(player.id) if a.address.casefold() == address.casefold())
    if not found.confirmed:
        desk.store.addresses.confirm(found.id, desk.now)
    desk.store.addresses.drop_leaving(player.id)
    undelivered.confirmed(desk.store, player.id, found.id, desk.now)


def _tell(desk: Desk, player: Player, to: Sequence[str], what: str, **data: str) -> None:
    text = desk.ctx.letters.render("changed", player, what=what, player=player.userid, **data)
    desk.ctx.letters.write("answer", to, "Your account is changed", {"text": text})


def _texts(addresses: Sequence[Address]) -> str:
    return ", ".join(a.address for a in addresses) or "none"
