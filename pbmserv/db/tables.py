"""The tables. SQL statements are in store/; the options of connections are in engines.py."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from pbmserv.points import Score, score_of


class Utc(sa.types.TypeDecorator[datetime]):
    """A datetime with a zone, stored in UTC. SQLite keeps no zone, so it is added when the value is read."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC).replace(tzinfo=None if dialect.name == "sqlite" else UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Points(sa.types.TypeDecorator[Score]):
    """Points of a game, exact to the tenth. SQLite stores whole numbers and fractions in a column of either kind."""

    impl = sa.Numeric(20, 1)
    cache_ok = True

    @property
    def python_type(self) -> type[Score]:
        return Score

    def load_dialect_impl(self, dialect: Dialect) -> sa.types.TypeEngine[Any]:
        return dialect.type_descriptor(sa.BigInteger() if dialect.name == "sqlite" else self.impl_instance)

    def process_bind_param(self, value: Score | None, dialect: Dialect) -> Score | None:
        return None if value is None else score_of(value)

    def process_result_value(self, value: Score | Decimal | None, dialect: Dialect) -> Score | None:
        return None if value is None else score_of(value)


metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: SQLite assigns row numbers only in a column declared INTEGER. They have 64 bits.
Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _sorted_text(length: int) -> sa.types.TypeEngine[str]:
    """Return a type for text by which lists are sorted. PostgreSQL compares it byte by byte, too, not by a locale."""
    return sa.String(length).with_variant(sa.String(length, collation="C"), "postgresql")


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> sa.Index:
    """Return an index of the rows for which `where` holds."""
    return sa.Index(name, *columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def _id(name: str = "id", start: int = 1) -> sa.Column[int]:
    return sa.Column(name, Id, sa.Identity(start=start), primary_key=True)


player = sa.Table(
    "player",
    metadata,
    _id(),
    sa.Column("userid", _sorted_text(20), nullable=False, unique=True),  # lower case
    sa.Column("password_hash", sa.String(200)),
    sa.Column("created", Utc, nullable=False),
    sa.Column("closed", Utc),
    sa.Column("robot", sa.Boolean, nullable=False, default=False),  # a program plays, ours or its owner's
    sa.Column("epoch", sa.Integer),  # how many passwords were set after the first one; None: none
    sa.Column("renamed", Id),  # for a userid that a player had before: the player's account; NULL: it was none
    _partial("ix_player_robot", "userid", where="robot"),
    sqlite_autoincrement=True,
)

address = sa.Table(
    "address",
    metadata,
    _id(),
    sa.Column("player_id", sa.ForeignKey("player.id"), nullable=False),
    sa.Column("address", sa.String(254), nullable=False),
    sa.Column("folded", sa.String(254), nullable=False, index=True),  # compared without case
    sa.Column("created", Utc, nullable=False),
    sa.Column("confirmed", Utc),
    sa.Column("leaving", sa.Boolean, nullable=False),  # removed as soon as another address of the player is confirmed
    sa.Column("bounces", sa.Integer, nullable=False, default=0),  # how many letters in a row came back
    sa.Column("suspended", Utc),  # when too many had come back; no letters go there any more
    sa.Column("away", Utc),  # when the last out-of-office notice came from there
    sa.UniqueConstraint("player_id", "folded"),
    _partial("ix_address_unconfirmed", "created", where="confirmed IS NULL"),
    sqlite_autoincrement=True,  # signed addresses contain the row's number, so it must never be used again
)

preference = sa.Table(
    "preference",
    metadata,
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True),
    sa.Column("game", sa.String(40), primary_key=True),  # "" for the server's own
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
    _partial("ix_preference_broadcasts", "player_id", where="name = 'broadcasts' AND value = 'on'"),
    _partial("ix_preference_puzzle", "player_id", where="name = 'puzzle' AND value <> 'off'"),
)

