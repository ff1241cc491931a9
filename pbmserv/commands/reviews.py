"""`review`: what was good and what was wrong in a finished game. Robots judge it when they have nothing else to do."""

from collections.abc import Iterable
from itertools import islice

from pbmserv.boards.ways import demand_reviewable, is_reviewable
from pbmserv.errors import PlayerError
from pbmserv.games import demand_installed
from pbmserv.games.base import AnyGame
from pbmserv.games.base.board import film
from pbmserv.games.base.repetition import key_of
from pbmserv.inbox.command import AS, BOARD, Call, Scope
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.letters.occasions.review_letters import Reviewed, page_of
from pbmserv.model import BoardRow, Player
from pbmserv.model.boards import BoardState, ReviewRow
from pbmserv.robots.reviewing.review import Review
from pbmserv.store import Store
from pbmserv.tournaments.forms import LADDER

_A_DAY = 1  #: new reviews for a player
_LIMIT = "You have asked for a review today already."


def review(ctx: Context, call: Call) -> Answer:
    """`game review board`: what decided a finished board. The answer comes as a letter when it is done."""
    player = ctx.authentication.sender_player(call)
    row = ctx.row(call, call.values["board"])
    _demand_own(ctx, row, player)
    demand_installed(row.game)
    demand_reviewable(row)
    known = ctx.store.reviews.find(row.number, lock=True)
    if known is None or not known.is_of(row):
        ctx.spend(player, "review", _A_DAY, _LIMIT)
        ctx.store.reviews.ask(row.number, row.board.length, row.seats_of(player)[:1], ctx.now)
    elif known.result is not None:
        return _again(ctx, row, known, player)
    elif not set(known.seats) & set(row.seats_of(player)):
        ctx.store.reviews.add_reader(known, row.seats_of(player)[0])
    return Answer(_told(ctx, row), subject=row.title)


REVIEW = Command(
    "review",
    "Looks for what decided a finished board of yours: how well each side played, who stood better when, and the three "
    "moves that changed most, with better ones. The answer comes as a letter when it is done.",
    review,
    scope=Scope.GAME,
    args=(BOARD,),
    settings=(AS,),
    reply=True,
    synonyms=("analyse", "analyze", "analysis", "analysieren", "analyse der partie"),
    usable=lambda on: on.plays() and on.row is not None and is_reviewable(on.row),
    example="{game} review {board}",
    second="{game} review 102",
    more="The easiest way is to answer the last letter of a board with the word review. You can ask for one new review "
    "a day. Robots judge boards when they have no move to make, so it can take some hours.\n"
    "A board of a tournament is reviewed when its season is over. If you play another board with the same players, and "
    "it stands as this one did, the review waits until it stands otherwise.",
)


def obstacle(store: Store, row: BoardRow) -> str:
    """Return why the review of a board has to wait, because it would help somebody in a game; "" if it need not."""
    if row.tournament is not None:
        tournament, pairing = store.tournaments.find(row.tournament), store.tournaments.pairing_of(row.number)
        is_season = tournament and pairing and tournament.has_begun and tournament.season == pairing.season
        if tournament and is_season and tournament.plan.form != LADDER:  # a ladder has no end
            return f"Board {row.number} belongs to a tournament that is not over."
    if other := _same_position(store, row):
        return f"Board {other} stands as board {row.number} did."
    return ""


def _same_position(store: Store, row: BoardRow) -> int | None:
    """Return a running board of the same players that stands as this one once did, after its first move."""
    ids = {p.id for p in row.players}
    listed = store.board_lists.search(game=row.key, player_ids=sorted(ids), state=BoardState.ACTIVE)
    numbers = [board.number for board in listed if set(board.player_ids) == ids]
    if not numbers:
        return None
    stood = set(_keys(store, row))
    others = store.boards.find_many(numbers).values()
    return next((o.number for o in others if not o.board.waits and _key(o.game, o.board.position) in stood), None)


def _keys(store: Store, row: BoardRow) -> Iterable[str]:
    start = row.board.start
    boards = film(start, store.boards.entries(row.number)[: row.board.length])
    return (_key(row.game, board.position) for board in islice(boards, 0 if start.origin else 1, None))


def _key(game: AnyGame, position: object) -> str:
    return key_of(game, position)


def _demand_own(ctx: Context, row: BoardRow, player: Player) -> None:
    if not row.seats_of(player):
        names = " and ".join(p.userid for p in row.players)
        raise PlayerError(f"{player.userid} does not play on board {row.number}. Its players are: {names}.")


def _told(ctx: Context, row: BoardRow) -> str:
    """Return what a player reads whose review is not done yet."""
    asked, why = f"The review of board {row.number} is asked for.", obstacle(ctx.store, row)
    return " ".join(ctx.say(sentence) for sentence in ([asked, why, _LATER] if why else [asked, _SOON]))


_SOON = "It comes as a letter when it is done: robots judge boards when they have no move to make."
_LATER = "The review comes when that has changed."


def _again(ctx: Context, row: BoardRow, known: ReviewRow, player: Player) -> Answer:
    """Show a review that is done."""
    ctx.budget.page(row)
    boards = [ctx.at(row, ply) for ply in range(row.board.ply + 1)]
    reviewed = Reviewed(row, Review.of(known.result or {}), boards)
    words = ctx.render("review", **page_of(ctx.renderer, reviewed, ctx.preferences(player), row.seats_of(player)[0]))
    ctx.budget.write(len(words.text))
    return Answer(words, subject=f"Review of board {row.number}")
