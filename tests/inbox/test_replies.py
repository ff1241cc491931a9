"""Answers to board letters. The signed address tells board, seat and log; the first line is a move or a verb."""

from datetime import timedelta

import pytest

from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer
from pbmserv.server.clock import Clock
from tests.commands.answers import diagram_of, ply, run, status, to
from tests.world import ADDRESS, KEY, Received, World


@pytest.fixture
def letters(world: World) -> list[Received]:
    """The first letters of board 101: first that of alice, who is to move, then that of bob."""
    return world.once(_begin)


def _begin(world: World) -> list[Received]:
    world.signup("alice", "bob", "carol")
    return run(world, "alice", "tumble challenge alice bob -c")


def unchanged(world: World, letter: Received, body: str, **rest: str) -> list[Received]:
    """Answer a letter with words that must change nothing; returns the letters that come back."""
    before = world.dump()
    answers = world.reply(letter, body, **rest)
    assert world.dump() == before
    return answers


@pytest.mark.parametrize(
    "line", ["h4-g5t", "H4g5t", "h4\N{EN DASH}g5t", "** h4-g5t **", "  h4-g5t  ", "\n\nh4-g5t", "h4-g5t#1"]
)
def test_the_first_line_is_a_move(world: World, letters: list[Received], line: str) -> None:
    answers = world.reply(letters[0], f"{line}\n\nGood luck!")
    assert ply(world) == 1
    assert [x.to for x in answers] == ["alice@example.org", "bob@example.org"]
    assert "alice writes:\n    Good luck!\n\n" in answers[1].text
    assert "Good luck!" not in answers[0].text


@pytest.mark.parametrize("sender", ["Alice", "alice@example.org, bob@example.org", "Alice <alice at home>"])
def test_an_answer_whose_sender_cannot_be_read_is_answered(world: World, letters: list[Received], sender: str) -> None:
    data = f"From: {sender}\r\nTo: {letters[0].reply_to}\r\nMessage-ID: <1@x.example>\r\n\r\nh4-g5t\r\n"
    (answer,) = world.bytes(data.encode(), to=letters[0].reply_to)
    assert answer.to == "alice@example.org"
    assert "exactly one sender" in answer.flat
    assert ply(world) == 0


def test_several_moves_on_the_first_line(world: World) -> None:
    world.signup("alice")
    (letter,) = run(world, "alice", "threes challenge alice")
    world.reply(letter, "wa sd")
    assert ply(world) == 4


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("threes", "A nice game"),
        ("threes", "a nice game"),
        ("threes", "sad news"),
        ("tumble", "accept my apologies"),
        ("tumble", "h4-g5t please"),
        ("tumble", "Dear Bob,"),
        ("tumble", ""),
        ("tumble", "res"),
        ("tumble", "101"),
    ],
)
def test_a_line_that_is_not_understood_to_the_end_does_nothing(world: World, game: str, line: str) -> None:
    world.signup("alice")
    userids = "alice" if game == "threes" else "alice alice"
    letter = run(world, "alice", f"{game} challenge {userids}")[0]
    (answer,) = unchanged(world, letter, line)
    told = "The first line of your answer was not understood" if line else "Your mail has only quoted lines or a footer"
    assert answer.flat.startswith(f"{told}, so nothing was done.")
    assert "answer with your move alone on the first line" in answer.flat
    assert diagram_of(world, 101) in answer.text
    if "please" not in line:  # with `please` the move is offered
        assert answer.reply_to == letter.reply_to


def test_an_impossible_move_is_answered_with_the_board(world: World, letters: list[Received]) -> None:
    (answer,) = unchanged(world, letters[0], "a1-a2")
    assert "'a1-a2' is not possible: a1 is empty." in answer.text
    assert diagram_of(world, 101) in answer.text
    world.reply(answer, "h4-g5t")
    assert ply(world) == 1


