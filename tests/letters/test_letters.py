"""The headers of a letter: sender, recipient, and its place in the thread (RFC 5322 §3.6.4)."""

from datetime import timedelta

import pytest

from pbmserv.server.clock import Clock
from tests.world import Received, World


@pytest.fixture
def tumble(world: World) -> list[Received]:
    """Return the first letters of board 101, with alice to move."""
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


@pytest.mark.slow
def test_the_last_line_of_a_letter_is_its_own(world: World, tumble: list[Received]) -> None:
    """Programs fold what ends as an earlier letter did: moves, chat, errors, ends and reminders all differ."""
    mine, his = world.reply(tumble[0], "h4-g5t")
    assert mine.text.endswith("\n\nBoard 101 after ply 1: 1 March 2026, 12:00:01 UTC\n")
    letters = [*tumble, mine, his]
    for words in ("chat\n\nHello!", "nonsense", "nonsense", "resign", "rematch"):
        letters += world.reply(letters[-1] if words == "rematch" else his, words)
    world.now += timedelta(days=8)
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    for userid, least in (("alice", 3), ("bob", 6)):
        lasts = [x.text.rsplit("\n\n", 1)[1] for x in [*letters, *world.letters()] if x.to == f"{userid}@example.org"]
        assert len(set(lasts)) == len(lasts) >= least


def references(letter: Received) -> list[str]:
    return str(letter.message["References"] or "").split()


def id_of(letter: Received) -> str:
    return str(letter.message["Message-ID"])


def answer(world: World, letter: Received, words: str) -> list[Received]:
    """Answer as a mail program does: References are those of the letter, followed by the letter's own ID."""
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
            before = id_of(latest[letter.to])
            assert str(letter.message["In-Reply-To"]) == (asked if mine else before)
            if mine:
                assert references(letter) == [*known, asked]
            else:
                assert (references(letter)[0], references(letter)[-1]) == (roots[letter.to], before)
            assert letter.subject == f"Tumble Board 101 {letter.to.partition('@')[0]}"
            latest[letter.to] = letter


def test_a_move_in_a_mail_of_its_own_stays_in_the_thread(world: World) -> None:
    world.signup("alice", "bob")
    root = id_of(world.mail("alice", "tumble challenge alice bob -c")[0])
    letter = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")[0]
    assert references(letter) == [root, f"<{world.count}@client.example>"]
    assert str(letter.message["In-Reply-To"]) == f"<{world.count}@client.example>"


def test_no_two_letters_have_the_same_id(world: World) -> None:
    """A reminder before the first move has the same number of entries as the first letter, but another ID."""
    world.signup("alice", "bob")
    letters = world.mail("alice", "tumble challenge alice bob -c")
    world.now += timedelta(days=8)
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    nags = world.letters()
    assert [nag.first_line for nag in nags] == ["Your move, alice."]
    ids = [id_of(letter) for letter in (*letters, *nags)]
    assert len(set(ids)) == 3
    assert references(nags[0]) == ids[:1]


@pytest.mark.slow
def test_references_do_not_grow_without_end(world: World) -> None:
    world.signup("alice")
    (letter,) = world.mail("alice", "threes challenge alice")
    root = id_of(letter)
    for _ in range(20):
        (letter,) = answer(world, letter, letter.text.rpartition("PASSWORD ")[2].split()[0])
    assert len(references(letter)) <= 14
    assert references(letter)[0] == root


class Mailbox:
    """A folder in threads, as Thunderbird shows it: replies are below the mail they answer, ordered by date.

    The parent of a mail is the last of its References that is in the folder (RFC 5256, the algorithm REFERENCES).
    `newest_first`: how a program sorts the replies to one mail.
    """

    def __init__(self, newest_first: bool) -> None:
        self.mails: dict[str, list[str]] = {}
        self.newest_first = newest_first

    def add(self, message_id: str, known: list[str]) -> None:
        self.mails.setdefault(message_id, known)

    def shown(self) -> list[str]:
        """Return the mails from top to bottom."""
        below: dict[str, list[str]] = {}
        for id_, known in self.mails.items():  # they came in this order
            parent = next((k for k in reversed(known) if k in self.mails), "")
            below.setdefault(parent, []).append(id_)

        def listed(parent: str) -> list[str]:
            replies = below.get(parent, [])
            return [x for id_ in (replies[::-1] if self.newest_first else replies) for x in (id_, *listed(id_))]

        return listed("")


class Correspondence:
    """The mails that two players write and get, and how their mail programs show them."""

    def __init__(self, world: World, *, by_reply: bool, with_sent: bool, newest_first: bool = False) -> None:
        self.world, self.by_reply, self.with_sent = world, by_reply, with_sent
        self.boxes = {f"{userid}@example.org": Mailbox(newest_first) for userid in ("alice", "bob")}
        self.latest: dict[str, Received] = {}

    def deliver(self, letters: list[Received]) -> None:
        """Check that each new letter of the board is the last one of the thread."""
        for letter in letters:
            if id_of(letter).startswith("<m101."):  # others are answers to the command alone
                box = self.boxes[letter.to]
                box.add(id_of(letter), references(letter))
                assert box.shown()[-1] == id_of(letter)
                self.latest[letter.to] = letter

    def send(self, userid: str, command: str, first_line: str) -> None:
        """Send a new mail with a command, or an answer with this first line."""
        if not self.by_reply:
            self.deliver(self.world.mail(userid, command, "Words."))
            return
        reader = f"{userid}@example.org"
        known = [*references(self.latest[reader]), id_of(self.latest[reader])]
        letters = answer(self.world, self.latest[reader], f"{first_line}\nWords.")
        if self.with_sent:
            self.boxes[reader].add(f"<{self.world.count}@client.example>", known)
        self.deliver(letters)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by_reply", "with_sent"),
    [(True, True), (True, False), (False, False)],
    ids=["replies, own mails in the folder", "replies", "new mails"],
)
@pytest.mark.parametrize("own", ["on", "off"])
def test_the_newest_letter_is_the_last_of_its_thread(world: World, own: str, by_reply: bool, with_sent: bool) -> None:
    world.signup("alice", "bob")
    for userid in ("alice", "bob"):
        world.mail(userid, f"set {userid} {userid}-secret own={own}")
    talk = Correspondence(world, by_reply=by_reply, with_sent=with_sent)
    talk.deliver(world.mail("alice", "tumble challenge alice bob -c"))
    for turn, move in enumerate(["h4-g5t", "a5-b4t", "h3-g4", "b6-c5"]):
        mover, other = ("alice", "bob") if turn % 2 == 0 else ("bob", "alice")
        talk.send(other, f"tumble chat 101 {other} {other}-secret", "chat")
        if turn == 2:
            world.now += timedelta(days=8)
            Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
            talk.deliver(world.letters())
        talk.send(mover, f"tumble move 101 {mover} {mover}-secret {move}", move)
    assert world.row().board.ply == 4


