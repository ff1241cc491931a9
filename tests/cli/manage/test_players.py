"""What admins do to accounts, through the same functions as the players' own mails."""

import json
from datetime import timedelta

import pytest

from pbmserv.db import migrate, tables
from pbmserv.inbox.authentication.known_bans import KEPT
from pbmserv.letters.text.times import from_seconds, utc_now
from pbmserv.letters.waiting.suspension import MOST_BOUNCES
from tests.cli.conftest import Desk, move
from tests.web.browser import browse
from tests.world import Received, World


def letter_to(desk: Desk, userid: str, *words: str) -> str:
    """The letter that a player gets after a command."""
    (letter,) = [x for x in desk.letters(*words) if x.to == f"{userid}@example.org"]
    return letter.flat


class TestLock:
    LOCKED = "The account alice is locked, so nothing was done."

    @pytest.fixture
    def locked(self, desk: Desk) -> World:
        desk.run("players", "lock", "alice", "--why", "a complaint")
        return desk.world

    @pytest.mark.parametrize(
        "line",
        [
            "tumble move 101 alice alice-secret c1-c2",
            "tumble challenge alice bob",
            "tumble challenge alice bob --as=alice:alice-secret",
            "change password alice alice-secret another-secret",
            "signup alice alice-secret second@example.org",
            "message alice alice-secret bob",
        ],
    )
    def test_every_command_in_her_name_is_answered_so(self, locked: World, line: str) -> None:
        before = locked.dump()
        (answer,) = locked.mail("alice", line, "words")
        assert (answer.to, self.LOCKED in answer.flat) == ("alice@example.org", True)
        assert locked.dump() == before

    def test_answers_to_letters_too(self, desk: Desk) -> None:
        letter = next(x for x in desk.world.mail("alice", "tumble challenge alice bob") if "alice" in x.to)
        desk.run("players", "lock", "alice")
        (answer,) = desk.world.reply(letter, "c1-c2")
        assert self.LOCKED in answer.flat

    def test_a_wrong_password_is_still_wrong(self, locked: World) -> None:
        (answer,) = locked.mail("alice", "tumble move 101 alice wrong-secret c1-c2")
        assert "The password is not that of alice." in answer.flat

    def test_nobody_can_challenge_her(self, locked: World) -> None:
        (answer,) = locked.mail("bob", "tumble challenge bob alice")
        assert "alice does not accept challenges" in answer.flat

    def test_a_reset_letter_does_not_help(self, desk: Desk) -> None:
        (_, reset) = sorted(desk.world.mail("alice", "forgot alice"), key=lambda x: "new password" in x.subject)
        desk.run("players", "lock", "alice")
        (answer,) = desk.world.mail("alice", "x", "another-secret", to=reset.reply_to)
        assert "The account alice is locked, so nothing was done." in answer.flat

    @pytest.mark.slow
    def test_unlocked_the_password_is_what_it_was(self, desk: Desk) -> None:
        desk.run("players", "lock", "alice")
        assert "is locked already" in desk.says("players", "lock", "alice", code=65)
        assert desk.json("players", "list")[0]["account"] == "locked"
        desk.run("players", "unlock", "alice", "--why", "she apologized")
        assert desk.event() == ("player alice: unlock", "she apologized")
        move(desk.world, "alice", "c1-c2")
        assert desk.world.row().board.ply == 1
        assert "is not locked" in desk.says("players", "unlock", "alice", code=65)