mail = sa.Table(
    "mail",
    metadata,
    _id(),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),  # the fingerprint of the message
    sa.Column("received", Utc, nullable=False, index=True),
    sa.Column("peer", sa.String(60), nullable=False),
    sa.Column("sender", sa.String(254), nullable=False, index=True),
    sa.Column("message_id", sa.Text, nullable=False),
    sa.Column("status", sa.String(10), nullable=False),  # done, error, silent, refused, shelved, dropped
    sa.Column("calls", sa.Text, nullable=False),  # the command lines without passwords
    sa.Column("problem", sa.Text, nullable=False),  # why it was not read or not run, for the admin
    sa.Column("sealed", sa.LargeBinary),  # the raw bytes, only in quarantine
    _partial("ix_mail_to_forget", "received", where="sender <> '' OR peer <> ''"),
    _partial("ix_mail_shelved", "id", where="status = 'shelved'"),
    sqlite_autoincrement=True,
)

board = sa.Table(
    "board",
    metadata,
    _id("number", start=101),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("seed", sa.String(32), nullable=False),
    # the options as text; each variant has its own high scores
    sa.Column("variant", _sorted_text(200), nullable=False),
    sa.Column("origin", sa.Text),  # the first position of a fork; NULL: the game's own
    sa.Column("rematch_of", Id),  # the board that this one is the rematch of: each has one at most
    sa.Column("continues", Id),  # the board whose game goes on here with a substitute: each goes on once at most
    sa.Column("left_seat", sa.JSON(none_as_null=True)),  # the seat that the substitute took over: model.LeftSeat
    sa.Column("tournament", Id),  # the tournament that it counts for; its pairing says for whom
    sa.Column("settings", sa.JSON, nullable=False),  # rated, nag and forfeit times: model.Settings
    sa.Column("created", Utc, nullable=False),
    # What is fixed when the board begins, as JSON: receipts.py. Its hash is the first receipt. It has the names that
    # players had then.
    sa.Column("beginning", sa.Text, nullable=False),
    sa.Column("over", Utc),
    sa.Column("ending", Id, index=True),  # the number of the ending; ratings follow this order
    # The following columns are a cache of the log. `pbmserv boards verify` checks them.
    sa.Column("changed", Utc, nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("length", sa.Integer, nullable=False),
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("state", sa.JSON, nullable=False),  # open proposal, seats that left, result
    sa.Column("receipt", sa.String(64), nullable=False),  # of the last entry, or of the beginning
    _partial("ix_board_running", "game", "number", where="over IS NULL"),
    _partial("ix_board_rematch_of", "rematch_of", where="rematch_of IS NOT NULL", unique=True),
    _partial("ix_board_continues", "continues", where="continues IS NOT NULL", unique=True),
    _partial("ix_board_ended", "game", "number", where="over IS NOT NULL"),
    sqlite_autoincrement=True,
)

seat = sa.Table(
    "seat",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("player_id", sa.ForeignKey("player.id"), nullable=False),
    sa.Column("to_move", sa.Boolean, nullable=False),  # cache, for the lists
    # Times are in seconds since 1970, so that SQL can add to them. They cannot be computed from the log, because
    # vacations and times when the server was down do not count.
    sa.Column("since", sa.Double),  # from when the turn counts on; in the future during a vacation
    sa.Column("due", sa.Double, index=True),  # when the clock has to handle this seat
    sa.Column("used", sa.Double, nullable=False),  # seconds of the turns before
    sa.Column("nags", sa.Integer, nullable=False),  # in this turn
    sa.Column("nagged", sa.Double),  # how many seconds of the turn had counted at the last of them
    sa.Column("paused", sa.Double),  # the turn's time is stopped until then, because letters come back
    sa.Column("spent", sa.Double, nullable=False, default=0.0),  # seconds of this turn, before `since`
    sa.Column("bank", sa.Double),  # seconds in the bank when the turn began; NULL: the board has no banks
    sa.Column("earned", sa.Integer, nullable=False, default=0),  # the last ply whose move added to the bank
    # days off and time zone of the player when the board began, such as "sat,sun Europe/Berlin"
    sa.Column("rest", sa.String(60), nullable=False, default=""),
    # Once the board is over.
    sa.Column("rank", sa.Integer),
    sa.Column("score", Points),
    sa.Column("mu_before", sa.Double),
    sa.Column("mu_after", sa.Double),
    sa.Index("ix_seat_player_id_board", "player_id", "board"),
    _partial("ix_seat_to_move", "player_id", where="to_move"),
)

robot = sa.Table(  # accounts that this server plays itself
    "robot",
    metadata,
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True),
    sa.Column("game", sa.String(40), nullable=False, index=True),
    sa.Column("level", sa.Integer, nullable=False),
    sa.Column("boards", sa.Integer, nullable=False),  # how many it plays with one player at a time
    sa.Column("paused", sa.Boolean, nullable=False),
    sa.Column("engine", sa.String(40)),  # of the settings, which chooses its moves; NULL: our own search
    sa.Column("elo", sa.Integer),  # how strong the engine plays; NULL: not limited so
    sa.Column("nodes", sa.Integer),  # the same as positions that it looks at
)