@pytest.mark.parametrize("own", ["on", "off"])
@pytest.mark.parametrize("by_reply", [True, False], ids=["replies", "new mails"])
def test_the_letters_of_moves_hang_one_below_the_other(world: World, own: str, by_reply: bool) -> None:
    world.signup("alice", "bob")
    for userid in ("alice", "bob"):
        world.mail(userid, f"set {userid} {userid}-secret own={own}")
    sent = by_reply and own == "on"  # if the player's own mail got no answer, nothing is shown below it
    talk = Correspondence(world, by_reply=by_reply, with_sent=sent, newest_first=True)
    talk.deliver(world.mail("alice", "tumble challenge alice bob -c"))
    for turn, move in enumerate(["h4-g5t", "a5-b4t", "h3-g4", "b6-c5"]):
        mover = ("alice", "bob")[turn % 2]
        talk.send(mover, f"tumble move 101 {mover} {mover}-secret {move}", move)
    assert world.row().board.ply == 4


def test_a_letter_refers_to_the_latest_one_that_its_reader_had(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("bob", "set bob bob-secret own=off")
    first = world.mail("alice", "tumble challenge alice bob -c")[1]
    second = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")[1]
    world.mail("bob", "tumble move 101 bob bob-secret a5-b4t")
    third = world.mail("alice", "tumble move 101 alice alice-secret h3-g4")[1]
    assert {x.to for x in (first, second, third)} == {"bob@example.org"}
    assert str(second.message["In-Reply-To"]) == id_of(first)
    assert str(third.message["In-Reply-To"]) == id_of(second)
    assert references(third) == [id_of(first), id_of(second)]


def test_the_letters_of_a_board_that_was_played_again_are_others(world: World) -> None:
    """After a restore from an older backup, a board reaches the same length again.

    Gmail drops a letter with an ID that it knows.
    """
    world.signup("alice", "bob")
    world.mail("alice", "tumble challenge alice bob -c")
    if not world.url.startswith("sqlite"):
        pytest.skip("a copy of the file is the backup")
    world.engine.dispose()
    backup = world.file.read_bytes()
    lost = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    world.engine.dispose()
    world.file.write_bytes(backup)
    again = world.mail("alice", "tumble move 101 alice alice-secret h3-g4")
    assert not {*map(id_of, lost)} & {*map(id_of, again)}


def test_subscribers_have_a_thread_too(world: World) -> None:
    world.signup("alice", "bob", "carol")
    world.mail("alice", "tumble challenge alice bob -c")
    world.mail("carol", "tumble subscribe 101 carol carol-secret")
    first = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")[-1]
    second = world.mail("bob", "tumble move 101 bob bob-secret a5-b4t")[-1]
    assert first.to == second.to == "carol@example.org"
    assert str(second.message["In-Reply-To"]) == id_of(first)


@pytest.mark.slow
def test_a_subject_can_say_whose_turn_it_is(world: World) -> None:
    world.signup("alice", "bob", "carol")
    for userid in ("alice", "bob", "carol"):
        world.mail(userid, f"set {userid} {userid}-secret subject=turn")
    world.mail("bob", "set bob bob-secret language=de")
    assert [x.subject for x in world.mail("alice", "tumble challenge alice bob -c")] == [
        "101 your turn (Tumble)",
        "101 alice (Tumble)",
    ]
    world.mail("carol", "tumble subscribe 101 carol carol-secret")
    letters = world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    assert [x.subject for x in letters] == ["101 bob (Tumble)", "101 du bist am Zug (Tumble)", "101 bob (Tumble)"]
    chat = world.mail("alice", "tumble chat 101 alice alice-secret", "Hello!")
    assert [x.subject for x in chat] == ["101 du bist am Zug (Tumble)", "101 bob (Tumble)", "Tumble Board 101"]
    offered = world.reply(letters[0], "propose")
    assert offered[1].subject == "101 deine Antwort (Tumble)"
    over = world.reply(offered[1], "accept")
    assert [x.subject for x in over] == ["101 over (Tumble)", "101 zu Ende (Tumble)", "101 over (Tumble)"]
    assert world.row().board.result
    world.mail("alice", "set alice alice-secret subject=same")
    assert world.mail("alice", "tumble challenge alice bob")[0].subject == "Tumble Board 102 alice"


def test_the_subject_of_a_spoken_letter_can_say_it_too(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret subject=turn mail=spoken")
    assert world.mail("alice", "tumble challenge alice bob")[0].subject == "101 your turn (Tumble)"
