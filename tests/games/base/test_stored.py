"""Positions as JSON: what we convert is what Pydantic would write, and nothing else is read."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from pbmserv import games
from pbmserv.games.base import AnyGame, stored
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.stored import form_of
from tests.examples import examples


@dataclass(frozen=True, slots=True)
class Card:
    """A value in a position."""

    name: str
    worth: int = 1


@dataclass(frozen=True)
class Hands:
    """A position of all kinds of values that we convert."""

    cards: tuple[Card | None, ...]
    pair: tuple[int, str]
    words: tuple[str, ...]
    over: bool
    winner: int | None = None


@dataclass(frozen=True)
class Rare:
    """A position with a type that only Pydantic converts."""

    seen: frozenset[int]


@dataclass(frozen=True)
class Chain:
    """A position with another position inside it."""

    name: str
    before: "Chain | None" = None


@dataclass
class Counted:
    """A position with a field that its constructor does not take."""

    names: tuple[str, ...]
    count: int = field(init=False)

    def __post_init__(self) -> None:
        self.count = len(self.names)


HANDS = st.builds(
    Hands,
    st.lists(st.none() | st.builds(Card, st.text(), st.integers())).map(tuple),
    st.tuples(st.integers(), st.text()),
    st.lists(st.text()).map(tuple),
    st.booleans(),
    st.none() | st.integers(),
)


@pytest.mark.slow
@given(HANDS)
def test_any_position_is_written_as_pydantic_does_and_read_again(position: Hands) -> None:
    form, adapter = form_of(Hands), TypeAdapter(Hands)
    assert form.dump(position) == adapter.dump_json(position).decode()
    assert form.load(form.dump(position)) == position


@pytest.mark.parametrize("game", games.GAMES, ids=lambda game: game.info.key)
@given(data=st.data())
@examples(5, 12)
def test_our_games_are_stored_as_pydantic_did_it(game: AnyGame, data: st.DataObject) -> None:
    adapter = TypeAdapter[Any](game.position_type)
    board = play.begin(Start(game, game.usual_options({}), game.info.seats[0], "seed"))
    for _ in range(12):
        text = game.dump(board.position)
        assert text == adapter.dump_json(board.position).decode()
        assert game.load(text.encode()) == adapter.validate_json(text) == board.position
        if not board.to_move:
            break
        seat = min(board.to_move)
        moves: Sequence[Any] = game.legal_moves(board.position, seat)
        board = play.play(board, seat, game.format(data.draw(st.sampled_from(moves)))).board


@pytest.mark.parametrize("game", games.GAMES, ids=lambda game: game.info.key)
def test_no_game_of_ours_needs_pydantic(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic", None)  # an import fails
    assert form_of(game.position_type)


@pytest.mark.parametrize("position", [Rare(frozenset({3})), Chain("b", Chain("a")), Counted(("x", "y"))])
def test_other_types_are_converted_by_pydantic(position: Rare | Chain | Counted) -> None:
    form = form_of(type(position))
    assert form.load(form.dump(position)) == position


def test_values_that_only_look_like_their_type_are_read_as_pydantic_reads_them() -> None:
    """A game that is not strict wrote them, perhaps with an older release."""
    text = '{"cards": [], "pair": [true, "x"], "words": [], "over": 1}'
    assert form_of(Hands).load(text) == TypeAdapter(Hands).validate_json(text) == Hands((), (1, "x"), (), True)
    sloppy = Hands((), (True, "x"), (), over=1)  # type: ignore[arg-type]
    assert form_of(Hands).load(form_of(Hands).dump(sloppy)) == sloppy


@pytest.mark.parametrize(
    "text",
    [
        "", "[", "null", "[]", "{}", '{"cards": [], "pair": [1, "x"], "words": []}',
        '{"cards": {}, "pair": [1, "x"], "words": [], "over": true}',
        '{"cards": [{"worth": 1}], "pair": [1, "x"], "words": [], "over": true}',
        '{"cards": [], "pair": [1], "words": [], "over": true}',
        '{"cards": [], "pair": [1, "x"], "words": [1], "over": true}',
        '{"cards": [], "pair": [1, "x"], "words": "x", "over": true}',
        '{"cards": [], "pair": ["one", "x"], "words": [], "over": true}',
        '{"cards": [], "pair": [1, "x"], "words": [], "over": 2}',
        '{"cards": [], "pair": [1, "x"], "words": [], "over": true, "winner": "x"}',
    ],
)  # fmt: skip
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - its words are for nobody
        form_of(Hands).load(text)


def test_what_a_newer_program_added_is_ignored_and_defaults_are_filled_in() -> None:
    text = '{"cards": [{"name": "x"}], "pair": [1, "x"], "words": [], "over": false, "later": {}}'
    assert form_of(Hands).load(text) == Hands((Card("x"),), (1, "x"), (), False)


def test_it_is_decided_by_the_type() -> None:
    with pytest.raises(TypeError):
        stored._reader(Rare)