thinking = sa.Table(  # turns of robots that a process has taken; when it was killed, others take them after `until`
    "thinking",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("until", sa.Double, nullable=False),
)

entry = sa.Table(
    "entry",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 1, without gaps
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("at", Utc, nullable=False),
    sa.Column("mail_id", sa.ForeignKey("mail.id"), index=True),
    sa.Column("receipt", sa.String(64), nullable=False),  # a hash that contains the one before
    # Computed from the log; stored because letters show it.
    sa.Column("written", sa.Text),  # the move as players of the game write it; NULL: as in `text`
    sa.Column("fixed", sa.Boolean, nullable=False),
    sa.Column("missed", sa.JSON, nullable=False),
    sa.Column("notes", sa.JSON, nullable=False),
)

review = sa.Table(  # what a judge has said of a finished board: server/chores/reviewer.py
    "review",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("length", sa.Integer, nullable=False),  # of the log; of a board that went on, the review is void
    sa.Column("asked", Utc, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),  # those whose players get the letter when it is done
    sa.Column("until", sa.Double, nullable=False),  # a process has it, or it waits, until then; seconds since 1970
    sa.Column("verdicts", sa.JSON, nullable=False),  # the answers of the judge so far, in their order
    sa.Column("done", Utc),
    sa.Column("result", sa.JSON(none_as_null=True)),  # robots/reviewing/review.py: Review
    _partial("ix_review_until", "until", where="done IS NULL"),
)

puzzle = sa.Table(  # a position of a reviewed board with one good move
    "puzzle",
    metadata,
    _id(),
    sa.Column("board", sa.ForeignKey("board.number"), nullable=False),
    sa.Column("ply", sa.Integer, nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("mu", sa.Double, nullable=False),  # how hard it is: a rating, as if it had played against its solvers
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Index("ix_puzzle_game_mu", "game", "mu"),
    sa.UniqueConstraint("board", "ply"),
    sqlite_autoincrement=True,
)

solving = sa.Table(  # a puzzle that a player got
    "solving",
    metadata,
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True),
    sa.Column("puzzle", sa.ForeignKey("puzzle.id"), primary_key=True, index=True),
    sa.Column("sent", Utc, nullable=False),
    sa.Column("answered", Utc),
    sa.Column("solved", sa.Boolean),
    sa.Column("mu", sa.Double, nullable=False),  # the player's rating of puzzles of the game, after the answer
    sa.Column("sigma", sa.Double, nullable=False),
)

rating = sa.Table(  # a cache; `pbmserv ratings rebuild` computes it from the finished boards
    "rating",
    metadata,
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True, index=True),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("boards", sa.Integer, nullable=False),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("drawn", sa.Integer, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
    sa.Column("level", sa.Integer, nullable=False),  # mu, rounded; used to count places
    sa.Index("ix_rating_game_level_mu_player_id", "game", "level", "mu", "player_id"),
)

