"""Moves that others must not read: nothing that anybody else gets depends on them before the end.

The same mails are sent to two servers, but on one of them alice hides her fleet elsewhere. Every letter and every page
for the others must be the same, byte for byte.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.seeds import seeds_from
from tests.web.browser import browse
from tests.web.touching import HOME, own_page
from tests.world import Received, World

HERE = "a1-a5 c1-c4 e1-e3 g1-i1 g5-h5"
THERE = "j1-j5 c1-c4 e8-g8 g3-i3 i9-i10"
OTHER = "b10-f10 j1-j4 a7-c7 e7-g7 i9-i10"
#: Shots of bob that tell the same of both fleets.
TELLING_NOTHING = ("c1", "a10", "c2", "c3", "c4")
#: A row of OTHER in a diagram.
BLUE = ". C C C C C . . G ."
#: The IDs of letters follow from the log with a key of the server, so they differ, and tell nobody why. So do receipts,
#: with the secret seed of the board (tests/boards/test_receipts.py).
_IDS = re.compile(
    r"^(?:Message-ID|In-Reply-To|References):.*?(?=^\S)|\bboundary=\S+|^--\S+$|\b[0-9a-f]{64}\b",
    re.MULTILINE | re.DOTALL,
)


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[list[World]]:
    made = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        made.append(World(tmp_path / name))
    yield made
    for world in made:
        world.close()


def plays(world: World, fleet: str, options: str) -> list[Received]:
    """Play until shortly before the end, and return all letters."""
    with seeds_from("hidden moves"):
        world.allow(web_url=HOME)
        world.signup("carol")
        world.signup("alice", "bob")
        begun = world.mail("alice", f"battleship challenge alice bob {options}")
    letters = [*begun, *world.mail("carol", "battleship subscribe 101 carol carol-secret")]
    (oldest,) = (x for x in begun if x.to.startswith("bob"))
    first, *more = fleet.split()
    for sender, subject in (
        ("alice", f"battleship move 101 alice alice-secret {first}"),
        ("bob", "answer"),
        ("bob", "battleship queue 101 bob bob-secret a1-a5:b10-f10"),
        ("bob", "battleship queue 101 bob bob-secret clear"),
        ("alice", f"battleship move 101 alice alice-secret {' '.join(more[:3])}"),
        ("alice", f"battleship submit 101 alice alice-secret {more[3]}"),
        ("bob", f"battleship move 101 bob bob-secret {OTHER}"),
        ("alice", "battleship confirm 101 alice alice-secret"),
        *((who, f"battleship move 101 {who} {who}-secret {shot}") for who, shot in shots(options)),
        ("bob", "battleship move 101 bob bob-secret c1"),
        ("bob", "battleship move 101 bob bob-secret a1-a5"),
        ("bob", "battleship undo 101 bob bob-secret"),
        ("bob", "battleship preview 101 b1"),
        ("carol", "battleship preview 101#2 a1-a5"),
        ("bob", "battleship preview 101#2 a1-a5 --as=bob:bob-secret"),
        ("bob", "battleship fork 101#3 bob alice"),
        ("bob", "battleship show 101 101#2 101#7"),
        ("carol", "battleship record 101"),
        ("bob", "battleship showas bob bob-secret 101"),
        ("bob", "battleship list"),
        ("bob", "set spoken bob bob-secret"),
        ("bob", "battleship showas bob bob-secret 101"),
        ("bob", "battleship chat 101 bob bob-secret --as=x"),
        ("alice", "battleship propose 101 alice alice-secret"),
    ):
        letters += world.reply(oldest, "propose") if subject == "answer" else world.mail(sender, subject)
    return letters


def shots(options: str) -> Iterator[tuple[str, str]]:
    """Who shoots where, alice first; with salvoes all at once."""
    if options:
        yield "alice", "a10 j1 j2 e7 a1"
        yield "bob", " ".join(TELLING_NOTHING)
    else:
        for mine, theirs in zip(("a10", "j1", "j2", "e7", "a1"), TELLING_NOTHING, strict=True):
            yield "alice", mine
            yield "bob", theirs


def public(letter: Received) -> str:
    """Everything that a letter says."""
    message = letter.message
    headers = "".join(f"{k}: {v}\n" for k, v in message.items())
    parts = [part.get_content() for part in message.walk() if not part.is_multipart()]
    return _IDS.sub("", "\n".join([f"{headers}.", *map(str, parts)]))


def seen_on_pages(world: World) -> dict[str, bytes]:
    """All pages for strangers, and bob's own ones."""
    row, found = world.row(), dict[str, bytes]()
    places = ["/", "/boards", "/players/alice", "/players/alice/feed.atom"]
    for ply in ("", *(f"/{ply}" for ply in range(row.board.ply + 1))):
        here = f"/boards/101{ply}"
        places += [here, f"{here}?display=text", f"{here}?display=spoken", f"{here}/picture.svg", f"{here}/picture.png"]
        places += [f"{own_page(world, 101, 'bob')}{ply}"]
    with browse(world) as pages:
        for place in (*places, "/boards/101/feed.atom", "/boards/101/record.json"):
            page = pages.get(place)
            assert page.status_code == 200, place
            found[place] = _IDS.sub("", page.text).encode() if place.endswith(".json") else page.content
    return found


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", "-salvo"])
def test_nothing_that_others_get_depends_on_where_the_ships_are(worlds: list[World], options: str) -> None:
    got = [plays(world, fleet, options) for world, fleet in zip(worlds, (HERE, THERE), strict=True)]
    one, other = ([(x.to, public(x)) for x in letters if not x.to.startswith("alice")] for letters in got)
    assert len(one) > 20
    assert one == other
    assert [public(x) for x in got[0] if x.to.startswith("alice")] != [
        public(x) for x in got[1] if x.to.startswith("alice")
    ], "alice herself sees her ships"
    here, there = map(seen_on_pages, worlds)
    assert [place for place in here if here[place] != there.get(place)] == []
    assert b"ship" in here["/boards/101/record.json"]