@pytest.mark.slow
def test_after_a_move_the_old_letter_does_nothing(world: World, letters: list[Received]) -> None:
    mine, his = world.reply(letters[0], "h4-g5t")
    for body in ("h4-g5t", "h1-h5t", "resign", "propose"):
        (answer,) = unchanged(world, letters[0], body)
        assert answer.subject == "Tumble Board 101 alice"
        assert answer.first_line == "It is bob's turn, alice."
        assert "nothing was done. Since then: alice h4-f6t." in answer.flat
        assert answer.reply_to == mine.reply_to
    (answer,) = unchanged(world, letters[1], "resign")
    assert "Since then: alice h4-f6t." in answer.flat
    assert his.reply_to == answer.reply_to


@pytest.mark.slow
def test_after_an_undo_the_old_letter_does_nothing(world: World, letters: list[Received]) -> None:
    moved = world.reply(letters[0], "h4-g5t")
    asked = world.reply(moved[0], "undo")
    world.reply(asked[1], "accept")
    for old in (letters[0], letters[1], moved[1], asked[1]):
        (answer,) = unchanged(world, old, "h4-g5t")
        assert "bob accept." in answer.flat


@pytest.mark.slow
def test_after_the_end_the_old_letter_does_nothing(world: World, letters: list[Received]) -> None:
    over = world.reply(letters[1], "resign")
    (answer,) = unchanged(world, letters[0], "h4-g5t")
    assert answer.first_line == "Board 101 is over: alice wins (by resignation)."
    assert "Since then: bob resign." in answer.flat
    for line in ("h4-g5t", "moves"):
        (answer,) = unchanged(world, over[0], line)
        assert "This board is over." in answer.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", ["101: e4", "#101 e4", "101.e4", "(101) e4", "Partie 101: e4", "On board 101 I play e4"]
)
def test_a_line_about_another_board_is_no_move_on_this_one(world: World, letters: list[Received], line: str) -> None:
    other = run(world, "alice", "go challenge alice bob")[0]
    (answer,) = unchanged(world, other, line)
    assert "Your line names board 101, but this letter is about board 102, so nothing was done." in answer.flat
    assert "the word yes" not in answer.flat
    world.reply(letters[1], "resign")
    (answer,) = unchanged(world, other, "101. e4")  # a number of a move, if no such board is running
    assert "the word yes" in answer.flat


@pytest.mark.parametrize("since", [["propose"], ["propose", "reject"]])
def test_a_move_is_still_taken_after_mere_talk_but_no_verb(
    world: World, letters: list[Received], since: list[str]
) -> None:
    for verb in since:
        run(world, "bob", f"tumble {verb} 101 bob bob-secret")
    for verb in ("resign", "propose", "reject", "accept"):
        (answer,) = unchanged(world, letters[0], verb)
        assert "nothing was done. Since then: bob propose" in answer.flat
    world.reply(letters[0], "h4-g5t")
    assert ply(world) == 1


@pytest.mark.parametrize("own", ["on", "off"])
def test_a_letter_from_before_a_restored_backup_does_nothing(world: World, letters: list[Received], own: str) -> None:
    run(world, "alice", f"set alice alice-secret own={own}")
    newer = world.site.signer.sign(signed_addresses.BOARD, 101, 0, 7)
    before = world.dump()
    (answer,) = world.mail("alice", "Re: Tumble Board 101 alice", "h4-g5t", to=newer)
    assert world.dump() == before
    assert "nothing was done" in answer.flat
    lost = world.site.signer.sign(signed_addresses.BOARD, 777, 0, 0)
    (answer,) = world.mail("alice", "Re: Tumble Board 777 alice", "h4-g5t", to=lost)
    assert "There is no board '777'." in answer.text
    assert status(world) == "error"


def test_a_move_is_taken_from_any_address(world: World, letters: list[Received]) -> None:
    answers = world.reply(letters[0], "h4-g5t", sender="elsewhere@example.net")
    assert ply(world) == 1
    assert {x.to for x in answers} == {"alice@example.org", "bob@example.org"}


@pytest.mark.parametrize("verb", ["resign", "propose", "decline"])
def test_what_cannot_be_taken_back_needs_an_own_address(world: World, letters: list[Received], verb: str) -> None:
    answers = unchanged(world, letters[0], verb, sender="elsewhere@example.net")
    assert [x.to for x in answers] == ["elsewhere@example.net"]
    assert f"tumble {verb} 101 alice PASSWORD" in answers[0].flat
    world.reply(letters[0], verb)
    assert status(world) == "done"


