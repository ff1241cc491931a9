"""How moves of players compare with those of a judge, on finished boards with a review. Nothing follows from it."""

from pbmserv.boards.ratings.rating_formula import points
from pbmserv.model import Player
from pbmserv.model.rows import Json
from pbmserv.robots.reviewing.review import Review
from pbmserv.store import Store


def fairness(store: Store, player: Player | None) -> list[Json]:
    """Return a row for each player of a reviewed board: accuracy and agreement with the judge, beside the rating."""
    rows = list[Json]()
    for userid, board, game, seat, mu, engines, result in store.reviews.results(player.id if player else None):
        review = Review.of(result)
        rows.append(
            {
                "board": board,
                "game": game,
                "userid": userid,
                "rating": None if mu is None else points(mu),
                "accuracy": _rounded(review.accuracy[seat]),
                "agreement": _rounded(review.agreement[seat], 100),
                "engines": engines or "forbidden",
                "judge": review.judge,
            }
        )
    return rows


def _rounded(value: float | None, scale: int = 1) -> int | None:
    return None if value is None else round(value * scale)
