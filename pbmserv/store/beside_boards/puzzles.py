"""Puzzles from reviewed boards: who wants one a day, which one is next, and how they were solved."""

from collections.abc import Iterable
from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.model import Rating
from pbmserv.model.boards import PuzzleRow, Solving
from pbmserv.model.preferences import Preferences

_P, _S = tables.puzzle.c, tables.solving.c
#: Literals instead of parameters, because otherwise the database would not use the partial index.
_WANTS: sa.ColumnElement[bool] = sa.literal_column("preference.name = 'puzzle' AND preference.value <> 'off'")


class PuzzleQueries(Queries):
    """Queries about puzzles."""

    def add(self, board: int, plies: Iterable[int], game: str, rating: Rating) -> None:
        """Make puzzles of positions of a board, unless they are some already."""
        for ply in plies:
            new = self._insert(tables.puzzle).values(board=board, ply=ply, game=game, mu=rating.mu, sigma=rating.sigma)
            self._c.execute(new.on_conflict_do_nothing(index_elements=["board", "ply"]))

    def wanting(self, since: datetime) -> list[tuple[int, str]]:
        """Return the players who want a puzzle and got none since then, each with the game."""
        w = tables.preference.c
        wish = sa.select(w.player_id, w.value).join(tables.player, tables.player.c.id == w.player_id)
        wish = wish.where(w.game == "", _WANTS)
        late = ~sa.exists().where(_S.player_id == w.player_id, _S.sent > since)
        rows = self._c.execute(wish.where(tables.player.c.password_hash.is_not(None), late).order_by(w.player_id))
        return [(int(row[0]), str(row[1])) for row in rows]

    def next_for(self, player_id: int, game: str, mu: float) -> PuzzleRow | None:
        """Return the puzzle nearest to a rating that a player has not had: of boards whose players all lend them."""
        seat, w, robot = tables.seat.c, tables.preference.c, tables.robot.c
        lends = sa.exists().where(
            w.player_id == seat.player_id, w.game == "", w.name == Preferences.lends_boards.name, w.value == "on"
        )
        ours = sa.exists().where(robot.player_id == seat.player_id)
        keeps = sa.exists().where(seat.board == _P.board, sa.or_(seat.player_id == player_id, ~sa.or_(lends, ours)))
        had = sa.exists().where(_S.player_id == player_id, _S.puzzle == _P.id)
        query = sa.select(tables.puzzle).where(_P.game == game, ~keeps, ~had)
        row = self._c.execute(query.order_by(sa.func.abs(_P.mu - mu), _P.id).limit(1)).first()
        return PuzzleRow(*row) if row else None

    def find(self, puzzle_id: int) -> PuzzleRow | None:
        """Return a puzzle."""
        row = self._c.execute(self._locked(sa.select(tables.puzzle).where(_P.id == puzzle_id))).first()
        return PuzzleRow(*row) if row else None

    def rating(self, player_id: int, game: str, usual: Rating) -> Rating:
        """Return a player's rating of puzzles of a game; `usual`: that of who has not answered any."""
        query = sa.select(_S.mu, _S.sigma).join(tables.puzzle, _P.id == _S.puzzle)
        answered = query.where(_S.player_id == player_id, _P.game == game, _S.answered.is_not(None))
        row = self._c.execute(answered.order_by(_S.answered.desc(), _S.puzzle.desc()).limit(1)).first()
        return Rating(*row) if row else usual

    def send(self, player_id: int, puzzle_id: int, rating: Rating, now: datetime) -> None:
        """Store that a player gets a puzzle."""
        values = {"sent": now, "mu": rating.mu, "sigma": rating.sigma}
        self._c.execute(sa.insert(tables.solving).values(player_id=player_id, puzzle=puzzle_id, **values))

    def solving(self, player_id: int, puzzle_id: int) -> Solving | None:
        """Return how a player has solved a puzzle; None if the player never got it."""
        query = sa.select(_S.solved, _S.mu, _S.sigma).where(_S.player_id == player_id, _S.puzzle == puzzle_id)
        row = self._c.execute(self._locked(query)).first()
        return Solving(row[0], Rating(row[1], row[2])) if row else None

    def answer(
        self, player_id: int, puzzle: PuzzleRow, ratings: tuple[Rating, Rating], *, solved: bool, now: datetime
    ) -> None:
        """Store an answer, and the ratings of the player and of the puzzle after it."""
        own, its = ratings
        done = {"answered": now, "solved": solved, "mu": own.mu, "sigma": own.sigma}
        keys = (_S.player_id == player_id, _S.puzzle == puzzle.id)
        self._c.execute(sa.update(tables.solving).where(*keys).values(done))
        self._c.execute(sa.update(tables.puzzle).where(_P.id == puzzle.id).values(mu=its.mu, sigma=its.sigma))