def test_accepting_needs_an_own_address(world: World, letters: list[Received]) -> None:
    offered = world.reply(letters[0], "propose")
    unchanged(world, offered[1], "accept", sender="elsewhere@example.net")
    world.reply(offered[1], "accept")
    assert world.row().over


def test_a_public_server_answers_a_foreign_address_at_the_players_own(strict_world: World) -> None:
    (question,) = strict_world.mail("alice", "signup alice alice-secret")
    strict_world.reply(question, "yes")
    (letter,) = strict_world.mail("alice", "threes challenge alice --as=alice:alice-secret")
    (answer,) = unchanged(strict_world, letter, "What a game!", sender="elsewhere@example.net")
    assert answer.to == "alice@example.org"


def test_a_forged_signature_is_not_accepted(world: World, letters: list[Received]) -> None:
    good = letters[0].reply_to
    local, _, domain = good.partition("@")
    words, _, mac = local.rpartition(".")
    forged = [
        f"{words}.{mac[:-1]}{'b' if mac[-1] == 'a' else 'a'}@{domain}",
        f"{words}.@{domain}",
        f"{words}@{domain}",
        f"{words.replace('b101.0.0', 'b101.1.0')}.{mac}@{domain}",
        f"{words.replace('b101.0.0', 'b102.0.0')}.{mac}@{domain}",
        f"{words.replace('b101.0.0', 'b101.0.1')}.{mac}@{domain}",
        f"{words.replace('+b101', '+c101')}.{mac}@{domain}",
        f"{local}@example.org",
        Signer(ADDRESS, KEY + b"2").sign(signed_addresses.BOARD, 101, 0, 0),
    ]
    assert world.site.signer.accepts(good)
    assert world.site.signer.accepts(good.upper())
    assert not any(map(world.site.signer.accepts, forged))
    before = world.dump()
    for address in forged:
        world.mail("alice", "Re: Tumble Board 101 alice", "h4-g5t", to=address)
    assert world.dump() == before


def test_the_letter_of_another_board_moves_there(world: World, letters: list[Received]) -> None:
    other = run(world, "alice", "tumble challenge alice bob -c")
    world.mail("alice", letters[0].subject, "h4-g5t", to=other[0].reply_to)
    assert (ply(world, 101), ply(world, 102)) == (0, 1)


def test_a_complete_command_in_the_subject_wins_over_the_body(world: World, letters: list[Received]) -> None:
    answers = world.reply(letters[0], "h4-g5t", subject="Re: Tumble Board 101 alice alice-secret h1-h2")
    assert "h1-h2" in answers[1].text
    assert "alice writes:\n    h4-g5t\n" in answers[1].text
    assert ply(world) == 1


def test_the_classic_reply_completes_the_subject(world: World, letters: list[Received]) -> None:
    _, his = world.reply(letters[0], "h4-g5t")
    world.reply(his, "", subject=f"{his.subject} bob-secret A5B4T")
    assert ply(world) == 2


