"""What stands above a letter: from whom it comes, to whom it goes, what it answers."""

import pytest

from tests.world import Received, World


@pytest.fixture
def tumble(world: World) -> list[Received]:
    """The first letters of board 101, alice to move."""
    return world.once(_begin)


def _begin(world: World) -> list[Received]:
    world.signup("alice", "bob")
    return world.mail("alice", "tumble challenge alice bob -c")


def test_an_answer_refers_to_the_mail_it_answers(world: World, tumble: list[Received]) -> None:
    mine, his = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t", References="<a@b> <c@d>")
    asked = f"<{world.count}@client.example>"
    assert mine.message["In-Reply-To"] == asked
    assert mine.message["References"].split()[-3:] == ["<a@b>", "<c@d>", asked]
    assert mine.message["Auto-Submitted"] == "auto-replied"
    assert his.message["In-Reply-To"] == his.message["References"] == tumble[1].message["Message-ID"]
    assert his.message["Auto-Submitted"] == "auto-generated"


def test_from_and_reply_to(world: World, tumble: list[Received]) -> None:
    for letter in tumble:
        assert letter.message["From"] == "PBM Server <pbmserv@games.example>"
        assert world.site.signer.accepts(str(letter.message["Reply-To"]))
        assert letter.message["To"] == letter.to
        assert len(letter.message["To"].addresses) == 1


def test_two_addresses_are_two_letters(world: World, tumble: list[Received]) -> None:
    world.mail("bob", "signup bob bob-secret bob@elsewhere.example")
    letters = world.reply(tumble[0], "h4-g5t")
    assert [x.to for x in letters] == ["alice@example.org", "bob@example.org", "bob@elsewhere.example"]
    assert letters[1].text == letters[2].text
