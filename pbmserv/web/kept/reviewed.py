"""What a review says on the pages of its board."""

from collections.abc import Sequence
from typing import Any

from pbmserv.games import NotInstalled
from pbmserv.games.base.board import Board
from pbmserv.letters.occasions.review_letters import Reviewed, facts_of, moment_facts
from pbmserv.letters.pictures.drawing import Drawing, curve_of, drawing
from pbmserv.letters.text.templates import Renderer
from pbmserv.model import BoardRow
from pbmserv.model.boards import ReviewRow
from pbmserv.robots.reviewing.review import Moment, Review
from pbmserv.store import Store
from pbmserv.web import displays


def done(store: Store, row: BoardRow) -> ReviewRow | None:
    """Return the finished review of a board as it is now; None if there is none."""
    review = store.reviews.find(row.number) if row.board.result and not isinstance(row.game, NotInstalled) else None
    return review if review and review.done and review.is_of(row) else None


def section(renderer: Renderer, row: BoardRow, review: ReviewRow, film: Sequence[Board]) -> dict[str, object]:
    """Return the data of the section of a page. `film`: the board at each ply."""
    reviewed = Reviewed(row, Review.of(review.result or {}), film)
    facts = facts_of(renderer, reviewed)
    moments = [_moment(renderer, reviewed, moment) for moment in reviewed.review.moments]
    dots = [moment.ply + 1 for moment in reviewed.review.moments]
    return facts | {"moments": moments, "curve": curve_of(reviewed.curve, dots) if reviewed.curve else None}


def _moment(renderer: Renderer, reviewed: Reviewed, moment: Moment) -> dict[str, Any]:
    return moment_facts(renderer, reviewed, moment) | {"drawn": _drawn(reviewed, moment), "before_ply": moment.ply}


def _drawn(reviewed: Reviewed, moment: Moment) -> Drawing | None:
    picture = displays.picture(reviewed.film[moment.ply])
    return drawing(reviewed.marked(moment, picture)) if picture else None
