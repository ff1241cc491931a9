"""Random commands of several players, right and wrong, on several games, and checks after every mail.

The log of a board leads to its position. Letters have a cause. Nobody reads what their seat may not see. Ratings follow
from the finished boards. Every mail is answered exactly once.
"""

import json
import re
import shutil
import tempfile
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from pbmserv.admin.audit import differences
from pbmserv.boards import entries
from pbmserv.commands.starting import new_seed
from pbmserv.db import tables
from pbmserv.games import find
from pbmserv.games.base import View
from pbmserv.games.base.board import Start, begin, view_of
from pbmserv.games.solitaire.threes import FULL_BAG, Position
from pbmserv.model import BoardRow, Settings
from pbmserv.server.clock import Clock
from pbmserv.store import Store
from tests.examples import SOAK
from tests.world import Received, World

PLAYERS = ("alice", "bob", "carol", "dave")
GAMES = ("tumble", "tumble -c", "3io", "3io -quick", "trippples -h", "trippples -p", "threes", "town")
STATES = ("all", "active", "inactive", "next")

players = st.sampled_from(PLAYERS)
indices = st.integers(0, 10**6)


class Boards(RuleBasedStateMachine):
    """Four players, one of them with a Threes board whose next card is a secret plus card."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.world = World(self.folder)
        self.answerable: list[Received] = []
        self.world.signup(*PLAYERS)
        cards = (192, 96, 48, 24, 12, 6, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0)
        start = Start(find("threes"), {}, 1, new_seed(), Position(cards, FULL_BAG, 12))
        origin, alice = start.game.dump(start.origin), self.world.player("alice")
        self.world.act(lambda s: entries.begin(s, begin(start), [alice], Settings(), self.world.now, origin))

    def teardown(self) -> None:
        """Check that the ratings follow from the finished boards, and that every board is as its log says."""
        self.world.verify()
        with self.world.engine.connect() as connection:
            ratings = sa.select(tables.rating).order_by(tables.rating.c.game, tables.rating.c.player_id)
            before = connection.execute(ratings).all()
            entries.rebuild_ratings(Store(connection))
            assert connection.execute(ratings).all() == before
            connection.rollback()
        self.world.engine.dispose()
        shutil.rmtree(self.folder)

    # --- what is done ------------------------------------------------------------------------------------------------

    @rule(who=players, others=st.lists(players, max_size=3), game=st.sampled_from(GAMES), extra=st.sampled_from(
        ["", "--unrated", "--random", "--private", "--forfeittime=1 --nagtime=none", "-nosuch"]
    ))  # fmt: skip
    def challenge(self, who: str, others: list[str], game: str, extra: str) -> None:
        key, *options = game.split()
        sizes = find(key).info.seats
        seats = next((n for n in sizes if n > len(others)), sizes[-1])
        self.send(who, " ".join([key, "challenge", *[who, *others, "bob"][:seats], *options, extra]))

    @rule(who=players, index=indices, count=st.integers(1, 3))
    def move(self, who: str, index: int, count: int) -> None:
        row = self.pick(index)
        who = self.somebody(row, who, index)
        self.send(who, self.on(row, "move", who, *self.legal(row, index)[:count]))

    @rule(index=indices, verb=st.sampled_from(["move", "move", "queue", "submit"]))
    def move_in_turn(self, index: int, verb: str) -> None:
        row = self.pick(index)
        who = row.players[min(row.board.to_move, default=0)].userid
        self.send(who, self.on(row, verb, who, *self.legal(row, index)[:1]))

    @rule(who=players, index=indices, verb=st.sampled_from(
        ["propose", "undo", "accept", "reject", "resign", "decline", "confirm", "queue", "subscribe", "unsubscribe",
         "chat"]
    ))  # fmt: skip
    def verb(self, who: str, index: int, verb: str) -> None:
        row = self.pick(index)
        who = self.somebody(row, who, index)
        self.send(who, self.on(row, verb, who), "Some words.")

    @rule(who=players, index=indices)
    def queue_an_answer(self, who: str, index: int) -> None:
        row = self.pick(index)
        who = self.somebody(row, who, index)
        mine, theirs = self.legal(row, index)[:1], self.legal(row, index + 1)[:1]
        words = [f"{t}:{m}" for t, m in zip(theirs, mine, strict=True)] + self.legal(row, index + 2)[:2]
        self.send(who, self.on(row, "queue", who, *words))

    @rule(who=players, game=st.sampled_from(GAMES), extra=st.sampled_from(["", "--rating=1500-1600", "--seats=3"]))
    def seek(self, who: str, game: str, extra: str) -> None:
        key, *options = game.split()
        self.send(who, " ".join([key, "seek", who, f"{who}-secret", *options, extra]))

    @rule(who=players, index=indices, word=st.sampled_from(
        [*PLAYERS, "", "seek", "robot", "accept", "accept", "reject"]
    ))  # fmt: skip
    def substitute(self, who: str, index: int, word: str) -> None:
        row = self.pick(index)
        who = self.somebody(row, who, index)
        self.send(who, self.on(row, "substitute", who, *word.split()))

    @rule(who=players, index=indices, verb=st.sampled_from(["join", "substitute"]))
    def leave_and_be_replaced(self, who: str, index: int, verb: str) -> None:
        row = self.pick(index)
        leaver = row.players[index % len(row.players)].userid
        self.send(leaver, self.on(row, "resign", leaver))
        for other in dict.fromkeys(p.userid for p in row.players if p.userid != leaver):
            self.send(other, self.on(row, "substitute", other, *([who] if verb == "substitute" else [])))
        found = self.world.query(lambda s: s.challenges.seek_for(row.number))
        self.send(who, f"{row.key} join {found.number if found else 1} {who} {who}-secret")

    @rule(who=players, number=st.integers(1, 4), verb=st.sampled_from(["join", "withdraw"]))
    def join(self, who: str, number: int, verb: str) -> None:
        found = self.world.query(lambda s: s.challenges.seek(number))
        self.send(who, f"{found.game if found else 'tumble'} {verb} {number} {who} {who}-secret")

    @rule(who=players, index=indices, ply=st.integers(0, 9), verb=st.sampled_from(
        ["show", "record", "preview", "fork", "showas", "notify"]
    ))  # fmt: skip
    def look(self, who: str, index: int, ply: int, verb: str) -> None:
        row = self.pick(index)
        key, number = row.key, row.number
        moves = self.legal(row, index)[:1]
        names = [p.userid for p in row.players]
        rest = {
            "show": [f"{number}#{ply}", str(number)],
            "record": [str(number), f"--as={who}:{who}-secret"],
            "preview": [f"{number}#{ply}" if ply < 5 else str(number), *moves],
            "fork": [f"{number}#{ply}", *names],
            "showas": [who, f"{who}-secret", *([] if ply % 2 else [str(number)])],
            "notify": [who, f"{who}-secret", str(number)],
        }[verb]
        self.send(who, " ".join([key, verb, *rest]))

    @rule(who=players, line=st.sampled_from(
        ["list", "tumble games", "tumble show bob all", "tumble limit WHO PW 2", "tumble limit WHO PW none", "games",
         "tumble move 101", "tumble move 999 WHO PW a1a2", "3io show nobody", "tumble challenge", "thumble", "help",
         "tumble move 101 WHO wrong-password a1a2", "tumble preview new -c a1a2 h8h7", "trippples preview new -h"]
    ))  # fmt: skip
    def anything(self, who: str, line: str) -> None:
        self.send(who, line.replace("WHO", who).replace("PW", f"{who}-secret"))

    @rule(
        index=indices,
        words=st.sampled_from(["MOVE", "resign", "substitute", "accept", "propose", "chat", "A nice game", "no"]),
    )
    def reply(self, index: int, words: str) -> None:
        if not self.answerable:
            return
        letter = self.answerable[-1 - index % min(len(self.answerable), 6)]
        number = int(letter.subject.split()[2])
        row = self.world.row(number)
        before = self.lengths()
        moves = " ".join(self.legal(row, index)[:1])
        self.check(letter.to, before, self.world.reply(letter, f"{words.replace('MOVE', moves)}\n\nSome words."))

    @rule(who=players, number=st.integers(1, 3), words=st.sampled_from(["accept", "decline", "accept alice", "never"]))
    def invite(self, who: str, number: int, words: str) -> None:
        friend = f"friend{number}@example.net"
        before = self.lengths()
        letters = self.world.mail(who, f"tumble challenge {who} {friend}")
        self.check(f"{who}@example.org", before, letters)
        for letter in letters:
            if letter.to == friend:
                before, accounts = self.lengths(), len(self.world.query(lambda s: s.players.userids()))
                answers = self.world.reply(letter, words)
                opened = len(self.world.query(lambda s: s.players.userids())) - accounts
                self.check(friend, before, answers, most=1 + opened)

    @rule(days=st.integers(0, 4))
    def time_passes(self, days: int) -> None:
        before = self.lengths()
        self.world.now += timedelta(days=days)
        Clock(self.world.engine, self.world.site, lambda: self.world.now, gap=1e9).sweep()
        letters = self.world.letters()
        self.check_boards(before, letters, "")

    # --- what has to be true ------------------------------------------------------------------------------------------

    def send(self, who: str, line: str, body: str = "") -> None:
        before = self.lengths()
        self.check(f"{who}@example.org", before, self.world.mail(who, line, body))

    def check(self, sender: str, before: dict[int, int], letters: list[Received], most: int = 1) -> None:
        """Check the letters of one mail: one answer to its sender, and letters about boards that changed."""
        mine = [x for x in letters if x.to == sender]
        assert 1 <= len(mine) <= most, [(x.to, x.subject, x.text) for x in letters]
        self.check_boards(before, letters, sender)

    def check_boards(self, before: dict[int, int], letters: list[Received], sender: str) -> None:
        assert all(m.status in ("done", "error") for m in self.world.query(lambda s: s.mails.newest(1)))
        changed = {n for n, length in self.lengths().items() if length != before.get(n)}
        for number in changed:
            assert self.world.query(partial(differences, number=number)) == []
        rows = {n: self.world.row(n) for n in self.lengths()}
        for letter in letters:
            self.check_secrets(rows, letter)
            self.check_cause(rows, letter, changed, sender)
            if letter.reply_to.startswith("pbmserv+b"):
                self.answerable.append(letter)

    def check_secrets(self, rows: dict[int, BoardRow], letter: Received) -> None:
        """Check that no letter tells the seed of a running board, or shows more of it than its reader may see."""
        files = (json.dumps(json.loads(p.get_content())) for p in letter.message.iter_attachments())
        content = "\n".join([letter.text, *files])
        for row in rows.values():
            board, render = row.board, self.world.site.renderer
            if board.result is not None:
                continue
            assert board.start.seed not in content
            if board.game.info.hidden:
                seen = render.diagram(board.game, board.game.view(board.position, None))
                everything = render.diagram(board.game, View(None, board.position))
                assert seen == everything or everything not in content

    def check_cause(self, rows: dict[int, BoardRow], letter: Received, changed: set[int], sender: str) -> None:
        """Check that the reader of a letter plays on its board or follows it, and that something happened there."""
        found = re.fullmatch(r"\S+ Board (\d+)( \S+)?", letter.subject)
        if found is None or letter.to == sender:
            return
        row, userid = rows[int(found[1])], letter.to.partition("@")[0]
        playing = {p.userid: p for p in row.players}
        talk = " writes about " in letter.first_line
        assert row.number in changed or talk or (not sender and userid in playing)
        if found[2]:
            assert found[2].strip() == userid
            seat = row.seat_to_move(playing[userid])
        else:
            assert userid in {s.player.userid for s in self.world.query(lambda s: s.readers.subscribers(row.number))}
            seat = None
        picture = self.world.site.renderer.diagram(row.game, view_of(row.board, seat))
        assert talk or picture in letter.text

    # --- queries ------------------------------------------------------------------------------------------------------

    def lengths(self) -> dict[int, int]:
        """Return the length of each board's log."""
        with self.world.engine.connect() as connection:
            return {
                r.number: r.length for r in connection.execute(sa.select(tables.board.c.number, tables.board.c.length))
            }

    def pick(self, index: int) -> BoardRow:
        """Return one of the boards."""
        numbers = sorted(self.lengths())
        return self.world.row(numbers[index % len(numbers)])

    @staticmethod
    def somebody(row: BoardRow, who: str, index: int) -> str:
        """Return a userid with a known password: in most cases a player of the board."""
        names = [p.userid for p in row.players if p.userid in PLAYERS]
        return names[index // 7 % len(names)] if index % 4 and names else who

    def legal(self, row: BoardRow, index: int) -> list[str]:
        """Return the legal moves of a seat that is to move, in an order with a random start.

        A finished board gives a wrong one.
        """
        board = row.board
        if not board.to_move:
            return ["a1a2"]
        texts = [board.game.format(m) for m in board.game.legal_moves(board.position, min(board.to_move))]
        return texts[index % len(texts) :] + texts[: index % len(texts)]

    @staticmethod
    def on(row: BoardRow, verb: str, who: str, *words: str) -> str:
        """Return a command on a board."""
        return " ".join([row.key, verb, str(row.number), who, f"{who}-secret", *words])


@pytest.mark.slow
def test_random_commands() -> None:
    run_state_machine_as_test(Boards, settings=settings(max_examples=3, stateful_step_count=20, deadline=None))


@pytest.mark.slow
@pytest.mark.timeout(600 * SOAK)
def test_many_random_commands() -> None:
    run_state_machine_as_test(Boards, settings=settings(max_examples=2 * SOAK, stateful_step_count=60, deadline=None))
