"""What is removed after seven days without a confirmation."""

from datetime import timedelta
from functools import partial

from pbmserv.boards import closing_accounts
from tests.world import Received, World


def _lapse(world: World) -> list[closing_accounts.Left]:
    return world.act(
        partial(closing_accounts.lapse, now=world.now, before=world.now - closing_accounts.CONFIRM_WITHIN)
    ).left.boards


def _question(letters: list[Received]) -> Received:
    [letter] = [x for x in letters if x.subject == "Please confirm your address"]
    return letter


def test_an_account_that_nobody_confirmed_lapses_and_its_userid_is_free(strict_world: World) -> None:
    strict_world.mail("alice", "signup alice alice-secret")
    strict_world.now += timedelta(days=6)
    _lapse(strict_world)
    assert strict_world.query(lambda s: s.players.find("alice")) is not None
    strict_world.now += timedelta(days=2)
    _lapse(strict_world)
    assert strict_world.query(lambda s: s.players.find("alice")) is None
    strict_world.mail("alice", "signup alice other-secret")
    assert strict_world.player("alice").password_hash


def test_a_confirmed_account_never_lapses(strict_world: World) -> None:
    strict_world.reply(_question(strict_world.mail("alice", "signup alice alice-secret")), "yes")
    strict_world.mail("alice", "add alice alice-secret second@example.org")
    strict_world.now += timedelta(days=400)
    _lapse(strict_world)
    player = strict_world.player("alice")
    assert [a.address for a in strict_world.query(lambda s: s.addresses.of(player.id))] == ["alice@example.org"]


def test_a_change_of_address_that_nobody_confirmed_lapses(strict_world: World) -> None:
    strict_world.reply(_question(strict_world.mail("alice", "signup alice alice-secret")), "yes")
    strict_world.mail("alice", "change address alice alice-secret typo@example.org")
    strict_world.now += timedelta(days=8)
    _lapse(strict_world)
    player = strict_world.player("alice")
    [address] = strict_world.query(lambda s: s.addresses.of(player.id))
    assert (address.address, address.leaving) == ("alice@example.org", False)


def test_a_confirmation_that_comes_too_late_says_what_to_do(strict_world: World) -> None:
    question = _question(strict_world.mail("alice", "signup alice alice-secret"))
    strict_world.reply(_question(strict_world.mail("bob", "signup bob bob-secret")), "yes")
    strict_world.now += timedelta(days=8)
    _lapse(strict_world)
    [letter] = strict_world.reply(question, "yes", sender="bob@example.org")
    assert "That confirmation letter is too old." in letter.text
    assert "signup USERID PASSWORD" in letter.text


def test_the_boards_of_a_lapsed_account_are_declined_and_its_userid_stays(strict_world: World) -> None:
    strict_world.reply(_question(strict_world.mail("bob", "signup bob bob-secret")), "yes")
    strict_world.mail("alice", "signup alice alice-secret")
    strict_world.allow(confirm_addresses=False)  # older versions allowed such a board to begin
    strict_world.mail("bob", "tumble challenge bob alice --as=bob:bob-secret")
    strict_world.allow(confirm_addresses=True)
    strict_world.now += timedelta(days=8)
    [left] = _lapse(strict_world)
    assert (left.row.number, left.since, left.player.userid) == (101, 0, "alice")
    assert left.row.board.result is not None
    assert left.row.board.result.reason == "declined"
    assert strict_world.player("alice").password_hash is None
    strict_world.verify()