score = sa.Table(  # high scores of solitaires; a cache of the finished boards, rebuilt with the ratings
    "score",
    metadata,
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("variant", _sorted_text(200), primary_key=True),  # as in `board`
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True, index=True),
    sa.Column("best", Points, nullable=False),
    sa.Column("total", Points, nullable=False),  # of all boards
    sa.Column("boards", sa.Integer, nullable=False),
    sa.Column("level", sa.BigInteger, nullable=False),  # best, rounded
    sa.Index("ix_score_game_variant_level_best_player_id", "game", "variant", "level", "best", "player_id"),
)

level = sa.Table(  # how many players of a list are at each level: store/ratings.py
    "level",
    metadata,
    sa.Column("list", sa.String(10), primary_key=True),  # ratings, scores
    sa.Column("game", sa.String(40), primary_key=True),
    sa.Column("variant", _sorted_text(200), primary_key=True),  # "" for ratings
    sa.Column("level", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("players", sa.Integer, nullable=False),
)

subscription = sa.Table(
    "subscription",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True, index=True),
    sa.Column("end_only", sa.Boolean, nullable=False),
)

seek = sa.Table(
    "seek",
    metadata,
    _id("number"),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("rating_from", sa.Integer),
    sa.Column("rating_to", sa.Integer),
    sa.Column("random", sa.Boolean, nullable=False),
    sa.Column("created", Utc, nullable=False),  # if it is for a seat that somebody left: when that happened
    sa.Column("closed", Utc),  # full, withdrawn or lapsed
    sa.Column("board", sa.ForeignKey("board.number")),  # the board that it started
    sa.Column("continues", Id),  # the board of the seat that it is for: each has one open seek at most
    sa.Column("left_seat", sa.JSON(none_as_null=True)),  # as in `board`
    sa.Column("wanted", Id),  # the player who is asked to take that seat; NULL: anybody can
    _partial("ix_seek_open", "game", "number", where="closed IS NULL"),
    _partial("ix_seek_to_lapse", "created", where="closed IS NULL"),
    _partial("ix_seek_continues", "continues", where="continues IS NOT NULL AND closed IS NULL", unique=True),
    sqlite_autoincrement=True,
)

seeker = sa.Table(
    "seeker",
    metadata,
    sa.Column("seek", sa.ForeignKey("seek.number"), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),  # 0: who began it
    sa.Column("player_id", sa.ForeignKey("player.id"), nullable=False, index=True),
)

queued = sa.Table(  # moves queued for a later turn
    "queued",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column(
        "theirs", sa.String(200), nullable=False
    ),  # play the move only after this move of the opponent; "": always
    sa.Column("mine", sa.String(200), nullable=False),
)

submitted = sa.Table(  # moves that wait for `confirm`
    "submitted",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("length", sa.Integer, nullable=False),  # of the log when they were submitted
    sa.Column("moves", sa.Text, nullable=False),
)

offered = sa.Table(  # what stood beside moves that were offered: it goes with them, if the answer is yes
    "offered",
    metadata,
    sa.Column("board", sa.ForeignKey("board.number"), primary_key=True),
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True, index=True),
    sa.Column("move", sa.String(64), primary_key=True),
    sa.Column("length", sa.Integer, nullable=False),  # of the log when it was offered
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("written", Utc, nullable=False, index=True),
)

