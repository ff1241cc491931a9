"""Says what can be sent in place of a line that nobody foresaw: on this board, and about what its words are about.

Nothing here plays a move or offers one (ADR 91). A square, a man or a place that a line names gets the moves there, and
a word of a question leads to the answer that has it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise

from pbmserv.boards import ways
from pbmserv.games.base import Seat
from pbmserv.games.base.board import how_to_agree
from pbmserv.games.base.log import Kind
from pbmserv.inbox.command import PASSWORD
from pbmserv.inbox.context import Context
from pbmserv.inbox.lines.agreement import agrees, refuses
from pbmserv.inbox.lines.first_line import LONGEST, bare_words, is_question
from pbmserv.inbox.lines.offers import words_in
from pbmserv.inbox.lines.spellings import legal_move
from pbmserv.inbox.lines.words.comment_words import may_ask
from pbmserv.inbox.lines.words.sentence_words import END_OF_PART, denies
from pbmserv.inbox.refusals.named_moves import EVERY, MOST_NAMED, OF_STATES, TAG, NamedMoves, not_ruled_out
from pbmserv.inbox.refusals.topics import (
    GIVING_UP,
    GOING_ON,
    Topic,
    asks_meaning,
    is_unwilling,
    topics_in,
)
from pbmserv.model import BoardRow

_FEWEST_OF_QUESTION = 5  #: words of a question that is told where its answer may be, whatever else is told
_MOST_WORDS = 40  #: of a line that are looked at
_MOST_PARTS = 30  #: parts of a line, between signs, in which a deed is looked for: a stranger can write 700
_MOST_BELOW = 120  #: characters of a mail that are looked at, if the first line names nothing
_MOST_TOLD = 8  #: if all of them have moves
_YOUR_MOVES = re.compile(r"^Your\b")
_ENDS = {
    "decline": "To end this board, answer decline: nobody loses. To get fewer letters, answer stop.",
    "resign": "To end this board, answer resign. To get fewer letters, answer stop.",
}
_NOT_BESIDE_MOVES = (Topic.END, Topic.GAMES)  #: I played e4 and lost; d4 instead of d3
_OF_RULES = (*OF_STATES, ["can"], ["may"], ["kann"], ["darf"])  #: and of what is allowed
_BOARDS = frozenset(("board", "brett", "partie"))  #: what stands before the number of one
_NO_DENIALS = frozenset(("dead", "nothing"))  #: of stones: nothing dead, count
_PLAYING_ON = frozenset((("play", "on"), ("it", "out")))  #: words side by side
_RESUME = "resume"  #: the move with which both play on


def advice(ctx: Context, row: BoardRow, seat: Seat, line: str, why_not: str = "") -> str:
    """Return sentences about a line that was not understood, each on a line of its own.

    `why_not`: the line is a move, which is not possible for this reason. Then only moves are told that share with it
    the man, the start or the goal; if there are none, those of the squares in the reason.
    """
    words = bare_words(TAG.sub("", line[:LONGEST]))[:_MOST_WORDS]
    if ctx.language_wished(line) in ctx.site.renderer.languages:
        return "To change the language of your letters, answer with its name and nothing else."
    asks, named = is_question(line), list[str]()
    if seat in row.board.to_move and not asks_meaning(line):
        turned = ctx.preferences(row.players[seat]).wants_turned
        moves = NamedMoves(row.board, seat, turned=turned, asks=asks, is_move=bool(why_not))
        spoken, text = not_ruled_out(line[:LONGEST])[:_MOST_WORDS], not_ruled_out(ctx.mail.body[:_MOST_BELOW])
        below = not_ruled_out(ctx.mail.body.strip().partition("\n")[2][:_MOST_BELOW])
        if line.rstrip().endswith("?") or Topic.AWAY in topics_in(words):
            words, spoken, text = map(moves.without_counts, (words, spoken, text))
        named = _of_named(moves, line, spoken, text, why_not)
        if _has_moves(named) and (further := _some(moves.named(moves.cells_in(below)))):
            named = list(dict.fromkeys((*(told for told in named if told != moves.every), *further, moves.every)))
    parts = END_OF_PART.split(line[:LONGEST], _MOST_PARTS)[:_MOST_PARTS]
    resigns = _gives_up(ctx, row, seat, parts, words)
    is_unwelcome = row.board.offer is None and not asks and any(map(is_unwilling, map(bare_words, parts)))
    ends = resigns or is_unwelcome
    topics = [Topic.END] * ends + topics_in([word for word in words if word != row.key], asks=asks)
    topics += [Topic.BOARDS] * _names_board(words, row.number)
    if row.board.result is not None and "another" in words:  # another game?
        topics = [Topic.AGAIN, *(topic for topic in topics if topic is not Topic.GAMES)]
    topics = _topics(line, words, topics, named, asks=asks) or [Topic.MOVES] * (bool(why_not) and not _has_moves(named))
    told = dict.fromkeys(_TOLD[topic](ctx, row, seat) for topic in topics)
    above = _of_resigning(ctx, row, seat) if resigns and not _has_moves(named) else ()
    is_asked = row.board.offer is not None or how_to_agree(row.board)
    asked = () if resigns and not is_asked else _of_proposal(ctx, row, seat, line, words)
    sentences = (*told, *named) if Topic.AWAY in topics else (*named, *told)  # away from the 3rd to the 17th
    is_agreed = row.game.agreeing(row.board.position) in words
    if row.board.offer is None and _has_moves(named) and not is_agreed:  # b7 is dead: that agrees to nothing yet
        sentences, asked = (*sentences, *asked), ()
    return "\n".join(filter(None, (*asked, *above, *sentences)))


def _of_named(moves: NamedMoves, line: str, spoken: Sequence[str], text: Sequence[str], why_not: str) -> list[str]:
    """Return sentences with the moves that a line or the text names, and below them all moves, if they are few.

    A list of some may lead away from what is meant.
    """
    ways = (moves.taken(spoken), moves.foreign(line), moves.named(spoken), moves.named(text))
    named = next((some for way in ways if (some := _some(way))), [])
    if not _has_moves(named):
        named += islice(moves.named(moves.cells_in(bare_words(why_not))), MOST_NAMED)
    has_all = any(told.endswith(moves.every.removeprefix(EVERY)) for told in named)
    return [*named, moves.every] if _has_moves(named) and not has_all else named


def _has_moves(named: Sequence[str]) -> bool:
    """Return whether one of these sentences lists moves."""
    return any(": " in told for told in named)


def _topics(
    line: str, words: Sequence[str], topics: Sequence[Topic], named: Sequence[str], *, asks: bool
) -> list[Topic]:
    """Return what is told beside the moves that a line names; of a question that names nothing, moves and rules."""
    if Topic.AGAIN in topics and any(map(denies, words)):  # no rematch, please
        topics = [Topic.END, *(topic for topic in topics if topic is not Topic.AGAIN)]
    kept = [topic for topic in topics if not _has_moves(named) or topic not in _NOT_BESIDE_MOVES]
    kept = kept or [Topic.MOVES, Topic.RULES] * (not named and asks)
    answers = [Topic.BOARD] * (not _has_moves(named)) + [Topic.RULES]
    kept += [topic for topic in answers if asks and len(words) >= _FEWEST_OF_QUESTION and topic not in kept]
    is_of_rules = asks_meaning(line) or (asks and kept == [Topic.MOVES] and [*words[:1]] in _OF_RULES)
    kept += [Topic.RULES] * (is_of_rules and Topic.RULES not in kept)
    are_told = any(told.startswith(EVERY) for told in named)
    return [topic for topic in kept if not (are_told and topic is Topic.MOVES)]


def _some(sentences: Iterable[str]) -> list[str]:
    """Return few sentences, but all of many that tell moves, with the last one: there stands what somebody decides."""
    told = list(dict.fromkeys(sentences))
    moves = [text for text in told if _YOUR_MOVES.match(text)]
    return [*moves[: _MOST_TOLD - 1], *moves[_MOST_TOLD - 1 :][-1:]] if len(moves) > MOST_NAMED else told[:MOST_NAMED]


def _gives_up(ctx: Context, row: BoardRow, seat: Seat, parts: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether a line wishes to resign, and does not tell others by their name to do so."""
    others = {player.userid.lower() for at, player in enumerate(row.players) if at != seat}
    if any(not others.isdisjoint(spoken) for spoken in map(bare_words, parts) if "resign" in spoken):
        return False
    known = map(ctx.command_language.reply_verbs.get, words)
    deeds = (command for part in dict.fromkeys(parts) for command in words_in(part, ctx.command_language))
    named = (command for command in (*known, *deeds) if command is not None)
    return not GIVING_UP.isdisjoint(words) or any(command.verb == "resign" for command in named)


