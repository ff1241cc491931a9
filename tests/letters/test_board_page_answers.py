"""Tap to move: each link opens a mail that does what the link shows."""

import pytest

from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Kind
from pbmserv.letters.pictures.linking.links import mailto_end, mailto_start
from tests.letters.html import Tap, taps
from tests.world import Received, World

VERBS = ("accept", "reject", "propose", "undo", "resign", "decline", "help")


def send(world: World, tap: Tap, sender: str = "alice") -> list[Received]:
    """Tap the link and send the mail unchanged, with the signature that the mail program adds."""
    return world.mail(sender, tap.subject, f"{tap.body}\n-- \nSent with thumbs\n", to=tap.to)


def begin(world: World, *userids: str, game: str, options: str = "") -> dict[str, Received]:
    """Return the first letters of a new board, by userid."""
    world.signup(*(u for u in userids if u not in world.query(lambda s: s.players.userids())))
    return by_reader(world.mail(userids[0], f"{game} challenge {' '.join(userids)} {options}"))


def by_reader(letters: list[Received]) -> dict[str, Received]:
    return {letter.to.partition("@")[0]: letter for letter in letters}


def shown(letter: Received) -> list[str]:
    return [tap.text for tap in taps(letter.html)]


def moves_of(board: Board) -> list[str]:
    """Return the legal moves of the seat that is to move."""
    return sorted(board.game.format(m) for m in board.game.legal_moves(board.position, min(board.to_move)))


def by_move(letter: Received) -> dict[str, Tap]:
    """Return the links by what they write on the first line of the mail, without the verbs."""
    found = {tap.body.removesuffix("\r\n\r\n"): tap for tap in taps(letter.html)}
    return {text: tap for text, tap in found.items() if text not in VERBS}


def board_of(world: World) -> Board:
    row = world.query(lambda s: s.boards.find(101))
    assert row
    return row.board


def last(world: World, number: int = 101) -> tuple[Kind, str]:
    """Return kind and text of the last entry of a board."""
    entry = world.query(lambda s: s.boards.log(number))[-1].entry
    return entry.kind, entry.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "userids", "options"),
    [
        ("threes", ["alice"], ""),
        ("town", ["alice"], ""),
        ("trippples", ["alice", "bob"], ""),
        ("3io", ["alice", "bob"], "-twostep"),
        ("chess", ["alice", "bob"], ""),
    ],
)
def test_every_link_of_few_moves_plays_that_move(world: World, game: str, userids: list[str], options: str) -> None:
    letter = begin(world, *userids, game=game, options=options)["alice"]
    moves = moves_of(board_of(world))
    assert sorted(by_move(letter)) == moves
    for number, move in enumerate(moves[:5], start=101):
        if number > 101:
            letter = begin(world, *userids, game=game, options=options)["alice"]
        tap = by_move(letter).get(move)
        if tap is None:  # another board, on which other squares are free
            continue
        assert (tap.to, tap.subject) == (letter.reply_to, f"Re: {letter.subject}")
        send(world, tap)
        assert last(world, number) == (Kind.MOVE, move)


@pytest.mark.parametrize("left_out", ["", "\r\n"], ids=["as linked", "Thunderbird and Evolution"])
def test_a_comment_below_a_touched_move_arrives(world: World, left_out: str) -> None:
    move, tap = next(iter(by_move(begin(world, "alice", "bob", game="trippples")["alice"]).items()))
    typed = f"{tap.body.removesuffix(left_out)}Have fun!"
    letters = by_reader(world.mail("alice", tap.subject, typed, to=tap.to))
    assert last(world) == (Kind.MOVE, move)
    assert "\n    Have fun!\n" in letters["bob"].text


@pytest.mark.slow
def test_a_game_is_played_by_thumbs_alone(world: World) -> None:
    letters = begin(world, "alice", "bob", game="trippples")
    mover = "alice"
    for ply in range(1, 13):
        move, tap = next(iter(by_move(letters[mover]).items()))
        letters = by_reader(send(world, tap, mover))
        assert last(world) == (Kind.MOVE, move)
        assert board_of(world).ply == ply
        if letters["alice"].first_line.startswith("Board 101 is over"):
            break
        mover = next(u for u in letters if letters[u].first_line.startswith("Your move"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "kind"), [("propose", Kind.PROPOSE), ("resign", Kind.RESIGN), ("decline", Kind.DECLINE)]
)
def test_a_verb_does_what_it_says(world: World, verb: str, kind: Kind) -> None:
    letter = begin(world, "alice", "bob", game="tumble")["alice"]
    send(world, next(tap for tap in taps(letter.html) if tap.text == verb))
    assert last(world)[0] is kind


@pytest.mark.parametrize(("verb", "kind"), [("accept", Kind.ACCEPT), ("reject", Kind.REJECT)])
def test_a_proposal_is_answered_with_a_tap(world: World, verb: str, kind: Kind) -> None:
    begin(world, "alice", "bob", game="tumble")
    letters = by_reader(world.mail("alice", "tumble propose 101 alice alice-secret"))
    assert shown(letters["bob"]) == ["accept", "reject", "resign", "decline"]
    assert shown(letters["alice"])[-3:] == ["reject", "resign", "decline"]
    send(world, next(tap for tap in taps(letters["bob"].html) if tap.text == verb), "bob")
    assert last(world)[0] is kind


def test_a_letter_about_an_own_move_has_nothing_to_tap(world: World) -> None:
    letter = begin(world, "alice", "bob", game="tumble")["alice"]
    letters = by_reader(world.reply(letter, letter.text.rpartition("PASSWORD ")[2].split()[0]))
    assert shown(letters["alice"]) == []
    assert shown(letters["bob"])[-3:] == ["propose", "resign", "decline"]
    world.reply(letters["alice"], "undo")
    assert last(world)[0] is Kind.UNDO


def test_a_board_that_is_over_has_a_rematch_to_tap_and_the_seat_of_who_left(world: World) -> None:
    begin(world, "alice", "bob", game="tumble")
    letters = world.mail("alice", "tumble resign 101 alice alice-secret")
    assert {x.to: shown(x) for x in letters} == {
        "alice@example.org": ["rematch"],
        "bob@example.org": ["rematch", "substitute"],
    }


def test_an_old_link_does_nothing(world: World) -> None:
    tap = taps(begin(world, "alice", game="threes")["alice"].html)[0]
    send(world, tap)
    before = world.dump()
    send(world, tap)
    assert world.dump() == before


def test_whatever_a_link_cannot_hold_is_encoded() -> None:
    start = mailto_start("pbmserv+b101.0.5.abc@games.example", "Re: 3io Board 101 a&b?c")
    assert start + mailto_end("1c3+ 100%") == (
        "mailto:pbmserv%2Bb101.0.5.abc@games.example?subject=Re:%203io%20Board%20101%20a%26b%3Fc"
        "&body=1c3%2B%20100%25%0D%0A%0D%0A"
    )