tournament = sa.Table(  # all seasons of a tournament
    "tournament",
    metadata,
    _id("number"),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("form", sa.String(10), nullable=False),  # how it is played, such as `league`: tournaments/forms
    # The terms of its boards, as in `board` and `seek`.
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),  # players in a division or group; boards of a match
    sa.Column("rounds", sa.Integer),  # how many rounds, if the form lets the organiser choose
    sa.Column(
        "every", sa.String(10), nullable=False
    ),  # when the next season begins: month; "": there is none, or a week
    sa.Column("robots", sa.Boolean, nullable=False),  # programs can take part
    sa.Column("teams", sa.JSON(none_as_null=True)),  # the names of the two teams of a match
    sa.Column("organiser", sa.ForeignKey("player.id"), index=True),  # NULL: an admin
    sa.Column("created", Utc, nullable=False),
    sa.Column("phase", sa.String(10), nullable=False),  # model.Phase
    sa.Column("entries", sa.Boolean, nullable=False),  # players can enter, as far as the phase allows it
    sa.Column("season", sa.Integer, nullable=False),  # 0 before the first one
    sa.Column("round", sa.Integer, nullable=False),  # of this season
    sa.Column("start", Utc, nullable=False),  # of the next season, or of this one if there is no next
    # Where the organiser lives, and when the first season was to begin: the days of `every` follow from them.
    sa.Column("zone", sa.String(40), nullable=False),
    sa.Column("first", Utc),
    sa.Column("due", Utc),  # when the clock has to look at it; NULL: never again
    sa.Column("steps", sa.Integer, nullable=False),  # how often somebody entered, left or changed places
    sa.Index("ix_tournament_game_number", "game", "number"),
    _partial("ix_tournament_due", "due", where="due IS NOT NULL"),
    sqlite_autoincrement=True,
)

entrant = sa.Table(  # somebody in a season of a tournament; who left a ladder and came back has two rows
    "entrant",
    metadata,
    _id(),
    sa.Column("tournament", sa.ForeignKey("tournament.number"), nullable=False),
    sa.Column("season", sa.Integer, nullable=False),
    sa.Column("player_id", sa.ForeignKey("player.id"), nullable=False, index=True),
    sa.Column("entered", sa.Integer, nullable=False),  # the step of the tournament at which it was
    sa.Column("division", sa.Integer, nullable=False),  # or group; 0: not given yet
    sa.Column("rung", sa.Integer, nullable=False),  # of a ladder, from 1; 0: none
    sa.Column("team", sa.String(40), nullable=False),
    sa.Column("rating", sa.Double, nullable=False),  # when the season began, for seeds
    sa.Column("renews", sa.Boolean, nullable=False),  # takes part in the next season, too
    sa.Column("warned", Utc),  # when a letter told of the first forfeit
    sa.Column("out", sa.String(10), nullable=False),  # how the player left before the end: left, removed, closed; ""
    sa.Column("gone", sa.Integer),  # the step at which the player left
    sa.Column("told", sa.Integer, nullable=False),  # the last round whose letter was written
    sa.Column("place", sa.Integer),  # at the end of the season, in the division
    _partial("ix_entrant_in", "tournament", "season", "player_id", where="out = ''", unique=True),
    sa.Index("ix_entrant_tournament_season_division", "tournament", "season", "division"),
    sa.Index("ix_entrant_tournament_season_rung", "tournament", "season", "rung"),
    sqlite_autoincrement=True,
)

pairing = sa.Table(  # two players of a tournament who meet, or one who has nobody to meet
    "pairing",
    metadata,
    _id(),
    sa.Column("tournament", sa.ForeignKey("tournament.number"), nullable=False),
    sa.Column("season", sa.Integer, nullable=False),
    sa.Column("division", sa.Integer, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),  # in a ladder: the step at which the challenge was
    sa.Column("first", sa.ForeignKey("player.id"), nullable=False),  # has the first seat
    sa.Column("second", sa.ForeignKey("player.id")),  # NULL: a bye
    sa.Column("board", sa.ForeignKey("board.number")),  # NULL until it begins
    # Once it is decided. A cache of the board: `pbmserv boards verify` checks it.
    sa.Column("points", sa.Integer),  # half points of `first`; NULL: not decided, or it counts for nobody
    sa.Column("forfeiter", sa.ForeignKey("player.id")),
    sa.Column("void", sa.Boolean, nullable=False),  # counts for nobody; with a forfeiter: both have forfeited
    sa.Column("decided", Utc),
    sa.Column("step", sa.Integer),  # in a ladder: the step of the tournament at which it was decided
    sa.Index(
        "ix_pairing_tournament_season_division_round_first_second",
        *("tournament", "season", "division", "round", "first", "second"),
        unique=True,
    ),
    sa.Index("ix_pairing_first", "first", "tournament", "season"),
    sa.Index("ix_pairing_second", "second", "tournament", "season"),
    _partial("ix_pairing_board", "board", where="board IS NOT NULL", unique=True),
    _partial("ix_pairing_forfeited", "tournament", "season", where="forfeiter IS NOT NULL"),
    _partial("ix_pairing_undecided", "tournament", "season", "id", where="decided IS NULL"),
    sqlite_autoincrement=True,
)