class TestComments:
    """The other players get a comment once, without quotes or signatures."""

    def test_they_travel_once(self, world: World, letters: list[Received]) -> None:
        first = world.reply(letters[0], "h4-g5t\n\nwell met")
        assert first[1].text.count("well met") == 1
        second = world.reply(first[1], "a5-b4t")
        assert not any("well met" in x.text for x in second)

    def test_they_come_with_a_command_too(self, world: World, letters: list[Received]) -> None:
        _, his = run(world, "alice", "tumble move 101 alice alice-secret h4-g5t", "well met\n\nagain\n-- \nAlice")
        assert "alice writes:\n    well met\n\n    again\n\nTo move" in his.text

    @pytest.mark.parametrize(
        "words",
        [
            "answer {address} please",
            "<{address}>",
            "mailto:{address}?subject=x",
            "{ADDRESS}",
            "[{address}](mailto:{address})",
            "{local} at games.example",
            "{percent}",
            "{token}",
        ],
    )
    def test_signed_addresses_are_cut_out(self, world: World, letters: list[Received], words: str) -> None:
        address = letters[0].reply_to
        local = address.partition("@")[0]
        text = words.format(
            address=address,
            ADDRESS=address.upper(),
            local=local,
            percent=address.replace("+", "%2B").replace("@", "%40"),
            token=local.partition("+")[2],
        )
        _, his = world.reply(letters[0], f"h4-g5t\n\n{text}\nend")
        signature = local.rpartition(".")[2]
        assert "[left out]" in his.text
        assert signature not in his.text.lower()
        assert "\n    end\n" in his.text

    def test_a_password_is_cut_out(self, world: World, letters: list[Received]) -> None:
        line = "tumble move 101 alice alice-secret h4-g5t"
        _, his = run(world, "alice", line, f"{line}\nhi")
        assert "alice writes:\n    tumble move 101 alice [left out] h4-g5t\n    hi" in his.text

    def test_control_characters_are_removed(self, world: World, letters: list[Received]) -> None:
        body = "well\x1b[31m \N{RIGHT-TO-LEFT OVERRIDE}met\N{ZERO WIDTH SPACE}\N{LINE SEPARATOR}\x07there"
        _, his = world.reply(letters[0], f"h4-g5t\n\n{body}")
        assert "alice writes:\n    well[31m met\n    there\n" in his.text

    def test_a_long_comment_is_broken_to_the_width(self, world: World, letters: list[Received]) -> None:
        _, his = world.reply(letters[0], f"h4-g5t\n\n{'word ' * 200}\n{'x' * 500}")
        assert max(map(len, his.text.splitlines())) <= 79
        assert his.text.count("word ") + his.text.count("word\n") == 200
        assert his.text.count("x" * 70) >= 6

    def test_a_comment_to_an_error_goes_nowhere(self, world: World, letters: list[Received]) -> None:
        answers = unchanged(world, letters[0], "a1-a2\n\nmy secret plan")
        assert not any("secret plan" in x.text for x in answers)


class TestAtTheServiceAddress:
    """Answers from mail programs that ignore Reply-To, and from people who write to the address in From."""

    @pytest.mark.parametrize(
        "headers",
        [
            {"subject": "Re: Tumble Board 101 bob"},
            {"subject": "AW: tumble board 101 bob"},
            {"subject": "Re: Tumble Board 101"},
            {"subject": "Re: 101 your turn (Tumble)"},
            {"subject": "", "refer": "yes"},
            {"subject": "my answer", "refer": "yes"},
        ],
    )
    def test_the_player_is_told_the_reply_address(
        self, world: World, letters: list[Received], headers: dict[str, str]
    ) -> None:
        refers = {"References": f"<a@b> {letters[1].message['Message-ID']}"} if "refer" in headers else {}
        before = world.dump()
        (answer,) = world.mail("bob", headers["subject"], "a5-b4t\n\n> the letter", **refers)
        assert world.dump() == before
        assert status(world) == "error"
        assert answer.to == "bob@example.org"
        assert "not to the reply address of the letter, so nothing was done." in answer.flat
        assert letters[1].reply_to in answer.text
        assert "password" not in answer.text.lower()
        assert diagram_of(world, 101) in answer.text
        assert answer.reply_to == letters[1].reply_to

    def test_a_legal_move_is_offered(self, world: World, letters: list[Received]) -> None:
        (answer,) = world.mail("alice", "Re: Tumble Board 101 alice", "h4-g5t\n\n> the letter")
        assert "To play h4-g5t, answer this letter with the word yes." in answer.flat
        assert answer.reply_to in answer.text
        world.mail("alice", "x", "yes", to=answer.reply_to)
        assert ply(world) == 1

    @pytest.mark.parametrize(
        "subject", ["Re: Tumble Board 101 bob", "Re: Tumble Board 999 bob", "Re: 101 bob (Tumble)"]
    )
    def test_a_stranger_to_the_board_reads_of_it_in_words_only(
        self, world: World, letters: list[Received], subject: str
    ) -> None:
        (answer,) = world.mail("carol", subject, "a5-b4t")
        assert "the address that the letter names as its reply address (Reply-To)" in answer.flat
        assert "+" not in answer.text
        assert answer.message["Reply-To"] is None

    def test_a_forged_sender_learns_nothing(self, strict_world: World) -> None:
        """The reply address is sent only to the player's own address. An unconfirmed sender gets the usual notice."""
        world = strict_world
        world.signup("alice", "bob")
        world.mail("alice", "tumble challenge alice bob -c --as=alice:alice-secret")
        (answer,) = world.mail("bob", "Re: Tumble Board 101 bob", "resign", Reply_To="mallory@evil.example")
        assert answer.to == "bob@example.org"
        (notice,) = world.mail("mallory@evil.example", "Re: Tumble Board 101 bob", "resign")
        assert notice.to == "mallory@evil.example"
        assert "pbmserv+" not in notice.text

    def test_an_answer_to_a_letter_about_no_board(self, world: World, letters: list[Received]) -> None:
        (help_,) = world.mail("bob", "help")
        (answer,) = world.mail("bob", "Re: Thank you", "thanks", In_Reply_To=str(help_.message["Message-ID"]))
        assert "Reply-To" in answer.text

    def test_a_command_in_a_reply_is_a_command(self, world: World, letters: list[Received]) -> None:
        known = str(letters[0].message["Message-ID"])
        world.mail("alice", "Re: Tumble Board 101 alice alice-secret h4-g5t", In_Reply_To=known)
        assert ply(world) == 1

    @pytest.mark.parametrize("line", ["tumble board 101 bob bob-secret", "tumble move 101 bob", "tumble boat 101 bob"])
    def test_an_error_in_a_command_is_told_as_one(self, world: World, letters: list[Received], line: str) -> None:
        (answer,) = world.mail("bob", line)
        assert "reply address" not in answer.flat

    def test_in_german(self, world: World, letters: list[Received]) -> None:
        world.mail("bob", "set bob bob-secret language=de")
        (answer,) = world.mail("bob", "AW: Tumble Board 101 bob", "a5-b4t")
        assert f"Sende sie an diese Adresse: {letters[1].reply_to}" in answer.flat
        assert "Antwortadresse des Briefs" in answer.flat


