"""The headers of a letter: from whom it comes, to whom it goes, and how it hangs in its thread (RFC 5322 §3.6.4)."""

from datetime import timedelta

import pytest

from pbmserv.server.clock import Clock
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


def references(letter: Received) -> list[str]:
    return str(letter.message["References"] or "").split()


def id_of(letter: Received) -> str:
    return str(letter.message["Message-ID"])


def answer(world: World, letter: Received, words: str) -> list[Received]:
    """Answer as a mail program does: its References are the letter's, and the letter."""
    known = [*references(letter), id_of(letter)]
    return world.mail(
        letter.to,
        f"Re: {letter.subject}",
        words,
        to=letter.reply_to,
        In_Reply_To=id_of(letter),
        References=" ".join(known),
    )


def test_a_whole_board_is_one_thread_with_one_subject_for_each_reader(world: World) -> None:
    world.signup("alice", "bob")
    letters = world.mail("alice", "tumble challenge alice bob -c")
    roots = {letter.to: id_of(letter) for letter in letters}
    latest = {letter.to: letter for letter in letters}
    for turn, move in enumerate(["h4-g5t", "a5-b4t", "h3-g4", "b6-c5"]):
        reader = ("alice@example.org", "bob@example.org")[turn % 2]
        known = [*references(latest[reader]), id_of(latest[reader])]
        letters = answer(world, latest[reader], move)
        assert len(letters) == 2
        for letter in letters:
            mine = letter.to == reader
            asked = f"<{world.count}@client.example>"
            assert str(letter.message["In-Reply-To"]) == (asked if mine else roots[letter.to])
            assert references(letter) == ([*known, asked] if mine else [roots[letter.to]])
            assert letter.subject == f"Tumble Board 101 {letter.to.partition('@')[0]}"
            latest[letter.to] = letter


def test_a_move_in_a_mail_of_its_own_stays_in_the_thread(world: World) -> None:
    world.signup("alice", "bob")
    root = id_of(world.mail("alice", "tumble challenge alice bob -c")[0])
    letter = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")[0]
    assert references(letter) == [root, f"<{world.count}@client.example>"]
    assert str(letter.message["In-Reply-To"]) == f"<{world.count}@client.example>"


def test_no_two_letters_have_the_same_id(world: World) -> None:
    """A nag before the first move stands where the first letter stood, but it is another one."""
    world.signup("alice", "bob")
    letters = world.mail("alice", "tumble challenge alice bob -c")
    world.now += timedelta(days=8)
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    nags = world.letters()
    assert [nag.first_line for nag in nags] == ["It is your turn, alice: ply 1."]
    ids = [id_of(letter) for letter in (*letters, *nags)]
    assert len(set(ids)) == 3
    assert references(nags[0]) == ids[:1]


def test_references_do_not_grow_without_end(world: World) -> None:
    world.signup("alice")
    (letter,) = world.mail("alice", "threes challenge alice")
    root = id_of(letter)
    for _ in range(20):
        (letter,) = answer(world, letter, letter.text.rpartition("PASSWORD ")[2].strip())
    assert len(references(letter)) <= 14
    assert references(letter)[0] == root