def advice_on_letters(ctx: Context, userid: str, line: str, first: str = "") -> str:
    """Return sentences on how to get fewer letters, or none, if a line may ask for that; else "".

    `first`: one about the kind of letter.
    """
    if {Topic.END, Topic.LETTERS}.isdisjoint(topics_in(bare_words(line[:LONGEST])[:_MOST_WORDS])):
        return ""
    to = ctx.site.address
    told = (
        first,
        f"To get no reminders and no messages of others, send to {to}: set {userid} {PASSWORD} fewer=on",
        _how_to_close(ctx, userid),
    )
    return "\n".join(filter(None, told))


def _names_board(words: Sequence[str], number: int) -> bool:
    """Return whether words name another board than this one by its number."""
    return any(word in _BOARDS and then.isdecimal() and int(then) != number for word, then in pairwise(words))


def _of_resigning(ctx: Context, row: BoardRow, seat: Seat) -> Iterator[str]:
    """Yield what it means to resign, where there is another way to end the board, which is told below."""
    known, verbs = ways.ways(row, seat, ctx.log(row)), ways.offered(row, seat, ctx.log(row))
    told = ("resign",) if "resign" in known and "decline" in verbs else ()
    yield from (f"{verb}: {ctx.say(known[verb].costs)}" for verb in told)