class TestPassword:
    NEW = "brand-new-secret"

    def test_it_is_read_and_told_to_nobody(self, desk: Desk) -> None:
        done = desk.run("players", "password", "alice", "--why", "lost", stdin=f"{self.NEW}\n")
        (told,) = desk.world.letters()
        assert "your password is changed" in told.flat
        assert self.NEW not in done.output + told.text + desk.world.dump()
        desk.world.mail("alice", f"tumble move 101 alice {self.NEW} c1-c2")
        assert desk.world.row().board.ply == 1

    def test_it_is_made(self, desk: Desk) -> None:
        made = desk.says("players", "password", "alice", "--generate").rpartition(" ")[2]
        desk.world.mail("alice", f"tumble move 101 alice {made} c1-c2")
        assert desk.world.row().board.ply == 1

    def test_it_is_asked_for_twice(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pbmserv.cli.terminal.acting.is_interactive", lambda: True)
        said = desk.says("players", "password", "alice", stdin=f"{self.NEW}\n{self.NEW}\nlost\n")
        assert self.NEW not in said
        assert desk.event() == ("player alice: password", "lost")

    def test_a_locked_account_stays_locked(self, desk: Desk) -> None:
        desk.run("players", "lock", "alice")
        desk.run("players", "password", "alice", stdin=f"{self.NEW}\n")
        assert desk.world.player("alice").is_locked

    def test_its_accents_may_be_typed_either_way(self, desk: Desk) -> None:
        desk.run("players", "password", "alice", stdin="pa\u0308sswo\u0308rter\n")
        desk.world.mail("alice", "tumble move 101 alice p\u00e4ssw\u00f6rter c1-c2")
        assert desk.world.row().board.ply == 1

    def test_a_bad_one_is_not_repeated(self, desk: Desk) -> None:
        assert "a b c" not in desk.says("players", "password", "alice", stdin="a b c d e\n", code=65)


class TestAdd:
    def test_an_account_is_open_and_its_address_is_asked(self, desk: Desk) -> None:
        desk.world.letters()
        done = desk.says("players", "add", "Carol", "carol@example.org", "--generate", "--why", "by telephone")
        assert "The account carol is created." in done
        assert desk.event() == ("player carol: add", "by telephone")
        (asked,) = desk.world.letters()
        assert "yes" in asked.flat
        desk.world.reply(asked, "yes")
        assert desk.json("players", "addresses", "carol")[0]["confirmed"]

    def test_a_confirmed_address_gets_the_welcome(self, desk: Desk) -> None:
        words = ("players", "add", "carol", "carol@example.org", "--confirmed")
        (welcome,) = desk.letters(*words, stdin="carols-secret\n")
        assert "Welcome, carol" in welcome.flat

    @pytest.mark.parametrize(
        ("userid", "address", "says"),
        [
            ("alice", "x@example.org", "is taken"),
            ("help", "x@example.org", "is a word used in commands"),
            ("x", "x@example.org", "A userid has 2 to 20"),
            ("carol", "nowhere", "not a valid mail address"),
        ],
    )
    def test_what_is_refused(self, desk: Desk, userid: str, address: str, says: str) -> None:
        before = desk.world.dump()
        assert says in desk.says("players", "add", userid, address, "--generate", code=65)
        assert desk.world.dump() == before


class TestAddresses:
    def test_one_more_and_one_less(self, desk: Desk) -> None:
        told = letter_to(desk, "alice", "players", "addresses", "alice", "--add", "a@example.net", "--confirmed")
        assert "has added the address a@example.net to your account alice" in told
        told = letter_to(desk, "alice", "players", "addresses", "alice", "--remove", "alice@example.org")
        assert "has removed the address alice@example.org" in told
        assert [a["address"] for a in desk.json("players", "addresses", "alice")] == ["a@example.net"]
        assert desk.event()[0] == "player alice: address removed"

    def test_the_last_one_stays_until_there_is_another(self, desk: Desk) -> None:
        desk.run("players", "addresses", "alice", "--remove", "alice@example.org")
        (left,) = desk.json("players", "addresses", "alice")
        assert (left["address"], left["leaving"]) == ("alice@example.org", True)

    def test_the_admins_word_revives_a_suspended_one(self, desk: Desk) -> None:
        for _ in range(5):
            desk.world.act(lambda s: s.addresses.count_bounce("alice@example.org", desk.world.now, MOST_BOUNCES))
        assert "suspended" in desk.says("players", "show", "alice")
        desk.run("players", "addresses", "alice", "--add", "alice@example.org", "--confirmed")
        (address,) = desk.json("players", "addresses", "alice")
        assert (address["suspended"], address["bounces"]) == (None, 0)

    def test_what_he_does_not_have(self, desk: Desk) -> None:
        said = desk.says("players", "addresses", "alice", "--remove", "b@example.org", code=65)
        assert "The addresses are: alice@example.org" in said


class TestRename:
    def test_boards_and_letters_go_on(self, desk: Desk) -> None:
        letter = next(x for x in desk.world.mail("alice", "tumble challenge alice bob") if "alice" in x.to)
        told = letter_to(desk, "alice", "players", "rename", "alice", "alicia", "--yes", "--why", "her wish")
        assert "changed your userid from alice to alicia" in told
        desk.world.reply(letter, "c1-c2")
        assert desk.world.row(102).board.ply == 1
        desk.world.mail("alice", "tumble move 101 alicia alice-secret c1-c2")
        assert [p.userid for p in desk.world.row().players] == ["alicia", "bob"]
        desk.world.verify()

    def test_nobody_takes_the_old_name(self, desk: Desk) -> None:
        record = desk.run("boards", "record", "101").stdout
        desk.letters("players", "rename", "alice", "alicia", "--yes")
        (answer,) = desk.world.mail("x", "signup alice another-secret")
        assert "The userid alice is taken." in answer.flat
        assert json.loads(record)["players"] == ["alice", "bob"]
        assert "is taken, or was once" in desk.says("players", "rename", "bob", "alice", "--yes", code=65)

    @pytest.mark.parametrize(
        ("sender", "line"),
        [
            ("alice", "tumble move 101 alice alice-secret c1-c2"),
            ("bob", "tumble challenge bob alice"),
            ("bob", "set bob bob-secret block=alice"),
            ("bob", "who alice"),
            ("bob", "tumble show alice"),
            ("bob", "tumble games alice"),
            ("bob", "tumble history alice"),
            ("bob", "signup alice another-secret"),
        ],
    )
    def test_the_old_name_is_answered_with_the_new_one(self, desk: Desk, sender: str, line: str) -> None:
        desk.run("players", "rename", "alice", "alina", "--yes")
        desk.run("players", "rename", "alina", "alicia", "--yes")
        answer = desk.world.mail(sender, line)[-1]
        assert " is called alicia now." in answer.flat, answer.text

    def test_a_forgotten_password_of_the_old_name_goes_to_the_player(self, desk: Desk) -> None:
        desk.run("players", "rename", "alice", "alicia", "--yes")
        assert "Your new password" in {x.subject for x in desk.world.mail("x", "forgot alice") if "alice@" in x.to}

    @pytest.mark.slow
    def test_pages_and_the_admins_commands_know_it(self, desk: Desk) -> None:
        desk.run("players", "rename", "alice", "alicia", "--yes")
        assert "alice is called alicia now." in desk.says("players", "show", "alice", code=66)
        assert "alice is called alicia now." in desk.says("players", "lock", "alice", code=65)
        with browse(desk.world) as client:
            assert "<h1>alicia</h1>" in client.get("/players/alice").text
            assert client.get("/players/alice", follow_redirects=False).headers["Location"] == "alicia"
            assert client.get("/players/alice/feed.atom").status_code == 200

    @pytest.mark.slow
    def test_an_upgrade_knows_the_names_of_before(self, desk: Desk) -> None:
        for old, new in (("alice", "alina"), ("alina", "alicia"), ("bob", "robert")):
            desk.run("players", "rename", old, new, "--yes")
        migrate.downgrade(desk.world.engine, "0016")
        migrate.upgrade(desk.world.engine)
        for old, new in (("alice", "alicia"), ("alina", "alicia"), ("bob", "robert")):
            player = desk.world.player(old)
            found = desk.world.query(lambda s, p=player: s.players.renamed_to(p))  # type: ignore[misc]
            assert found == desk.world.player(new)

    @pytest.mark.both
    def test_her_invitations_still_work(self, desk: Desk) -> None:
        (invitation,) = [x for x in desk.world.mail("alice", "tumble challenge alice zoe@example.org") if "zoe" in x.to]
        desk.run("players", "rename", "alice", "alicia", "--yes")
        desk.world.reply(invitation, "accept zoe")
        assert {p.userid for p in desk.world.row(102).players} == {"alicia", "zoe"}


class TestData:
    def test_everything_about_her_and_no_secret(self, desk: Desk) -> None:
        desk.world.mail("alice", "set alice alice-secret timezone=Europe/Berlin block=bob")
        desk.world.mail("bob", "set bob bob-secret block=alice")
        move(desk.world, "alice", "c1-c2")
        data = json.loads(desk.run("players", "export", "alice", "--why", "her request").stdout)
        assert data["address"][0]["address"] == "alice@example.org"
        assert {r["value"] for r in data["preference"]} == {"Europe/Berlin"}
        assert [e["text"] for e in data["entry"]] == ["c1-c2"]
        assert any("tumble move" in m["calls"] for m in data["mail"])
        assert any("Your move" in x["data"] for x in data["outbox"])
        assert len(data["block"]) == 1
        assert "argon2" not in str(data)
        assert desk.event() == ("player alice: export", "her request")

    def test_every_table_that_names_players_is_in_it(self, desk: Desk) -> None:
        named = {t.name for t in tables.metadata.sorted_tables if any(c.references(tables.player.c.id) for c in t.c)}
        data = json.loads(desk.run("players", "export", "alice").stdout)
        assert data.keys() == named | {"player", "entry", "mail", "outbox", "counter"}

    @pytest.mark.slow
    def test_erased_as_by_signoff(self, desk: Desk) -> None:
        move(desk.world, "alice", "c1-c2")
        alice, bob = sorted(desk.letters("players", "erase", "alice", "--yes"), key=lambda x: x.to)
        assert "Goodbye, alice" in alice.flat
        assert bob.first_line == "Board 101 is over: bob wins (by resignation)."
        assert desk.json("players", "addresses", "alice") == []
        assert "is closed" in desk.says("players", "lock", "alice", code=65)
        desk.world.verify()

    def test_who_is_not_there(self, desk: Desk) -> None:
        assert "There is no player alize. Did you mean: alice" in desk.says("players", "lock", "alize", code=66)
        assert "There is no player zoe." in desk.says("players", "show", "zoe", code=66)


def test_what_admins_did_is_shown_with_the_player(desk: Desk) -> None:
    desk.run("players", "lock", "alice", "--why", "a complaint")
    shown = desk.says("players", "show", "alice")
    assert "account locked" in shown
    assert "player alice: lock (a complaint)" in shown
    assert desk.json("players", "show", "alice")["boards"][0]["number"] == 101


class TestCounts:
    @pytest.fixture
    def used(self, desk: Desk) -> Desk:
        """A server on which alice has written a message and invited a friend."""
        desk.world.now = utc_now()
        desk.world.mail("alice", "message alice alice-secret bob", "Hello")
        desk.world.mail("alice", "tumble challenge alice friend@example.net")
        return desk

    def test_all_of_them(self, used: Desk) -> None:
        found = {(c["subject"].split()[0], c["what"], c["used"]) for c in used.json("players", "counts")}
        assert found == {
            ("player", "message", 1),
            ("player", "invitation", 1),
            ("address", "invitation", 1),
            ("from", "invitation", 1),
            ("server", "invitation", 1),
        }
        assert "friend@example.net" not in used.run("players", "counts").stdout

    @pytest.mark.both
    def test_those_of_a_player(self, used: Desk) -> None:
        assert {c["what"] for c in used.json("players", "counts", "alice")} == {"message", "invitation"}
        assert used.json("players", "counts", "bob") == []
        used.run("players", "counts", "nobody", code=66)

    @pytest.mark.both
    def test_an_admin_lifts_them(self, used: Desk) -> None:
        used.world.allow(messages_a_day=1)
        (refused,) = used.world.mail("alice", "message alice alice-secret bob", "Hello")
        assert "You can write messages to 1 players a day." in refused.flat
        assert "3 counts lifted." in used.says("players", "counts", "alice", "--lift", "--why", "by telephone")
        assert used.event() == ("player alice: counts lifted", "by telephone")
        assert len(used.world.mail("alice", "message alice alice-secret bob", "Hello")) == 2
        assert "4 counts lifted." in used.says("players", "counts", "--lift")
        assert used.json("players", "counts") == []


class TestList:
    @pytest.mark.both
    def test_it_tells_whom_letters_do_not_reach(self, desk: Desk) -> None:
        desk.world.mail("alice", "list")
        desk.run("players", "addresses", "bob", "--add", "b@example.net")
        for _ in range(MOST_BOUNCES):
            desk.world.act(lambda s: s.addresses.count_bounce("bob@example.org", desk.world.now, MOST_BOUNCES))
        alice, bob = desk.json("players", "list")
        assert (alice["state"], alice["bounces"], bool(alice["last_mail"])) == ("confirmed", 0, True)
        assert (bob["state"], bob["bounces"]) == ("suspended", MOST_BOUNCES)
        assert bob["addresses"] == ["bob@example.org", "b@example.net"]
        assert [p["userid"] for p in desk.json("players", "list", "--suspended")] == ["bob"]


class TestVacation:
    @pytest.mark.slow
    def test_it_may_be_longer_than_the_player_could_take(self, desk: Desk) -> None:
        desk.world.mail("alice", "set alice alice-secret language=de")
        desk.world.allow(vacation_days=1)
        told = letter_to(desk, "alice", "players", "vacation", "alice", "20d", "--why", "ill")
        assert "Der Betreiber dieses Servers hat dir Urlaub gegeben, alice, bis " in told
        assert (desk.world.row().clocks[0].since or 0) > (utc_now() + timedelta(days=19)).timestamp()
        told = letter_to(desk, "alice", "players", "vacation", "alice", "off")
        assert "hat deinen Urlaub beendet" in told
        assert desk.event() == ("player alice: vacation off", "")

    def test_it_is_a_time(self, desk: Desk) -> None:
        told = desk.says("players", "vacation", "alice", "soon", code=65)
        assert told.startswith("A vacation is a number of days, or until a date that is still to come; off ends it.")
        assert told.endswith("For example: pbmserv players vacation alice 10")


class TestBan:
    WHY = ("--why", "insults")

    def write(self, desk: Desk, sender: str, text: str = "list", **headers: str) -> list[Received]:
        """Send a mail after the bans have been read again."""
        desk.world.now += timedelta(seconds=KEPT)
        return desk.world.mail(sender, text, **headers)

    @pytest.mark.slow
    @pytest.mark.both
    @pytest.mark.parametrize("who", ["Alice+x@example.org", "@example.org"])
    def test_nothing_is_done_and_the_reason_is_told_once(self, desk: Desk, who: str) -> None:
        desk.run("players", "ban", who, *self.WHY)
        (told,) = self.write(desk, "alice", "tumble move 101 alice alice-secret c1-c2")
        assert "Reason: insults" in told.flat
        assert desk.world.row().board.ply == 0
        assert self.write(desk, "alice") == []
        (ban,) = desk.json("players", "bans")
        assert desk.json("mail", "list")[0]["problem"] == f"banned: {ban['banned']}"
        desk.run("players", "unban", who)
        assert self.write(desk, "alice")
        desk.run("players", "ban", who, *self.WHY)
        assert self.write(desk, "alice")[0].flat == told.flat
        (ban,) = desk.json("players", "bans")
        assert f"Mails from {ban['banned']} are read again." in desk.says("players", "unban", str(ban["number"]))

    def test_strangers_get_no_letter_because_anybody_can_name_their_address(self, desk: Desk) -> None:
        desk.world.allow(confirm_addresses=True, trust_from=False)
        desk.run("players", "ban", "@example.net", *self.WHY)
        assert self.write(desk, "mallory@example.net", "signup mallory mallory-secret") == []
        (refused,) = self.write(desk, "alice", "add alice alice-secret mallory@example.net")
        assert "Mails from that address are not read on this server." in refused.flat
        (refused,) = self.write(desk, "alice", "tumble challenge alice mallory@example.net --as=alice:alice-secret")
        assert "Nobody can be invited at that address" in refused.flat

    def test_automatic_answers_are_met_with_silence(self, desk: Desk) -> None:
        desk.run("players", "ban", "alice@example.org", *self.WHY)
        assert self.write(desk, "alice", "Out of office", **{"Auto-Submitted": "auto-replied"}) == []

    @pytest.mark.parametrize(
        ("words", "code", "says"),
        [
            (("ban", "alice@example.org"), 65, "A ban needs a reason"),
            (("ban", "alice"), 65, "That is not a valid mail address."),
            (("unban", "@example.org"), 66, "@example.org is not banned."),
            (("unban", "7"), 66, "7 is not banned."),
        ],
    )
    def test_what_is_refused(self, desk: Desk, words: tuple[str, ...], code: int, says: str) -> None:
        assert says in desk.says("players", *words, code=code)


class TestMerge:
    YES = ("--yes", "--why", "one person")

    @pytest.fixture
    def three(self, desk: Desk) -> Desk:
        """Carol and dave are one person. Carol has beaten bob on 102, dave plays alice on 103 and waits in a seek."""
        desk.world.board("carol", "bob")
        for move_of, text in (("carol", "c1-c2"), ("bob", "f6-f5"), ("carol", "c2-c3"), ("bob", "f5-f4")):
            move(desk.world, move_of, text, board=102)
        desk.world.mail("bob", "tumble resign 102 bob bob-secret")
        desk.world.board("dave", "alice")
        desk.world.mail("dave", "tumble seek dave dave-secret")
        desk.world.mail("dave", "tumble subscribe 102 dave dave-secret")
        desk.world.mail("dave", "set dave dave-secret block=alice")
        return desk

    @pytest.mark.slow
    @pytest.mark.both
    def test_one_account_has_all_of_both(self, three: Desk) -> None:
        world = three.world
        told = [x for x in three.letters("players", "merge", "carol", "dave", *self.YES) if "merged" in x.flat]
        assert {x.to for x in told} == {"carol@example.org", "dave@example.org"}
        assert three.event() == ("player dave: merge with carol", "one person")
        assert {p.userid for n in (102, 103) for p in world.row(n).players} == {"dave", "bob", "alice"}
        assert [r["player"] for r in three.json("ratings", "show", "tumble")] == ["dave", "bob"]
        assert three.json("seeks", "list") != []
        assert "carol is called dave now." in three.says("players", "show", "carol", code=66)
        world.mail("carol@example.org", "tumble move 103 dave dave-secret c1-c2")
        assert world.row(103).board.ply == 1
        world.verify()

    @pytest.mark.slow
    @pytest.mark.parametrize(("away", "days"), [("dave", 8), ("carol", 0)])
    def test_the_time_of_all_boards_is_that_of_the_account_that_goes_on(
        self, three: Desk, away: str, days: int
    ) -> None:
        world = three.world
        world.now = utc_now()
        world.board("carol", "bob")
        three.run("players", "vacation", away, "8")
        three.run("players", "merge", "carol", "dave", *self.YES)
        until = [from_seconds(world.row(number).clocks[0].since or 0) for number in (103, 104)]
        assert [max(round((end - utc_now()) / timedelta(days=1)), 0) for end in until] == [days, days]

    @pytest.mark.slow
    def test_an_address_that_one_of_them_has_confirmed_is_confirmed(self, three: Desk) -> None:
        three.world.allow(confirm_addresses=True)
        three.world.mail("dave", "add dave dave-secret carol@example.org")
        told = three.letters("players", "merge", "carol", "dave", *self.YES)
        assert {x.to for x in told if "merged" in x.flat} == {"carol@example.org", "dave@example.org"}

    @pytest.mark.both
    @pytest.mark.parametrize(
        ("one", "other", "says"),
        [
            ("carol", "bob", "carol and bob have played with each other, on board 102"),
            ("carol", "carol", "carol is one account."),
            ("carol", "eve", "There is no player eve."),
        ],
    )
    def test_what_cannot_be_merged(self, three: Desk, one: str, other: str, says: str) -> None:
        before = three.world.dump()
        assert says in three.says("players", "merge", one, other, "--yes", code=66 if other == "eve" else 65)
        assert three.world.dump() == before

    @pytest.mark.slow
    def test_not_two_of_one_tournament(self, three: Desk) -> None:
        three.run("tournaments", "new", "hex", "--form", "league", "--start", "2030-01-31")
        for userid in ("carol", "dave"):
            three.world.mail(userid, f"tournament join 1 {userid} {userid}-secret")
        assert "are both in tournament 1" in three.says("players", "merge", "carol", "dave", "--yes", code=65)
