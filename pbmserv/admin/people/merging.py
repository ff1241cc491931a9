"""Merges two accounts of one person."""

from pbmserv import games
from pbmserv.admin.desk import Desk
from pbmserv.admin.people.players import tell
from pbmserv.boards.ratings import recounting
from pbmserv.commands import vacation
from pbmserv.errors import PlayerError
from pbmserv.letters.text.times import from_seconds
from pbmserv.model import Player


def merge(desk: Desk, userid: str, into: str) -> Player:
    """Give all of an account to another one: boards, ratings, tournaments, addresses. Return the one that goes on.

    The password and the settings of that one stay, and the other userid becomes an old name of it. Raises PlayerError
    if one person would have played with themselves.
    """
    gone, kept = desk.player(userid), desk.player(into)
    store = desk.store
    for player in (gone, kept):  # boards before accounts, as all do
        store.boards.lock_running(player.id)
    for player in sorted((gone, kept), key=lambda p: p.id):
        store.players.lock(player.id)
    _demand_two_of_one(desk, gone, kept)
    store.players.rename_elsewhere(gone.id, gone.userid, kept.userid)
    store.players.withdraw_seeks(gone.id, desk.now)
    store.letters.drop_events(gone.id, f"merged into {kept.userid}", desk.now)
    vacation.set_end(desk.ctx, gone, desk.now)  # its days count as taken, and its boards run
    rated = store.two_accounts.games_of(gone)
    store.two_accounts.merge(gone, kept, desk.now)
    for running in [v for v in store.players.vacations(kept.id) if v.ends > desk.now.timestamp()]:
        vacation.set_end(desk.ctx, kept, from_seconds(running.ends))  # its new boards rest, too
    store.ratings.remake_scores()
    recounting.recount(store, rated)
    desk.note(f"player {gone.userid}: merge into {kept.userid}")
    desk.note(f"player {kept.userid}: merge with {gone.userid}")
    tell(desk, kept, desk.ctx.letters.addresses(kept), "merged", old=gone.userid, why=desk.admin.why)
    return kept


def _demand_two_of_one(desk: Desk, gone: Player, kept: Player) -> None:
    names, close = f"{gone.userid} and {kept.userid}", f"Close one of them: pbmserv players erase {gone.userid}"
    if gone.id == kept.id:
        raise PlayerError(f"{gone.userid} is one account.")
    if gone.robot or kept.robot:
        raise PlayerError("Accounts that a program plays cannot be merged.", close)
    if boards := desk.store.two_accounts.boards_of_both(gone, kept):
        told = ", ".join(map(str, boards))
        raise PlayerError(f"{names} have played with each other, on board {told}: a log has each seat's player.", close)
    if tournaments := desk.store.two_accounts.tournaments_of_both(gone, kept):
        told = ", ".join(map(str, tournaments))
        raise PlayerError(f"{names} are both in tournament {told}, and a player has one place there.", close)
    if missing := desk.store.two_accounts.games_of(gone) - {g.info.key for g in games.all_games()}:
        told = ", ".join(sorted(missing))
        raise PlayerError(f"{told} is not installed, so its ratings cannot be counted again.", "Install it first.")
