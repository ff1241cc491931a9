"""The `info` of each game is complete and consistent."""

import re
from itertools import pairwise

import pytest

from pbmserv import games
from pbmserv.commands import COMMANDS
from pbmserv.conformance.walks import Setup, Walk, record, setups
from pbmserv.errors import PlayerError
from pbmserv.games.base import OWN, AnyGame, Game
from pbmserv.games.base.board import ENDINGS, Start, begin
from pbmserv.games.base.log import Kind
from pbmserv.games.plugins import overridden
from pbmserv.inbox.command import Scope

LONGEST_NAME = 30
_NAME = re.compile(r"(?=.*[a-z])[a-z0-9_]{2,20}")
_OPTION = re.compile(r"[a-z0-9][a-z0-9_]*")
_HIDING_GAMES = 20  #: how many random games are searched for something hidden


def test_key_and_aliases_are_words_of_the_command_line(game: AnyGame) -> None:
    for name in (game.info.key, *game.info.aliases):
        assert _NAME.fullmatch(name), f"Key and aliases are 2-20 of a-z 0-9 _ with a letter among them: {name!r}"


def test_names_belong_to_one_game_only(game: AnyGame) -> None:
    own = [game.info.key, *game.info.aliases]
    others = {name for g in games.all_games() if g is not game for name in (g.info.key, *g.info.aliases)}
    assert len(set(own)) == len(own), f"The same name twice: {own}"
    assert not others & set(own), f"Another game has this name already: {others & set(own)}"


def test_names_are_no_commands(game: AnyGame) -> None:
    verbs = {name for c in COMMANDS if c.scope is Scope.SERVER for phrase in c.names for name in phrase.split()}
    clashes = verbs & {game.info.key, *game.info.aliases}
    assert not clashes, f"A command of the server has this name: {clashes}"


def test_texts_are_readable(game: AnyGame) -> None:
    info = game.info
    assert 0 < len(info.name) <= LONGEST_NAME, f"A game's name has 1-{LONGEST_NAME} characters: {info.name!r}"
    assert info.credit.strip(), "Say in `credit` whose game this is."
    assert re.fullmatch(r"\S.*\.", info.summary), f"`summary` is one sentence with a full stop: {info.summary!r}"
    explained = [*((o.name, o.text) for o in info.options), *((d.name, d.text) for d in info.displays)]
    for text in (info.name, info.credit, info.summary, *(text for _, text in explained)):
        assert text.isprintable(), f"Not printable: {text!r}"
    for name, text in explained:
        assert text, f"{name!r} needs a text that says what it does."


def test_seats(game: AnyGame) -> None:
    seats = game.info.seats
    assert seats, "`seats` lists the numbers of players that can play."
    assert list(seats) == sorted(set(seats)), f"`seats` is in ascending order, each number once: {seats}"
    assert seats[0] >= 1, f"A board has a seat at least: {seats}"
    for number in seats:
        names = game.seat_names(number)
        assert len(set(names)) == number, f"`seat_names({number})` has to give {number} different names: {names}"
        assert len(game.teams(number)) == number, f"`teams({number})` has to give {number} teams."


def test_the_names_of_the_seats_with_options(game: AnyGame) -> None:
    for setup in setups(game):
        names = game.names_of_seats(dict(setup.options), setup.seats)
        assert len(set(names)) == setup.seats, f"`names_of_seats` has to give {setup.seats} different names: {names}"


def test_options_and_displays(game: AnyGame) -> None:
    options, displays = [o.name for o in game.info.options], [d.name for d in game.info.displays]
    for name in (*options, *displays):
        assert _OPTION.fullmatch(name), f"Options and displays are words of a-z 0-9 _: {name!r}"
    assert len(set(options)) == len(options), f"Two options of one name: {options}"
    assert len(set(displays)) == len(displays), f"Two displays of one name: {displays}"
    assert len(displays) != 1, "One display is no choice: leave `displays` empty."


def test_every_option_can_be_used(game: AnyGame) -> None:
    allowed = {choice for setup in setups(game) for choice in setup.options}
    for option in game.info.options:
        assert not (option.values and option.numbers), f"-{option.name} has values or numbers, not both."
        for value in option.samples:
            assert option.read(value) == value, f"`numbers` of -{option.name} does not read its own number {value}"
            assert (option.name, value) in allowed, f"`check` never allows the option -{option.name} {value}"


def test_the_usual_options_are_options(game: AnyGame) -> None:
    for setup in setups(game):
        usual = game.usual_options(dict(setup.options))
        assert dict(setup.options).items() <= usual.items(), f"`usual_options` drops an option: {setup} became {usual}"
        assert game.usual_options(usual) == usual, f"`usual_options` of its own options are others: {usual}"
        game.check(usual, setup.seats)


def test_every_number_of_seats_can_be_used(game: AnyGame) -> None:
    assert {setup.seats for setup in setups(game)} == set(game.info.seats)
    assert any(not setup.options for setup in setups(game)), "A board without options has to be possible."


