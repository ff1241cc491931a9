"""How to cause each kind of letter, by the template of its words, or the reason why nobody answers it."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from pbmserv import paths
from pbmserv.inbox.authentication.known_bans import KEPT
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters import tournament_letters
from pbmserv.letters.text.blocks import Words
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.waiting.suspension import MOST_BOUNCES
from pbmserv.robots import levels
from pbmserv.server.chores.housekeeping import Housekeeping
from pbmserv.server.chores.weekly_letter import write_if_due
from pbmserv.server.clock import Clock
from tests.boards.seasons.events import announced, begun, entered
from tests.cli.conftest import Desk
from tests.commands.test_puzzles import FORGOTTEN
from tests.commands.test_reviews import asked, played, work
from tests.commands.tournaments.cups import LEAGUE, allowed
from tests.letters.test_tournament_letters import end, start, written
from tests.world import ADDRESS, KEY, Received, World

Cause = Callable[[World], list[Received]]
BOARD = "h4-g5t"  #: a first move on every board of these letters


@contextmanager
def noting() -> Iterator[set[str]]:
    """Note which templates any renderer renders meanwhile, also that of an admin's command."""
    rendered, blocks = set[str](), Renderer.blocks

    def noted(renderer: Renderer, template: str, data: Mapping[str, Any]) -> Words:
        rendered.add(template)
        return blocks(renderer, template, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Renderer, "blocks", noted)
        yield rendered


def templates() -> set[str]:
    """Return the names of all templates of letters in plain text, without those that are only parts of others."""
    texts = {path.stem: path.read_text() for path in (paths.data("templates") / "mail").glob("*.txt")}
    parts = {name for text in texts.values() for name in re.findall(r'include "mail/(\w+)\.txt"', text)}
    return set(texts) - parts


def line(userid: str, *lines: str, body: str = "") -> Cause:
    """Cause letters by mails of one player on a board of alice and bob, where alice is to move."""

    def send(world: World) -> list[Received]:
        world.board("alice", "bob", options="-c --nagtime=1")
        world.signup("carol")
        for earlier in lines[:-1]:
            world.mail(earlier.partition(":")[0], earlier.partition(":")[2])
        return world.mail(userid, lines[-1], body)

    return send


def tournament(write: Callable[..., None], form: str = "league") -> Cause:
    """Cause the letter to alice that `write` makes for her as an entrant."""

    def send(world: World) -> list[Received]:
        begun(world, "alice", "bob", "carol", form=form)
        return written(world, write, "alice")

    return send


def admin(*words: str) -> Cause:
    """Cause letters by a command of an admin about a board of alice and bob, or one of them."""

    def send(world: World) -> list[Received]:
        world.board("alice", "bob")
        with pytest.MonkeyPatch.context() as patch:
            settings = {"DATABASE_URL": world.url, "SECRET_KEY": KEY.decode(), "ADDRESS": ADDRESS}
            for name, value in {**settings, "LISTEN": "smtp://127.0.0.1:0"}.items():
                patch.setenv(f"PBMSERV_{name}", value)
            return Desk(world).letters(*words)

    return send


def after(wait: timedelta, before: Cause) -> Cause:
    """Cause letters of the clock, some time after others."""

    def send(world: World) -> list[Received]:
        before(world)
        world.now += wait
        Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
        Housekeeping(world.engine, world.site, lambda: world.now).keep()
        return world.letters()

    return send


def _announced(world: World) -> list[Received]:
    allowed(world, "alice", "bob", "carol")
    return world.mail("alice", LEAGUE)


def _joined_tournament(world: World) -> list[Received]:
    return world.reply(next(x for x in _announced(world) if x.to.startswith("bob")), "join")


def _match(write: Callable[..., None], world: World) -> list[Received]:
    announced(world, "match", teams=("north", "south"))
    entered(world, 1, "alice", team="north")
    entered(world, 1, "bob", team="south")
    world.now += timedelta(days=7)
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    world.letters()
    return written(world, write, "alice")


def _won(world: World) -> list[Received]:
    allowed(world, "alice", "bob", "carol")
    organiser = world.player("alice").id
    begun(world, "alice", "bob", "carol")
    return written(world, lambda x, t, e: tournament_letters.won(x, replace(t, organiser=organiser), 1), "alice")


def _left(world: World) -> list[Received]:
    """Bob leaves when fewer than half of his boards are over: that with alice, too, counts no more."""
    begun(world, "bob", "alice", "carol", "dave")
    world.mail("alice", "tumble resign 101 alice alice-secret")
    return world.mail("bob", "signoff bob bob-secret")


def _ladder(world: World) -> list[Received]:
    begun(world, "alice", "bob", "carol", form="ladder")
    return world.mail("carol", "tumble ladder carol carol-secret challenge")


def _buggy(world: World) -> list[Received]:
    world.signup("alice")

    def stumble(*_: object) -> None:
        raise ZeroDivisionError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pipeline, "_effects", stumble)
        return world.mail("alice", "list")


def _invited(world: World) -> list[Received]:
    world.signup("bob")
    return world.mail("bob", "tumble challenge bob alice@example.org")