def problem(world: World) -> str:
    """Return what the log of mails says of the last one that failed."""
    return str(world.query(lambda s: s.mails.newest(1))[0].problem)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("", "Your mail has no text, so nothing was done."),
        ("{quoted}", "Your mail has only quoted lines or a footer, so nothing was done."),
        ("{quoted}\n> h4-g5t", "Your mail has only quoted lines, and your answer is one of them, so nothing was done."),
        ("Hello Bob,", "The first line of your answer was not understood, so nothing was done."),
    ],
)
def test_an_answer_without_words_of_its_own_is_told_so(
    world: World, letters: list[Received], body: str, told: str
) -> None:
    quoted = "\n".join(f"> {line}" for line in letters[0].text.splitlines())
    (answer,) = world.mail("alice", "Re: x", body.format(quoted=quoted), to=letters[0].reply_to)
    assert answer.flat.startswith(told)
    assert problem(world) == told
    assert ("To play h4-g5t, answer this letter with the word yes." in answer.flat) == ("h4-g5t" in body)


@pytest.mark.parametrize(
    ("kind", "what"), [("image/jpeg", "picture"), ("audio/mp4", "sound"), ("application/pdf", "file")]
)
@pytest.mark.parametrize("text", ["", "\r\nSent from my iPhone", "\r\nSent from my iPhone\r\n\r\n{quoted}"])
def test_an_answer_that_is_only_a_file_is_told_so(
    world: World, letters: list[Received], kind: str, what: str, text: str
) -> None:
    quoted = "".join(f"> {line}\r\n" for line in letters[0].text.splitlines())
    head = f"From: alice@example.org\r\nTo: {letters[0].reply_to}\r\nMessage-ID: <1@x.example>\r\n"
    ours = "Content-Type: image/png; name=board.png\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC\r\n--b\r\n"
    part = f"Content-Type: {kind}; name=memo\r\nContent-Transfer-Encoding: base64\r\n\r\nAAEC\r\n"
    mixed = f"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n{text.format(quoted=quoted)}\r\n\r\n--b\r\n"
    (answer,) = world.bytes(
        f"{head}{mixed}{ours if quoted in mixed else ''}{part}--b--\r\n".encode(), letters[0].reply_to
    )
    assert answer.flat.startswith(f"Your mail has no text, only a {what}, so nothing was done.")