@pytest.mark.slow
def test_the_end_tells_all(worlds: list[World]) -> None:
    world, _ = worlds
    plays(world, HERE, "")
    letters = world.mail("bob", "battleship resign 101 bob bob-secret")
    assert {x.to for x in letters} >= {"bob@example.org", "carol@example.org"}
    for letter in letters:
        assert "a1-a5" in letter.text
    with browse(world) as pages:
        assert "a1-a5" in pages.get("/boards/101/record.json").text


@pytest.mark.slow
@pytest.mark.parametrize(
    "end",
    [
        ["bob", "battleship resign 101 bob bob-secret"],
        ["bob", "battleship propose 101 bob bob-secret", "alice", "battleship accept 101 alice alice-secret"],
    ],
)
def test_the_fleets_are_shown_when_no_fleet_is_sunk(worlds: list[World], end: list[str]) -> None:
    world, _ = worlds
    world.allow(web_url=HOME)
    world.signup("alice", "bob", "carol")
    world.mail("alice", "battleship challenge alice bob")
    world.mail("carol", "battleship subscribe 101 carol carol-secret")
    world.mail("alice", f"battleship move 101 alice alice-secret {HERE}")
    letters = world.mail("bob", f"battleship move 101 bob bob-secret {OTHER}")
    pictures = list[str]()
    with browse(world) as pages:
        for over in (False, True):
            if over:
                for sender, subject in zip(end[::2], end[1::2], strict=True):
                    letters = world.mail(sender, subject)
            seen = {x.to.partition("@")[0]: x.text for x in letters}
            assert (BLUE in seen["alice"]) == over
            assert (BLUE in seen["carol"]) == over
            assert (BLUE in pages.get("/boards/101?display=text").text) == over
            assert ("carrier b10 c10" in pages.get("/boards/101?display=spoken").text) == over
            pictures.append(pages.get("/boards/101/picture.svg").text)
    assert len(set(pictures)) == 2


def test_an_answer_to_a_letter_counts_although_the_other_has_placed_ships(worlds: list[World]) -> None:
    world, _ = worlds
    world.signup("alice", "bob")
    letters = world.mail("alice", "battleship challenge alice bob")
    (theirs,) = (x for x in letters if x.to.startswith("bob"))
    assert world.mail("alice", f"battleship move 101 alice alice-secret {HERE.split()[0]}") != []
    letters = world.reply(theirs, OTHER)
    assert world.row().board.to_move == {0}
    assert "nothing was done" not in "".join(x.text for x in letters)
    assert world.row().board.position.placed == (1, 5)


def test_no_letter_tells_of_ships_while_both_place(worlds: list[World]) -> None:
    world, _ = worlds
    world.board("alice", "bob", game="battleship")
    assert [x.to for x in world.mail("alice", "battleship move 101 alice alice-secret a1-a5 c1-c4")] == [
        "alice@example.org"
    ]
    done = world.mail("alice", "battleship move 101 alice alice-secret random")
    assert {x.to for x in done} == {"alice@example.org", "bob@example.org"}, "bob is the only one to place ships now"