def _accepted(word: str, world: World) -> list[Received]:
    letter = next(x for x in _invited(world) if x.to.startswith("alice"))
    return world.reply(letter, word)


def _unseated(word: str, world: World) -> list[Received]:
    world.board("alice", "bob")
    world.signup("carol")
    for userid, move in (("alice", "a1-a2"), ("bob", "f5-f6")):
        world.mail(userid, f"tumble move 101 {userid} {userid}-secret {move}")
    world.mail("bob", "tumble resign 101 bob bob-secret")
    letters = world.mail("alice", "tumble substitute 101 alice alice-secret carol")
    return world.reply(next(x for x in letters if x.to.startswith("carol")), word) if word else letters


def _mail_of_nobody(data: bytes, world: World) -> list[Received]:
    world.signup("alice")
    return world.bytes(data, mail_from="alice@example.org")


def _strange(world: World) -> list[Received]:
    world.allow(confirm_addresses=True, trust_from=False)
    return world.mail("alice", "help")


def _confirmed(word: str, world: World) -> list[Received]:
    world.allow(confirm_addresses=True, trust_from=False)
    letters = world.mail("alice", "signup alice alice-secret")
    return world.reply(letters[-1], word) if word else letters


def _reset(world: World) -> list[Received]:
    world.signup("alice")
    return world.mail("alice", "forgot alice")


def _suspended(world: World) -> list[Received]:
    world.board("alice", "bob")
    (address,) = world.query(lambda s: s.addresses.of(world.player("alice").id))
    for _ in range(5):
        world.act(lambda s: s.addresses.count_bounce(address.address, world.now, MOST_BOUNCES))
    return world.mail("alice", "tumble show 101")


def _enough(world: World) -> list[Received]:
    world.allow(unproved_answers_a_day=0)
    return line("alice", "list")(world)


def _banned(world: World) -> list[Received]:
    world.allow(operator="ann@example.net")
    world.signup("alice")
    world.act(lambda s: s.banned.add("@example.org", "insults", world.now))
    world.now += timedelta(seconds=KEPT)
    return world.mail("alice", "list")


def _weekly(world: World) -> list[Received]:
    world.allow(operator="alice@example.org", weekly_letter=True)
    world.board("alice", "bob")
    world.letters()
    write_if_due(world.engine, world.site, world.now)
    return world.letters()


def _operator(world: World) -> list[Received]:
    world.allow(operator="alice@example.org")
    world.signup("alice", "bob")
    return world.mail("bob", "Who are you?", to="postmaster@games.example")


def _digest(world: World) -> list[Received]:
    world.signup("alice")
    world.mail("alice", "set alice alice-secret digest=daily")
    return after(timedelta(days=1), line("bob", "tumble challenge alice bob --as=bob:bob-secret"))(world)


def _reviewed(world: World) -> list[Received]:
    """The judge is a robot of level 2, which takes no time."""
    world.signup("alice", "bob")
    played(world, FORGOTTEN)
    asked(world)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "strongest", lambda game: 2)
        return work(world)


def _puzzle(world: World) -> list[Received]:
    _reviewed(world)
    world.signup("carol")
    for userid, wish in (("alice", "lend=on"), ("bob", "lend=on"), ("carol", "puzzle=chess")):
        world.mail(userid, f"set {userid} {userid}-secret {wish}")
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    return world.letters()