token = sa.Table(  # one-time secrets that were mailed; only their hashes are stored
    "token",
    metadata,
    _id(),
    sa.Column("purpose", sa.String(20), nullable=False),  # reset, invite
    sa.Column("digest", sa.String(64), nullable=False, unique=True),  # the hash
    sa.Column("player_id", sa.ForeignKey("player.id"), index=True),
    sa.Column("address", sa.String(254), nullable=False, index=True),
    sa.Column("data", sa.JSON, nullable=False),
    sa.Column("created", Utc, nullable=False),
    sa.Column("expires", Utc, nullable=False),
    sa.Column("used", Utc),
    sa.Index("ix_token_purpose_expires", "purpose", "expires"),
    sqlite_autoincrement=True,
)

vacation = sa.Table(
    "vacation",
    metadata,
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True),
    sa.Column("begins", sa.Double, primary_key=True),  # seconds since 1970
    sa.Column("ends", sa.Double, nullable=False),
)

block = sa.Table(
    "block",
    metadata,
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True),
    sa.Column("blocked_id", sa.ForeignKey("player.id"), primary_key=True, index=True),
)

ban = sa.Table(  # whose mails are not read: model/mails.py
    "ban",
    metadata,
    _id(),
    sa.Column("what", sa.String(255), nullable=False, unique=True),  # an address as `mailbox` spells it, or @domain
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("created", Utc, nullable=False),
    sqlite_autoincrement=True,  # counters have the number, so that a new ban is told again
)

counter = sa.Table(  # what was used of an allowance: store/operations.py
    "counter",
    metadata,
    sa.Column("subject", sa.String(80), primary_key=True),  # "player 12", "from 192.0.2.1", "server" …
    sa.Column("what", sa.String(20), primary_key=True),
    sa.Column("used", sa.Integer, nullable=False),
    sa.Column("ends", sa.Double, nullable=False, index=True),  # when the count begins again; seconds since 1970
)