def test_when_it_is_not_your_turn_every_refusal_says_so_first(world: World, letters: list[Received]) -> None:
    for line in ("hello there", "a5-c3t", "undo", "accept", "resign?", "moves", ""):
        (answer,) = world.mail("bob", "Re: x", line, to=letters[1].reply_to)
        assert answer.text.startswith("It is not your turn"), line
        assert answer.text.count("It is not your turn") == 1
        assert "legal moves" not in answer.text


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("no", "reject"),
        ("No, thanks!", "reject"),
        ("nein", "reject"),
        ("sure, go ahead", "accept"),
        ("Of course", "accept"),
        ("No problem!", "accept"),
        ("yes undo", "accept"),
    ],
)
def test_a_take_back_is_answered_with_yes_or_no(world: World, letters: list[Received], line: str, kind: str) -> None:
    mine = to(world.reply(letters[0], "h4-g5t"), "alice")
    asked = to(world.reply(mine, "undo"), "bob")
    world.reply(asked, line)
    assert [entry.kind for entry in world.query(lambda s: s.boards.entries(101))] == ["move", "undo", kind]


def test_a_draw_is_accepted_with_yes_and_asked_about_after_ok(world: World, letters: list[Received]) -> None:
    """Who writes ok may only have read the offer."""
    offer = to(world.reply(letters[0], "propose"), "bob")
    (answer,) = unchanged(world, offer, "ok")
    assert "accept: You agree to a draw." in answer.flat
    (answer,) = world.reply(offer, "Yes, draw agreed. Thanks for the game!")
    assert "Your other words go to alice with it, and so do words below the yes." in answer.flat
    assert world.row().board.result is None
    world.reply(offer, "yes, please")
    assert world.row().board.result


def test_words_to_the_opponent_after_the_end_are_offered_as_chat(world: World, letters: list[Received]) -> None:
    over = to(world.reply(letters[0], "resign"), "bob")
    (answer,) = unchanged(world, over, "Was I lucky?")
    assert "To say something to alice, answer this letter with your words, for example: Was I lucky?" in answer.flat
    assert ">Was I lucky?</a>" in answer.html
    (again,) = unchanged(world, over, "Noch eine Partie?")
    assert "rematch: " in again.flat
    unchanged(world, over, "yes")
    assert "legal moves" not in answer.text
    told = to(world.reply(answer, "Good game, thank you!"), "alice")
    assert "Good game, thank you!" in told.text


@pytest.mark.parametrize(
    "line",
    [
        *("gg", "Thanks for the game, alice!", "Danke fürs Spiel", "Thanks, that was fun!"),
        *("Glückwunsch, gut gespielt!", "Félicitations, bien joué, alice!", "Parabéns, bem jogado!"),
        *("Well played! I am ashamed.", "gg, my little brother was at the keyboard ;-)"),
    ],
)
def test_good_wishes_after_the_end_go_to_the_opponent(world: World, letters: list[Received], line: str) -> None:
    over = to(world.reply(letters[0], "resign"), "bob")
    assert line in to(world.reply(over, line), "alice").text


class TestBeforeOnesTurn:
    def test_a_move_is_offered_and_a_yes_keeps_it(self, world: World, letters: list[Received]) -> None:
        (answer,) = unchanged(world, letters[1], "a5-b4t")
        world.reply(answer, "yes")
        assert ply(world) == 0
        world.reply(letters[0], "h4-g5t")
        assert ply(world) == 2

    def test_the_yes_plays_it_if_it_is_ones_turn_by_then(self, world: World, letters: list[Received]) -> None:
        (answer,) = unchanged(world, letters[0], "I play h4-g5t")
        world.reply(answer, "yes")
        assert ply(world) == 1