def test_other_numbers_of_seats_are_refused(game: AnyGame) -> None:
    for seats in {0, 1, 2, 3, 4, 5, 99} - set(game.info.seats):
        with pytest.raises(PlayerError, match=str(seats)):
            game.check({}, seats)


def test_endings(game: AnyGame) -> None:
    endings = game.info.endings
    assert endings, "`endings` maps each reason of an outcome to a phrase."
    taken = set(endings) & set(ENDINGS) - {"repetition"}  # of this, a game may say how often
    assert not taken, f"These reasons belong to the board: {taken}"
    for phrase in endings.values():
        assert re.fullmatch(r"[^A-Z].*[^.]", phrase), f"A phrase that can follow 'White wins: ', not {phrase!r}"


def test_agreements(game: AnyGame) -> None:
    agreements = game.info.agreements
    assert agreements <= {"draw", "undo"}, f"Seats can agree on a draw and on an undo: {set(agreements)}"
    assert game.info.seats != (1,) or not agreements, "In a solitaire there is nobody to agree with."


def test_the_rules_have_a_version(game: AnyGame) -> None:
    assert game.info.rules >= 1


def test_no_verb_of_the_server_looks_like_a_move(game: AnyGame) -> None:
    for kind in Kind:
        assert not game.is_move(kind.value), f"`pattern` matches {kind.value!r}, which the server understands itself."


def test_only_hidden_games_override_view(game: AnyGame) -> None:
    overrides = type(game).view is not Game.view
    assert overrides or not game.info.hidden, "`info.hidden` is True, but `view` is not overridden: nothing is hidden."
    assert game.info.hidden or not overrides, "`view` is overridden, but `info.hidden` is False."


def test_nothing_final_is_overridden(game: AnyGame) -> None:
    """Then what a variant says counts everywhere: `Chess.can_win` asks its laws, and so does the end."""
    assert not overridden(game), f"{overridden(game)} cannot be overridden: see docs/adding-a-game.md."


def test_a_hidden_game_hides_something(game: AnyGame) -> None:
    if not game.info.hidden:
        pytest.skip("nothing is hidden in this game")
    for luck in range(_HIDING_GAMES):
        setup = setups(game)[luck % len(setups(game))]
        for board in record(game, Walk(game.info.key, setup, luck)).boards:
            if game.view(board.position, None).position != board.position:
                return
    pytest.fail("`info.hidden` is True, but in no random game did `view` hide anything from a spectator.")


def test_a_game_of_chance_draws(game: AnyGame) -> None:
    if not game.info.chance:
        pytest.skip("there is no chance in this game")
    assert any(_draws(game, setup) for setup in setups(game)), (
        "`info.chance` is True, but nothing is drawn in any random game."
    )


def test_an_option_that_shuffles_draws(game: AnyGame) -> None:
    for option in (option for option in game.info.options if option.shuffles):
        shuffled = [setup for setup in setups(game) if option.name in dict(setup.options)]
        assert any(_draws(game, setup) for setup in shuffled), f"-{option.name} shuffles, but nothing is drawn."


def _draws(game: AnyGame, setup: Setup) -> bool:
    one, other = (record(game, Walk(game.info.key, setup, luck)) for luck in (0, 1))
    return one.boards[0].position != other.boards[0].position or any(change.entry.fixed for change in one.changes)


def test_who_moves_first(game: AnyGame) -> None:
    """`info.first` is the seat that moves first, with all options."""
    for setup in setups(game) if game.info.first is not None else ():
        opening = begin(Start(game, dict(setup.options), setup.seats, "0" * 32))
        assert opening.to_move == {game.info.first}, (
            f"`info.first` is {game.info.first}, but {set(opening.to_move)} is to move with {setup}. Let seat 0 begin, "
            f"or set `first=None` if this is not always the same seat."
        )


def test_repetition(game: AnyGame) -> None:
    """`info.repetition` is a number of times from 2 on, in a game for several; or 0 or OWN."""
    times = game.info.repetition
    assert times in (0, OWN) or times > 1, f"A position always stands once, so `info.repetition` cannot be {times}."
    assert times <= 0 or max(game.info.seats) > 1, "A game for one has no draws, so leave out `info.repetition`."


def test_levels_of_robots(game: AnyGame) -> None:
    """There are three levels or five, and a stronger one may look at more positions than a weaker one."""
    nodes = game.info.nodes
    assert len(nodes) in (3, 5), f"There are three levels of robots or five, and not {len(nodes)} as in `info.nodes`."
    assert nodes[0] > 0, f"The weakest level has to look at a position, so `info.nodes` cannot begin with {nodes[0]}."
    rises = all(less < more for less, more in pairwise(nodes))
    assert rises, f"Each level in `info.nodes` needs more than the one before: {nodes}"
    lowest = game.info.lowest_level
    assert lowest in (0, 1), f"Levels begin with 1, or with 0 for beginners: `info.lowest_level` is {lowest}."
    near = game.info.near
    assert len(near) in (0, len(nodes)), f"`info.near` needs one entry for each of {len(nodes)} levels, or none."