def _of_proposal(ctx: Context, row: BoardRow, seat: Seat, line: str, words: Sequence[str]) -> Iterator[str]:
    """Yield what each answer to an open proposal means; or that there is none, if the line agrees."""
    if row.board.offer is not None and seat in row.board.to_answer:
        known = ways.ways(row, seat, ctx.log(row))
        verbs = (
            ("reject", "accept")
            if _plays_on(words) or any(word == "decline" or refuses(word) for word in words)
            else ("accept", "reject")
        )
        yield from (f"{verb}: {ctx.say(known[verb].costs)}" for verb in verbs if verb in known)
    elif how := how_to_agree(row.board) if seat in row.board.to_move else "":
        agreeing = row.game.agreeing(row.board.position)
        is_denied = any(_denies(part, agreeing) for part in END_OF_PART.split(line[:LONGEST]))
        yield _of_playing_on(ctx, row, seat) if is_denied or _plays_on(words) else how
    elif agrees(line) and "decline" in ways.offered(row, seat, ctx.log(row)):
        yield "The board has begun, so there is nothing that you need to agree to."


def _denies(part: str, word: str) -> bool:
    """Return whether a part of a sentence has a word behind its denial: I don't want to count."""
    words = bare_words(part)
    before = words[: words.index(word)] if word in words else []
    return any(denies(other) and not may_ask(other) and other not in _NO_DENIALS for other in before)


def _plays_on(words: Sequence[str]) -> bool:
    """Return whether words wish to go on with a game whose end is proposed."""
    return not GOING_ON.isdisjoint(words) or not _PLAYING_ON.isdisjoint(pairwise(words))


def _of_playing_on(ctx: Context, row: BoardRow, seat: Seat) -> str:
    if move := legal_move(_RESUME, row.board, seat):
        return f"To play on, answer {move}."
    can_undo = "undo" in ways.ways(row, seat, ctx.log(row))
    return "To play on, ask for your last move back: answer undo." if can_undo else _of_slips(ctx, row, seat)


def _of_moves(ctx: Context, row: BoardRow, seat: Seat) -> str:
    return "For all moves that you can make now, answer moves." if seat in row.board.to_move else ""


def _of_slips(ctx: Context, row: BoardRow, seat: Seat) -> str:
    if (offer := row.board.offer) is not None and offer.kind is Kind.UNDO:
        is_own = seat not in row.board.to_answer
        asked = "You have asked for your last move back already. To withdraw that, answer reject."
        return asked if is_own else _TOLD[Topic.BOARD](ctx, row, seat)
    can_undo = "undo" in ways.ways(row, seat, ctx.log(row))
    return (
        "To ask for your last move back, answer undo." if can_undo else "You have no move that you could take back now."
    )


def _of_draws(ctx: Context, row: BoardRow, seat: Seat) -> str:
    return "To offer a draw, answer propose." if "propose" in ways.ways(row, seat, ctx.log(row)) else ""


def _of_people(ctx: Context, row: BoardRow, seat: Seat) -> str:
    if max(row.game.info.seats) == 1 or row.key not in {game.info.key for game in ctx.site.games}:
        return _of_games(ctx, row, seat)
    userid = row.players[seat].userid
    return f"To find somebody else to play with, send to {ctx.site.address}: {row.key} seek {userid} {PASSWORD}"