CAUSES: Mapping[str, Cause] = {
    "addresses": line("alice", "change address alice alice-secret alice@example.org alice@example.net"),
    "answer": line("alice", "list"),
    "banned": _banned,
    "board": line("alice", f"tumble move 101 alice alice-secret {BOARD}"),
    "broadcast": line(
        "alice", "bob:set bob bob-secret broadcasts=on", "broadcast alice alice-secret", body="Hello all"
    ),
    "changed": admin("players", "rename", "alice", "anna", "--yes"),
    "chat": line("bob", "tumble chat 101 bob bob-secret", body="Hello"),
    "confirm": partial(_confirmed, ""),
    "confirmed": partial(_confirmed, "yes"),
    "copy": line(
        "alice", "carol:tumble subscribe 101 carol carol-secret", f"tumble move 101 alice alice-secret {BOARD}"
    ),
    "declined": partial(_accepted, "decline"),
    "digest": _digest,
    "display": line("alice", "tumble set alice alice-secret u"),
    "doubt": _suspended,
    "enough": _enough,
    "error": line("alice", "tumble move 101 alice alice-secret a1-a9"),
    "farewell": line("alice", "signoff alice alice-secret"),
    "fewer": line("alice", "tumble fewer 101 alice alice-secret"),
    "forgot": _reset,
    "games": line("alice", "games"),
    "help": line("alice", "help"),
    "history": line("alice", "tumble history alice bob"),
    "invitation": _invited,
    "invited": _invited,
    "joined": partial(_accepted, "accept ann"),
    "ladder": _ladder,
    "limit": line("alice", "tumble limit alice alice-secret"),
    "list": line("alice", "list"),
    "message": line("bob", "message bob bob-secret alice", body="Hello"),
    "moved": line("alice", "change address alice alice-secret alice@example.net"),
    "nag": after(timedelta(days=2), line("alice", "list")),
    "notice": _strange,
    "operator": _operator,
    "page": line("alice", "help tutorial"),
    "password": line("alice", "change password alice alice-secret another-secret"),
    "preferences": line("alice", "set alice alice-secret"),
    "puzzle": _puzzle,
    "puzzle_answer": lambda world: world.reply(_puzzle(world)[0], "bxc6"),
    "puzzled": line("alice", ""),
    "queue": line("bob", "tumble queue 101 bob bob-secret a5-b4t"),
    "reset": _reset,
    "review": _reviewed,
    "ruling": admin("boards", "void", "101", "--yes"),
    "scores": line("alice", "town standings"),
    "seek": line("alice", "tumble seek alice alice-secret"),
    "seek_lapsed": after(timedelta(days=60), line("alice", "tumble seek alice alice-secret")),
    "show": line("alice", "tumble show 101"),
    "sorry": _buggy,
    "standings": line("alice", "tumble standings"),
    "stopped": line("alice", "tumble move 101 alice alice-secret h4-g5t a5-b4t"),
    "subscribed": line("carol", "tumble subscribe 101 carol carol-secret"),
    "subscriptions": line("carol", "carol:tumble subscribe 101 carol carol-secret", "tumble notify carol carol-secret"),
    "substitute": partial(_unseated, ""),
    "substitute_refused": partial(_unseated, "reject"),
    "substituting": partial(_unseated, ""),
    "tournament": lambda world: [*_announced(world), *world.mail("alice", "tournament show 1")],
    "tournament_announced": _announced,
    "tournament_end": tournament(end),
    "tournament_joined": _joined_tournament,
    "tournament_left": _left,
    "tournament_new": _announced,
    "tournament_off": tournament(lambda x, t, e: tournament_letters.cancelled(x, t, e)),
    "tournament_removed": tournament(lambda x, t, e: tournament_letters.removed(x, t, e, True)),
    "tournament_start": tournament(start),
    "tournament_warning": tournament(
        lambda x, t, e: tournament_letters.warned(x, t, e, x.store.tournaments.pairing_of(101))
    ),
    "tournament_won": _won,
    "tournaments": line("alice", "tournaments"),
    "tried": line("alice", f"tumble preview 101 {BOARD}"),
    "unanswered": after(timedelta(days=60), _invited),
    "unreadable": partial(_mail_of_nobody, b"Subject: a\r\nFrom: alice@example.org\r\nSubject: b\r\n\r\nx\r\n"),
    "vacation": line("alice", "vacation alice alice-secret 2"),
    "vacation_taken": after(timedelta(days=22), line("alice", "set alice alice-secret vacation=auto")),
    "weekly": _weekly,
    "welcome": line("alice", "signup dora dora-secret"),
    "who": line("alice", "who bob"),
}

#: Further causes of letters with words of a template that has a cause above, but about something else.
MORE: Mapping[str, Cause] = {
    "a record": line("alice", "tumble record 101"),
    "showas": line("alice", "tumble showas alice alice-secret 101"),
    "a preview of one's own": line("alice", "tumble preview 101 alice alice-secret h4-g5t"),
    "a board that is over": line("bob", "tumble resign 101 bob bob-secret"),
    "a lost time": after(timedelta(days=30), line("alice", "list")),
    "a move that comes too late": lambda world: [
        *after(timedelta(days=30), line("alice", "list"))(world),
        *world.mail("alice", f"tumble move 101 alice alice-secret {BOARD}"),
    ],
    "a rematch": line("alice", "bob:tumble resign 101 bob bob-secret", "tumble rematch 101 alice alice-secret"),
    "a fork": line("alice", f"alice:tumble move 101 alice alice-secret {BOARD}", "tumble fork 101#0 alice bob"),
    "an open proposal": line("alice", "tumble propose 101 alice alice-secret"),
    "a board that waits for words": line("alice", "3io challenge alice bob --dice=shared"),
    "a seat that has left": lambda world: world.mail(
        "bob", f"3io resign {world.board('alice', 'bob', 'carol', game='3io')} bob bob-secret"
    ),
    "a solitaire": lambda world: world.mail("alice", f"threes show {world.board('alice', game='threes')}"),
    "a match of teams": partial(_match, start),
    "the end of a match of teams": partial(_match, end),
    "a round of groups": tournament(start, form="groups"),
    "a round of a Swiss": tournament(start, form="swiss"),
    "the end of a ladder": tournament(end, form="ladder"),
}

#: Letters after which silence is right: their words, or those of the answer to them, come once a day.
ONCE: Mapping[str, str] = {
    "banned": "it says that later mails get no answer",
    "confirm": "before the word yes the reader is a stranger",
    "enough": "it says that no more answers are written today",
    "farewell": "who has left is a stranger",
    "notice": "a stranger gets one letter a day, because anybody can write any address into From",
}

#: Templates whose letters these tests do not answer, and why.
UNANSWERED: Mapping[str, str] = {
    "webhook": "it needs a program that answers over HTTPS (tests.webhooks), and has the address of `preferences`",
}