collected = sa.Table(  # board letters that wait for the next digest of their reader
    "collected",
    metadata,
    _id(),
    sa.Column("player_id", sa.ForeignKey("player.id"), nullable=False, index=True),
    sa.Column("board", sa.ForeignKey("board.number"), nullable=False),
    sa.Column("created", Utc, nullable=False),
    sa.Column("by", sa.String(20), nullable=False),  # who wrote the comment
    sa.Column("comment", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)

digest = sa.Table(  # digests that were sent: what an answer to one refers to
    "digest",
    metadata,
    _id(),
    sa.Column("player_id", sa.ForeignKey("player.id"), nullable=False),
    sa.Column("sent", Utc, nullable=False),
    sa.Column("boards", sa.JSON, nullable=False),  # [number, seat, length of the log then]
    sa.Index("ix_digest_player_id_sent", "player_id", "sent"),
    sqlite_autoincrement=True,
)

event = sa.Table(  # what admins did
    "event",
    metadata,
    _id(),
    sa.Column("at", Utc, nullable=False, index=True),
    sa.Column("who", sa.String(80), nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)


fact = sa.Table(  # single values, such as when the clock ran last
    "fact",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

mailbox = sa.Table(  # mailboxes from which mails are fetched, and how far: server/fetcher.py
    "mailbox",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),  # user@host/folder
    sa.Column("validity", sa.BigInteger, nullable=False),  # the UIDVALIDITY of the folder; 0: it was never reached
    sa.Column("uid", sa.BigInteger, nullable=False),  # mails up to this UID are done, or were there before us
    sa.Column("since", Utc),  # when the newest mail came that was there before us
    sa.Column("old", sa.Integer, nullable=False),  # how many were there before us, and are left alone
    sa.Column("old_upto", sa.BigInteger),  # mails up to this UID were asked for; all others go first
    sa.Column("looked", Utc),  # the last success
    sa.Column("heard", Utc),  # when the last mail came, or the first success
    sa.Column("trouble", sa.Text, nullable=False),  # why it cannot be used now; "" if it can
)

fetched = sa.Table(  # fetched mails that are committed, but perhaps not yet moved; and what posts proved themselves by
    "fetched",
    metadata,
    sa.Column("mailbox", sa.Text, primary_key=True),
    sa.Column("validity", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("uid", sa.BigInteger, primary_key=True, autoincrement=False),
)

login = sa.Table(  # logins by OAuth2: server/logins/tokens.py
    "login",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),  # the user
    sa.Column("sealed", sa.LargeBinary, nullable=False),  # the tokens, encrypted
    sa.Column("renewed", Utc, nullable=False),  # when they came
    sa.Column("expires", Utc, nullable=False),  # until when the token for connections is valid
    sa.Column("trouble", sa.Text, nullable=False),  # why somebody must log in again; "" if nobody must
)

outbox = sa.Table(
    "outbox",
    metadata,
    _id(),
    sa.Column("mail_id", sa.ForeignKey("mail.id"), index=True),  # the mail that caused it, if one did
    sa.Column("board", sa.ForeignKey("board.number"), index=True),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("recipient", sa.String(254), nullable=False),
    sa.Column("form", sa.String(10), nullable=False),  # of the data: model.letters.Form
    sa.Column("data", sa.LargeBinary, nullable=False),
    sa.Column("created", Utc, nullable=False),
    sa.Column("status", sa.String(10), nullable=False),  # queued, sent, refused, bounced, held, dropped
    sa.Column("due", Utc, nullable=False),  # a queued letter is not sent before this time; leases and retries move it
    sa.Column("leased", sa.Boolean, nullable=False),  # a sender has leased it until `due`
    sa.Column("slot", sa.Integer),  # on SQLite: which sender has leased it, or did so last
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("finished", Utc),
    sa.Column("receipt", sa.Text, nullable=False),  # the relay's last answer
    sa.Column("webhook", Id),  # the player whose webhook gets this event; None: it is a letter
    _partial("ix_outbox_webhook", "webhook", where="webhook IS NOT NULL"),
    _partial("ix_outbox_queue", "id", "due", where="status = 'queued'"),
    _partial("ix_outbox_line", "board", "recipient", "id", where="status = 'queued'"),
    _partial("ix_outbox_finished", "finished", where="finished IS NOT NULL"),
    sa.Index("ix_outbox_recipient_created", "recipient", "created"),
    sqlite_autoincrement=True,
)

#: Where players get events by HTTPS. It has no secret that its reader could use: `sealed` is the encrypted URL.
webhook = sa.Table(
    "webhook",
    metadata,
    sa.Column("player_id", sa.ForeignKey("player.id"), primary_key=True),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("form", sa.String(10), nullable=False),  # json, discord, matrix
    sa.Column("nonce", sa.BigInteger, nullable=False),  # a random number in the code and in the secret
    sa.Column("state", sa.String(10), nullable=False),  # asked, on, suspended
    sa.Column("since", Utc, nullable=False),
    sa.Column("failures", sa.Integer, nullable=False),  # in a row
)