def _of_ratings(ctx: Context, row: BoardRow, seat: Seat) -> str:
    return f"For your ratings, send to {ctx.site.address}: who {row.players[seat].userid}"


def _of_games(ctx: Context, row: BoardRow, seat: Seat) -> str:
    return f"For the other games of this server, send to {ctx.site.address}: games"


def _of_ends(ctx: Context, row: BoardRow, seat: Seat) -> str:
    verbs = ways.offered(row, seat, ctx.log(row))
    how = next((how for verb, how in _ENDS.items() if verb in verbs), "")
    leave = "" if row.tournament is None else how_to_leave(ctx, row.tournament, row.players[seat].userid)
    return f"{how}\n{leave}".strip()


def how_to_leave(ctx: Context, tournament: int, userid: str) -> str:
    """Return the sentence that says how to leave a tournament."""
    return f"To leave the tournament, send to {ctx.site.address}: tournament leave {tournament} {userid} {PASSWORD}"


def _of_trouble(ctx: Context, row: BoardRow, seat: Seat) -> str:
    other = next((player.userid for player in row.players if player != row.players[seat]), "")
    return (
        f"To get no messages and no challenges from a player, send to {ctx.site.address}: "
        f"set {row.players[seat].userid} {PASSWORD} block={other}"
        if other
        else ""
    )


def _of_rematches(ctx: Context, row: BoardRow, seat: Seat) -> str:
    if max(row.game.info.seats) == 1:
        return ""
    is_over = "rematch" in ways.ways(row, seat, ctx.log(row))
    return "To play again, answer rematch." if is_over else "When this board has ended, answer rematch to play again."


def _of_absence(ctx: Context, row: BoardRow, seat: Seat) -> str:
    userid = row.players[seat].userid
    return f"While you are away, for example for ten days, send to {ctx.site.address}: vacation {userid} {PASSWORD} 10"


def _of_passwords(ctx: Context, row: BoardRow, seat: Seat) -> str:
    return f"If you have forgotten your password, send to {ctx.site.address}: forgot {row.players[seat].userid}"


def _of_records(ctx: Context, row: BoardRow, seat: Seat) -> str:
    return f"For the record of this board as a file, send to {ctx.site.address}: {row.key} record {row.number}"


def _of_settings(ctx: Context, row: BoardRow, seat: Seat) -> str:
    userid = row.players[seat].userid
    return f"To read how you can change your letters and boards, send to {ctx.site.address}: set {userid} {PASSWORD}"


def _of_accounts(ctx: Context, row: BoardRow, seat: Seat) -> str:
    return _how_to_close(ctx, row.players[seat].userid)


def _how_to_close(ctx: Context, userid: str) -> str:
    return f"To close your account and get no letters, send to {ctx.site.address}: signoff {userid} {PASSWORD}"


def _of_addresses(ctx: Context, row: BoardRow, seat: Seat) -> str:
    userid = row.players[seat].userid
    return f"To get letters elsewhere, send from there to {ctx.site.address}: change address {userid} {PASSWORD}"


def _of_rules(ctx: Context, row: BoardRow, seat: Seat) -> str:
    return f"For the rules of {row.game.info.name}, and how its moves are written, answer help."


_TOLD: Mapping[Topic, Callable[[Context, BoardRow, Seat], str]] = {
    Topic.PASSWORD: _of_passwords,
    Topic.ACCOUNT: _of_accounts,
    Topic.ADDRESS: _of_addresses,
    Topic.SLIP: _of_slips,
    Topic.DRAW: _of_draws,
    Topic.PEOPLE: _of_people,
    Topic.RATINGS: _of_ratings,
    Topic.GAMES: _of_games,
    Topic.AWAY: _of_absence,
    Topic.END: _of_ends,
    Topic.LETTERS: lambda ctx, row, seat: "To get fewer letters, answer stop.",
    Topic.TROUBLE: _of_trouble,
    Topic.AGAIN: _of_rematches,
    Topic.RECORD: _of_records,
    Topic.SETTINGS: _of_settings,
    Topic.BOARD: lambda ctx, row, seat: "To see the board, its players and the time limits, answer show.",
    Topic.BOARDS: lambda ctx, row, seat: (
        f"This letter is about board {row.number}. To move on another board, answer the letter about that one."
    ),
    Topic.MOVES: _of_moves,
    Topic.RULES: _of_rules,
}