def test_a_sentence_goes_to_who_has_written(world: World, letters: list[Received]) -> None:
    his = to(run(world, "alice", "tumble chat 101 alice alice-secret", "A fine day!"), "bob")
    for sentence in ("Indeed it is, and warm.", "Do you have help?", "Please tell me about the rules."):
        mine = to(world.reply(his, f"{sentence}\nBob"), "alice")
        assert f":\n    {sentence}\n    Bob\n" in mine.text
        assert status(world) == "done"


def test_a_draw_that_cannot_be_offered_with_a_move_is_told_in_its_letter(world: World, letters: list[Received]) -> None:
    mine, _ = world.reply(letters[0], "h4-g5t\npropose\nWell met!", sender="elsewhere@example.net")
    assert (ply(world), world.row().board.offer) == (1, None)
    assert "\n\nThis works only from one of your own addresses.\n" in mine.text


def test_a_move_with_a_draw_below(world: World, letters: list[Received]) -> None:
    answers = world.reply(letters[0], "h4-g5t\npropose\nWell met!")
    assert world.row().board.offer is not None
    assert "alice writes:\n    Well met!\n" in answers[-1].text
    assert "propose" not in answers[-1].text.partition("alice writes:")[2].partition("\n\n")[0]


def test_a_move_among_other_words_is_offered_at_the_service_address(world: World, letters: list[Received]) -> None:
    (answer,) = world.mail("alice", "Re: Tumble Board 101 alice", "I play h4 to g5t today")
    assert world.row().board.length == 0
    world.mail("alice", "x", "yes", to=answer.reply_to)
    assert ply(world) == 1


class TestAfterANewPassword:
    @pytest.mark.parametrize("hours", [0, 1])
    def test_one_letter_in_an_hour_has_the_new_address(self, world: World, letters: list[Received], hours: int) -> None:
        world.mail("alice", "change password alice alice-secret new-secret")
        (first,) = world.reply(letters[0], "h4-g5t")
        reason = "You have set another password since that letter, so nothing was done."
        assert reason in first.flat
        assert problem(world).startswith(reason)
        world.now += timedelta(hours=hours)
        assert len(world.reply(letters[0], "h4-g5t")) == hours
        assert ply(world) == 0
        world.reply(first, "h4-g5t")
        assert ply(world) == 1


class TestDigests:
    @pytest.fixture
    def digest(self, world: World, letters: list[Received]) -> Received:
        """A digest for bob with board 101, on which it is his turn; 102 has begun since."""
        bob = world.player("bob")
        world.act(lambda s: s.players.set_preference(bob.id, "", "digest", "daily"))
        world.reply(letters[0], "h4-g5t")
        world.now += timedelta(days=1)
        Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
        (digest,) = [letter for letter in world.letters() if letter.subject == "Digest"]
        run(world, "alice", "tumble challenge alice bob -c")
        return digest

    def test_each_line_has_a_result_and_the_first_problem_is_noted(self, world: World, digest: Received) -> None:
        before = world.dump()
        (answer,) = world.reply(digest, "102: resign\n101: a1-a2\n101. nonsense")
        assert world.dump() == before
        assert problem(world) == "Board 102 was not in that letter."
        told = [line for line in answer.text.splitlines() if line.startswith("> ")]
        assert told == ["> (board 102)", "> tumble move 101 bob a1-a2", "> (board 101)"]
        results = world.reply(answer, "#101 a5-b4t\n\n101: resign please")
        assert ply(world) == 2
        assert results[-1].subject == "Digest"

    def test_an_answer_that_names_no_board_is_told_how(self, world: World, digest: Received) -> None:
        (answer,) = unchanged(world, digest, "a5-b4t\n101: a5-b4t")
        assert "Your answer does not name a board." in answer.flat
        world.reply(answer, "101: a5-b4t")
        assert ply(world) == 2

    def test_an_old_one_is_answered_with_a_new_address(self, world: World, digest: Received) -> None:
        run(world, "bob", "change password bob bob-secret new-secret")
        (new,) = world.reply(digest, "101: a5-b4t", sender="spy@example.com")
        assert (new.to, new.subject, ply(world)) == ("bob@example.org", "Digest", 1)
        assert "another password" in problem(world)
        assert world.reply(digest, "101: a5-b4t", sender="spy@example.com") == []
        world.reply(new, "101: a5-b4t")
        assert ply(world) == 2
