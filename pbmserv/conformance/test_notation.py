"""Every notation of every legal move is understood, every other text refused, and each board written for programs."""

import re
from collections.abc import Sequence
from random import Random

import pytest

from pbmserv.conformance.test_random_games import some
from pbmserv.conformance.walks import SEED, PlayedMove, Playthrough, Walk, record, setups, some_walks
from pbmserv.errors import PASSWORD_LENGTH, AmbiguousMove, IllegalMove, MoveError, NotAMove
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.sheet import Facts, Ply, Sheet, formats_of

LONGEST_ERROR = 400  #: characters; an error must not quote a long text in full
ALPHABET = "abcdefghstmw0123456789-+ tTmM#:*.,'\"%{}$\\/\0\t\n\r\x7f\xa0é–—０１ßıſKІ\u200b\u202e\ufeff🎲\ud800"
WHOLE = ("", " ", "-", "--", "pass", "swap", "resign", "a" * 10_000, "9" * 5_000, "1e9", "None", "{{ 7*7 }}", "%s")


@some
def test_every_notation_of_a_legal_move_is_understood(game: AnyGame, part: slice) -> None:
    for turn in _some_turns(game, part):
        for number, move in enumerate(game.legal_moves(turn.before.position, turn.seat)):
            text = game.format(move)
            write = (game.written, game.logged)[number // 4 % 2]
            shown = write(turn.before.position, turn.seat, text)
            written = (text, text.upper(), f" {text} ", shown)[number % 4]
            is_same = game.normalise(written) == game.normalise(text)  # in chess, `bxc3` is a pawn and `Bxc3` a bishop
            if is_same or written == shown:
                assert list(_named(game, turn, written)) == [move], f"{written!r} must name {text!r} and nothing else."


@some
def test_what_is_not_legal_is_never_accepted(game: AnyGame, part: slice) -> None:
    """Try moves from other moments of the game, and legal moves with a small change."""
    random = Random(game.info.key)  # noqa: S311 - junk, not secrets
    turns = _some_turns(game, part)
    pool = sorted({text for turn in turns for text in turn.texts})
    for turn in turns:
        legal = {game.format(move) for move in game.legal_moves(turn.before.position, turn.seat)}
        for text in (*random.sample(pool, min(len(pool), 100)), *(_mutated(random, pool) for _ in range(50))):
            parsed, named = _answer(game, turn.before.position, turn, text), _named(game, turn, text)
            texts = [game.format(move) for move in named]
            assert legal.issuperset(texts), f"`named` takes {text!r} for {texts}, and not all of them are legal."
            if isinstance(parsed, MoveError):
                assert len(named) != 1, f"{text!r} names {texts[0]!r}, but `parse` says: {parsed}"
            else:
                assert parsed in named, f"`parse` takes {text!r} for {parsed!r}, but `named` does not."


def test_junk_gets_an_answer(game: AnyGame) -> None:
    _answer_junk(game, 1_000, some_walks(game)[0], seed=1)


@pytest.mark.slow
def test_much_junk_gets_an_answer(game: AnyGame) -> None:
    _answer_junk(game, 2_500, Walk(game.info.key, setups(game)[0], luck=SEED), seed=SEED)


def _answer_junk(game: AnyGame, count: int, walk: Walk, seed: int) -> None:
    """A text is played, or refused with a helpful PlayerError. A refused text changes nothing."""
    random = Random(seed)  # noqa: S311
    turns = record(game, walk).turns[:50]
    pool = sorted({text for turn in turns for text in turn.texts})
    for number in range(count):
        turn = turns[number % len(turns)]
        text = WHOLE[number] if number < len(WHOLE) else _mutated(random, pool)
        try:
            play.play(turn.before, turn.seat, text)
        except MoveError as refused:
            _check_refusal(refused, text)
    for turn in turns:
        assert game.dump(turn.before.position) == turn.json, "Junk changed a position."


@some
def test_a_refusal_tells_nothing_hidden(game: AnyGame, part: slice) -> None:
    turns = _some_turns(game, part)
    pool = sorted({text for turn in turns for text in turn.texts})
    for turn in turns:
        seen = game.view(turn.before.position, turn.seat).position
        if seen == turn.before.position:  # nothing is hidden from this seat
            continue
        for text in pool[:: max(1, len(pool) // 40)]:
            answers = {repr(_answer(game, position, turn, text)) for position in (seen, turn.before.position)}
            assert len(answers) == 1, f"The answer to {text!r} depends on what the seat cannot see: {answers}"


def _some_turns(game: AnyGame, part: slice) -> Sequence[PlayedMove]:
    """Return the first turn and one in the middle of random games that the checks of test_random_games play, too."""
    games = [record(game, walk).turns for walk in some_walks(game)[part]]
    return [turn for turns in games for turn in turns[:: len(turns) // 2 + 1]]


def _named(game: AnyGame, turn: PlayedMove, text: str) -> Sequence[object]:
    normal = game.normalise(text)
    return game.named(turn.before.position, turn.seat, normal) if game.is_move(normal) else ()


def _answer(game: AnyGame, position: object, turn: PlayedMove, text: str) -> object:
    """Return the move that a text names here, or the error."""
    try:
        return game.parse(position, turn.seat, text)
    except MoveError as refused:
        return refused


def _check_refusal(refused: MoveError, text: str) -> None:
    answer = f"{refused.text} {refused.hint}"
    assert isinstance(refused, NotAMove | IllegalMove | AmbiguousMove), f"Not one of the three answers: {refused!r}"
    assert refused.text.endswith((".", "!", "?")), f"An error is a whole sentence: {refused.text!r}"
    assert refused.hint, f"An error says what to send instead, in `hint`: {refused.text!r}"
    assert len(answer) <= LONGEST_ERROR, f"{len(text)} characters of junk are answered with {len(answer)}."
    if isinstance(refused, NotAMove) and len(text) in PASSWORD_LENGTH:
        assert text not in refused.text, f"{text!r} could be a password and is echoed; use `errors.quote`."


def _mutated(random: Random, pool: Sequence[str]) -> str:
    """Return a move with one to three characters inserted, deleted, swapped or doubled."""
    text = list(random.choice(pool))
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(text) + 1)
        text[at : at + random.randint(0, 2)] = random.choice(([], [random.choice(ALPHABET)], text[at : at + 1] * 2))
    return "".join(text)


LONGEST_LINE = 80  #: characters
NAME = "[a-z]{2,8}"
MEDIA_TYPE = r"[a-z]+/[a-z0-9.+-]+"


@some
def test_each_format_writes_each_board(game: AnyGame, part: slice) -> None:
    if not formats_of(game):
        return
    for walk in some_walks(game)[part]:
        played = record(game, walk)
        last = len(played.turns)
        for number, ply in enumerate(sorted({0, last // 3, last // 2, last})):
            _check_formats(played, ply, resigned=number % 2 == 1)


def _check_formats(played: Playthrough, ply: int, *, resigned: bool) -> None:
    game, board = played.start.game, played.boards[ply]
    if resigned and not board.result:
        board = play.resign(board, min(board.to_move)).board
    players = tuple(f"player-{seat}" for seat in range(board.start.seats))
    plies = tuple(Ply(turn.before.position, turn.seat, turn.change.entry.text) for turn in played.turns[:ply])
    sheet = Sheet(Facts(101, players, "https://pbm.example.org/boards/101", "2026-03-01"), board, plies)
    for form in formats_of(game):
        text = form.write(sheet)
        assert text.endswith("\n"), f"{form.name}: the last line has no end"
        assert text.isascii(), f"{form.name}: not all programs read characters beyond ASCII"
        assert max(map(len, text.splitlines())) <= LONGEST_LINE, f"{form.name}: a line is too long"
        assert all(player in text for player in players), f"{form.name}: a player is missing"


def test_formats_have_names_of_their_own(game: AnyGame) -> None:
    """Players write these names, and `json` is taken."""
    names = [form.name for form in formats_of(game)]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(NAME, name) and name != "json" for name in names)
    assert all(re.fullmatch(MEDIA_TYPE, form.media_type) for form in formats_of(game))
