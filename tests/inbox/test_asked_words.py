"""Words that end or change a board act only when they stand there as themselves; else they are a question."""

from base64 import b64encode

import pytest

from pbmserv.commands import command_language
from pbmserv.inbox.lines.offers import words_in
from tests.boards.seasons.events import begun
from tests.commands.answers import ply, run, status, to
from tests.letters.test_digest import of_tomorrow
from tests.world import Received, World


@pytest.fixture
def letters(world: World) -> list[Received]:
    """The first letters of board 101: first that of alice, who is to move, then that of bob."""
    return world.once(_begin, "tumble challenge alice bob -c")


def _begin(world: World, line: str) -> list[Received]:
    world.signup("alice", "bob")
    return run(world, "alice", line)


def kinds(world: World) -> list[str]:
    return [e.kind.value for e in world.query(lambda s: s.boards.entries(101))]


def asked(world: World, letter: Received, body: str) -> Received:
    """Answer a letter with words that must change nothing; returns the one letter that comes back."""
    before = world.dump()
    (answer,) = world.reply(letter, body)
    assert world.dump() == before
    return answer


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        *("Resign?", "resign ?", "resign?!", "resign!?", '"resign"', "(resign)", "[resign]", "resign...", "resign,"),
        *("resign:", "`resign`", "\N{LEFT DOUBLE QUOTATION MARK}Resign\N{RIGHT DOUBLE QUOTATION MARK}", "I resign?"),
        *("aufgeben?", "ich gebe auf?", "\N{DOUBLE LOW-9 QUOTATION MARK}aufgeben\N{LEFT DOUBLE QUOTATION MARK}"),
        *("resign\N{FULLWIDTH QUESTION MARK}", "resign\N{HORIZONTAL ELLIPSIS}", "I give up??"),
    ],
)
def test_a_word_that_asks_is_offered(world: World, letters: list[Received], line: str) -> None:
    answer = asked(world, letters[0], f"{line}\n\nYou cannot win this any more")
    assert "reads like a question, a quotation or a remark, so nothing was done" in answer.flat
    assert "resign: You lose the board, and you cannot take that back." in answer.flat
    assert "To do that, answer this letter with the word yes." in answer.flat
    assert "body=yes" in answer.html
    for other in ("yes?", "ok", "Okay.", "y", "no", "Yes, but why"):
        asked(world, answer, other)
    world.reply(answer, "Yes.")
    assert kinds(world) == ["resign"]


@pytest.mark.parametrize(
    "line",
    [
        *("resign or not", "I don't resign", "not resigning", "never!", "resign? No.", "resign if you like"),
        *(
            "ok then resign",
            "go on, resign",
            "never resign",
            "no resign",
            "ich gebe nicht auf",
            "nicht aufgeben",
            "resign not",
            "resign or draw",
        ),
        *("Give up!", "you should resign", "rules? I know the rules", "resign 102", "I resign. Just kidding!"),
        *(
            "let me resign my post first",
            "my sister had a draw yesterday",
            "Nur Spaß: aufgeben",
            "the king had to resign in March",
        ),
    ],
)
def test_a_word_that_is_denied_or_is_of_others_is_not_offered(world: World, letters: list[Received], line: str) -> None:
    answer = asked(world, letters[0], line)
    assert "was not understood" in answer.flat
    assert "word yes" not in answer.flat
    assert answer.reply_to == letters[0].reply_to


@pytest.mark.parametrize("line", ["should I resign", "Do you want me to resign?"])
def test_who_asks_whether_to_resign_is_only_told_how(world: World, letters: list[Received], line: str) -> None:
    answer = asked(world, letters[0], line)
    assert "To end this board, answer " in answer.flat
    assert "word yes" not in answer.flat


@pytest.mark.parametrize(
    "line",
    [
        *(
            "I think I should resign",
            "I want to resign now, this is hopeless",
            "please resign",
            "- resign",
            "resign :-)",
            "resign, thanks",
            "resign. Well played, and thank you!",
        ),
        *(
            "Hello Bob,\n\nresign",
            "aufgeben vielleicht",
            "resign \N{SLIGHTLY SMILING FACE}",
            "~~resign~~",
            "resign . . .",
            "resign\n?",
        ),
    ],
)
def test_a_word_in_a_sentence_or_among_signs_is_offered(world: World, letters: list[Received], line: str) -> None:
    answer = asked(world, letters[0], f"{line}\n\nBye")
    assert "resign: You lose the board, and you cannot take that back." in answer.flat
    world.reply(answer, "yes")
    assert kinds(world) == ["resign"]


@pytest.mark.parametrize(
    "html",
    ["<s>resign</s>", "<q>resign</q>", "<p><strike>resign", "<p style='text-decoration:line-through'>resign</p>"],
)
def test_a_word_that_is_struck_out_or_quoted_in_html_does_nothing(
    world: World, letters: list[Received], html: str
) -> None:
    head = f"From: alice@example.org\r\nTo: {letters[0].reply_to}\r\nMessage-ID: <h@x.example>\r\nSubject: Re: x\r\n"
    (answer,) = world.bytes(f"{head}Content-Type: text/html\r\n\r\n{html}".encode(), to=letters[0].reply_to)
    assert kinds(world) == []
    assert "resign: You lose the board" in answer.flat


@pytest.mark.parametrize(
    "line",
    [
        *("tumble resign? 101 alice alice-secret", "tumble resign 101 alice alice-secret?"),
        *('"tumble resign 101 alice alice-secret"', "(tumble resign 101 alice alice-secret)"),
        *("tumble move 101 alice alice-secret resign?", "tumble move 101 alice alice-secret (resign)"),
        *("tumble queue 101 bob bob-secret h4-g5t:resign?", "tumble queue 101 alice alice-secret resign"),
    ],
)
def test_a_command_with_such_signs_does_nothing(world: World, letters: list[Received], line: str) -> None:
    before = world.dump()
    world.mail("alice", line)
    world.mail("alice", "multiple", line)
    assert (world.dump(), kinds(world)) == (before, [])


@pytest.mark.parametrize("line", ["resign", "Resign.", "RESIGN!", "*resign*", "resign!!", "** resign **", "Gebe auf."])
def test_a_word_as_itself_acts(world: World, letters: list[Received], line: str) -> None:
    world.reply(letters[0], line)
    assert kinds(world) == ["resign"]


@pytest.mark.parametrize(
    ("line", "offered", "costs"),
    [
        ("accept?", "accept", "The board ends as soon as all have agreed."),
        ("(angenommen)", "accept", "You agree to a draw."),
        ("reject?", "reject", "You reject the proposal."),
        ("OK, let's call it a draw then", "accept", "You agree to a draw."),
        ("Nah, I am winning", "reject", "You reject the proposal."),
        ("No worries mate", "accept", "You agree to a draw."),
        ("Tak!", "accept", "You agree to a draw."),  # thanks in Danish
        ("no tak", "accept", "You agree to a draw."),  # well, yes
        ("igen", "accept", "You agree to a draw."),  # again in Swedish
        ("decline the draw please", "reject", "You reject the proposal."),
        ("decline?", "decline", "nobody wins or loses"),
    ],
)
def test_answers_to_a_proposal(world: World, letters: list[Received], line: str, offered: str, costs: str) -> None:
    letter = to(world.reply(letters[0], "propose"), "bob")
    answer = asked(world, letter, line)
    assert f"{offered}: " in answer.flat
    assert costs in answer.flat
    world.reply(answer, "yes")
    assert kinds(world) == ["propose", offered]


@pytest.mark.parametrize(
    "line",
    [
        "how many points would I get for a draw?",
        "You always want a draw",
        "accept this rose",
        "accept my draw",
        "luck of the draw",
        "Accept my condolences, uncle",
        "fine, play on",
        "ok, weiter",
        "ok, next time",
        "sí, pero luego",
        "agreed it is early",
        "yes I saw your offer",
        "yes, it was",
        "ok then resign",
        "yes, nice move",
        "ok, take it back",
        "gut gespielt",
        "ja, das war früh",
    ],
)
def test_words_about_something_else_agree_to_nothing(world: World, letters: list[Received], line: str) -> None:
    letter = to(world.reply(letters[0], "propose"), "bob")
    assert "the word yes" not in asked(world, letter, line).flat


@pytest.mark.parametrize("line", ["yes", "Ja!", "ok"])
def test_a_yes_to_refused_words_accepts_nothing(world: World, letters: list[Received], line: str) -> None:
    letter = to(world.reply(letters[0], "propose"), "bob")
    answer = asked(world, asked(world, letter, "hmm, that early"), line)
    assert "Do you accept the proposal? Answer accept or reject." in answer.flat
    assert "accept: You agree to a draw." in answer.flat
    world.reply(answer, "yes")
    assert kinds(world) == ["propose", "accept"]


@pytest.mark.parametrize(
    ("line", "kind"), [("accept", "accept"), ("I accept", "accept"), ("reject", "reject"), ("no", "reject")]
)
def test_a_clear_answer_to_refused_words_counts(world: World, letters: list[Received], line: str, kind: str) -> None:
    letter = to(world.reply(letters[0], "propose"), "bob")
    world.reply(asked(world, letter, "hmm, that early"), line)
    assert kinds(world) == ["propose", kind]


def test_a_yes_to_the_proposal_itself_accepts(world: World, letters: list[Received]) -> None:
    letter = to(world.reply(letters[0], "propose"), "bob")
    asked(world, letter, "hmm, that early")
    world.reply(letter, "yes")
    assert kinds(world) == ["propose", "accept"]


@pytest.mark.parametrize("line", ["Nein danke, ich spiele weiter mit a4-b4", "No draw, a4-b4", "no. a4-b4 and fight"])
def test_who_rejects_a_draw_and_names_a_move_is_offered_the_move(
    world: World, letters: list[Received], line: str
) -> None:
    """The move does both."""
    letter = to(world.reply(to(world.reply(letters[0], "h4-g5t"), "alice"), "propose"), "bob")
    answer = asked(world, letter, line)
    assert "To play a4-b4, answer this letter with the word yes." in answer.flat
    world.reply(answer, "yes")
    assert kinds(world) == ["move", "propose", "move"]


def test_who_agrees_and_names_a_move_is_told_of_both(world: World, letters: list[Received]) -> None:
    """The move would reject the draw."""
    letter = to(world.reply(to(world.reply(letters[0], "h4-g5t"), "alice"), "propose"), "bob")
    answer = asked(world, letter, "ok. And then a4-b4")
    assert "word yes" not in answer.flat
    assert "accept: " in answer.flat
    assert "a4-b4" in answer.flat


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("How about a draw?", "propose"),
        ("would you like a draw", "propose"),
        ("Wollen wir Remis machen, was meinst du?", "propose"),
        ("can I take that back?", "undo"),
        ("what a draw", ""),
        ("a draw would be boring", ""),
        ("would a draw be an insult?", ""),
        ("I decline the draw", ""),
        ("Remis abgelehnt", ""),
        ("you can take it back", ""),
        ("why did you not offer a draw", ""),
        ("your draw is wrong", ""),
    ],
)
def test_a_request_in_a_sentence_is_offered(world: World, letters: list[Received], line: str, kind: str) -> None:
    letter = world.reply(letters[0], "h4-g5t")[0]
    answer = asked(world, letter, line)
    world.reply(answer, "yes")
    assert kinds(world) == ["move", *[kind][: bool(kind)]]


@pytest.mark.parametrize(
    ("line", "told"),
    [("help me please", "TUMBLING DOWN"), ("what are my moves", "legal moves"), ("Please show me the board", "rated")],
)
def test_a_question_is_answered_in_a_sentence_too(world: World, letters: list[Received], line: str, told: str) -> None:
    assert told in asked(world, letters[0], line).text


@pytest.mark.parametrize(("line", "kind"), [("Draw?", "propose"), ("draw ?", "propose"), ("take back?", "undo")])
def test_a_request_to_the_others_is_a_question_anyway(
    world: World, letters: list[Received], line: str, kind: str
) -> None:
    letter = world.reply(letters[0], "h4-g5t")[0]
    world.reply(letter, line)
    assert kinds(world) == ["move", kind]


@pytest.mark.parametrize(
    "below",
    [
        *(
            "Just kidding!",
            "Haha",
            "Not!",
            "As if.",
            "You wish ;-)",
            "What do you think?",
            "That is what you will do soon.",
        ),
        *("Nur Spaß!", "April, April!", "In your dreams", "You cannot win this any more.", "Jamais !", "Шучу"),
        *("Thanks, but no.", "Well played 😉", "Wait, let me think first.", "Hereby I order pizza"),
    ],
)
def test_nobody_resigns_in_jest(world: World, letters: list[Received], below: str) -> None:
    answer = asked(world, letters[0], f"resign\n\n{below}")
    assert "leave in doubt whether you mean it" in answer.flat
    world.reply(answer, "yes")
    assert kinds(world) == ["resign"]


@pytest.mark.parametrize(
    "below",
    [
        *("Well played, Bob!", "gg", "I have no chance any more.", "Thanks for the game :)\n\nAlice", "alice"),
        *("Glückwunsch, das war stark.", "Merci pour la partie", "Congratulations! That knight was too strong for me."),
    ],
)
def test_who_resigns_with_a_farewell_has_resigned(world: World, letters: list[Received], below: str) -> None:
    world.reply(letters[0], f"resign\n\n{below}")
    assert kinds(world) == ["resign"]


def test_a_draw_is_not_accepted_in_jest(world: World, letters: list[Received]) -> None:
    letter = to(world.reply(letters[0], "propose"), "bob")
    for doubt in ("Just kidding, I am winning", "Maybe. Let me think.", "I will not, you have no chance"):
        asked(world, letter, f"accept\n\n{doubt}")
    world.reply(letter, "accept\n\nA fair result.")
    assert kinds(world) == ["propose", "accept"]


def test_a_request_in_quotes_is_none(world: World, letters: list[Received]) -> None:
    answer = asked(world, letters[0], '"draw"')
    world.reply(answer, "yes")
    assert kinds(world) == ["propose"]


@pytest.mark.slow
def test_a_draw_that_would_end_the_board_at_once_needs_the_word(world: World) -> None:
    world.signup("alice", "bob")
    letters = run(world, "alice", "chess challenge alice bob")
    for move in ("g1f3 g8f6 f3g1 f6g8 " * 2).split():
        letters = world.reply(to(letters, ("alice", "bob")[ply(world) % 2]), move)
    letter = to(letters, "alice")
    answer = asked(world, letter, "draw?")
    assert "propose: You claim a draw, which ends the board." in answer.flat
    world.reply(answer, "yes")
    assert world.row().board.result


def test_what_is_not_possible_now_is_not_offered(world: World, letters: list[Received]) -> None:
    answer = asked(world, letters[0], "accept?")
    assert "word yes" not in answer.flat


def test_a_rematch_that_is_only_asked_about_begins_nothing(world: World, letters: list[Received]) -> None:
    over = to(world.reply(letters[0], "resign"), "alice")
    answer = asked(world, over, "rematch?")
    assert "rematch: A new board begins." in answer.flat
    world.reply(answer, "yes")
    assert world.row(102).rematch_of == 101


def test_the_offer_names_the_substitute(world: World, letters: list[Received]) -> None:
    world.signup("carol")
    world.reply(letters[0], "h4-g5t")
    left = to(run(world, "bob", "tumble resign 101 bob bob-secret"), "alice")
    answer = asked(world, left, "substitute carol?")
    assert to(world.reply(answer, "yes"), "carol").subject == "A seat on board 101"


def test_a_move_that_asks_is_offered(world: World, letters: list[Received]) -> None:
    answer = asked(world, letters[0], "h4-g5t?")
    assert "To play h4-g5t?, answer" not in answer.flat
    assert "To play h4-g5t, answer this letter with the word yes." in answer.flat
    world.reply(answer, "yes")
    assert ply(world) == 1


@pytest.mark.parametrize("line", ["swap?", '"swap"', "(swap)", "my move: swap?"])
def test_a_move_that_is_a_word_is_one_of_them(world: World, line: str) -> None:
    letters = world.once(_begin, "hex challenge alice bob")
    letter = to(world.reply(letters[0], "c3"), "bob")
    answer = asked(world, letter, line)
    assert "To play swap, answer this letter with the word yes." in answer.flat
    world.reply(answer, "yes")
    assert ply(world) == 2


def test_in_an_answer_to_a_digest_a_question_says_what_to_write(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("bob", "set bob bob-secret digest=daily")
    run(world, "alice", "tumble challenge alice bob")
    run(world, "alice", "tumble move 101 alice alice-secret c1-c2")
    answer = asked(world, of_tomorrow(world), "101: resign?")
    assert "To do it, write nothing else on that line but: resign" in answer.flat


def test_a_board_of_a_tournament_is_not_lost_by_a_word_that_sounds_harmless(world: World) -> None:
    begun(world, "alice", "bob")
    letter = to(run(world, "alice", "tumble move 101 alice alice-secret c1-c2"), "bob")
    answer = asked(world, letter, "decline")
    assert "Nothing was done yet. In a tournament you lose the board by forfeit." in answer.flat
    world.reply(answer, "yes")
    result = world.row().board.result
    assert result is not None
    assert result.reason == "declined"


@pytest.mark.slow
@pytest.mark.parametrize("line", ["accept?", '"accept"', "yes", "accept..."])
def test_who_is_asked_about_a_substitute_agrees_with_a_clear_word(
    world: World, letters: list[Received], line: str
) -> None:
    world.signup("carol")
    world.reply(letters[0], "h4-g5t")
    run(world, "bob", "tumble resign 101 bob bob-secret")
    letter = to(run(world, "alice", "tumble substitute 101 alice alice-secret carol"), "carol")
    asked(world, letter, line)


@pytest.mark.parametrize("line", ["leave?", "(leave)", '"leave"'])
def test_who_asks_about_leaving_a_tournament_stays(world: World, line: str) -> None:
    begun(world, "alice", "bob")
    letter = run(world, "alice", "tournament show 1", "")[0]
    joined = run(world, "alice", "tournament leave 1 alice alice-secret")[0]
    before = world.dump()
    for answer in (letter, joined):
        world.reply(answer, line)
    assert world.dump() == before


class TestAMachine:
    """A calendar answers with a word of the server. It never acts, and there is nothing to say yes to."""

    @pytest.mark.parametrize(
        ("word", "kind"),
        [
            ("Accepted", "text/calendar; method=REPLY"),
            ("decline", "text/calendar; method=COUNTER"),
            ("accept", "text/calendar; name=invite.ics"),
            ("accept", "application/octet-stream; name=Invite.ICS\r\nContent-Transfer-Encoding: base64"),
        ],
    )
    def test_a_calendar(self, world: World, letters: list[Received], word: str, kind: str) -> None:
        letter = to(world.reply(letters[0], "propose"), "bob")
        before = world.dump()
        head = f"From: bob@example.org\r\nTo: {letter.reply_to}\r\nMessage-ID: <c@x.example>\r\nSubject: Re: x\r\n"
        dates = "BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR\n"
        dates = b64encode(dates.encode()).decode() if "base64" in kind else dates
        body = f"--B\r\n\r\n{word}\r\n--B\r\nContent-Type: {kind}\r\n\r\n{dates}\r\n--B--\r\n"
        data = f"{head}Content-Type: multipart/mixed; boundary=B\r\n\r\n{body}"
        assert world.bytes(data.encode(), to=letter.reply_to) == []
        assert (world.dump(), status(world)) == (before, "silent")

    @pytest.mark.parametrize("kind", ["message/disposition-notification", "message/delivery-status"])
    def test_a_report_that_is_only_a_part(self, world: World, letters: list[Received], kind: str) -> None:
        letter = to(world.reply(letters[0], "propose"), "bob")
        before = world.dump()
        head = f"From: bob@example.org\r\nTo: {letter.reply_to}\r\nMessage-ID: <c@x.example>\r\nSubject: Re: x\r\n"
        body = f"--B\r\n\r\naccept\r\n--B\r\nContent-Type: {kind}\r\n\r\nDisposition: displayed\r\n--B--\r\n"
        data = f"{head}Content-Type: multipart/mixed; boundary=B\r\n\r\n{body}"
        world.bytes(data.encode(), to=letter.reply_to)
        assert (world.dump(), status(world)) == (before, "refused")

    def test_a_calendar_that_says_so_only_in_a_header(self, world: World, letters: list[Received]) -> None:
        letter = to(world.reply(letters[0], "propose"), "bob")
        before = world.dump()
        head = f"From: bob@example.org\r\nTo: {letter.reply_to}\r\nMessage-ID: <c@x.example>\r\nSubject: Re: x\r\n"
        kind = "Content-Class: urn:content-classes:calendarmessage"
        assert world.bytes(f"{head}{kind}\r\n\r\nAccepted\r\n".encode(), to=letter.reply_to) == []
        assert (world.dump(), status(world)) == (before, "silent")

    @pytest.mark.parametrize(
        ("subject", "headers"),
        [
            ("Accepted: Tumble Board 101 bob", {}),
            ("Zugesagt: Tumble Board 101 bob", {}),
            ("Accepté : Tumble Board 101 bob", {}),
            ("Read: Tumble Board 101 bob", {}),
            ("Gelesen: Tumble Board 101 bob", {}),
            ("Re: [EXT] Accepted: Tumble Board 101 bob", {}),
            ("Return Receipt (displayed) - Tumble Board 101 bob", {}),
            ("Re: Abwesenheitsnotiz: resign", {}),
            ("[Ticket#2026112510000012] Tumble Board 101 bob", {}),
            ("Re: Tumble Board 101 bob", {"X_OTRS_Loop": "tickets@example.org"}),
            ("Re: Tumble Board 101 bob", {"RT_Ticket": "example #12"}),
            ("Re: Tumble Board 101 bob", {"X_Zammad_Ticket_ID": "12"}),
        ],
    )
    def test_others_are_told_to_write_themselves(
        self, world: World, letters: list[Received], subject: str, headers: dict[str, str]
    ) -> None:
        letter = to(world.reply(letters[0], "propose"), "bob")
        before = world.dump()
        (answer,) = world.mail("bob", subject, "Accepted", to=letter.reply_to, **headers)
        assert (world.dump(), status(world)) == (before, "refused")
        assert "looks like one that a program wrote" in answer.flat
        assert "yes" not in answer.text.split()


_RESIGNS = """
you won, I resign, no need to count|I resign, you are too strong|Kein Sinn mehr, ich gebe auf
my queen is gone so I resign|j'abandonne, tu es trop fort
Me rindo, no tengo nada|Mi arrendo, non c'è più niente|сдаюсь, у меня нет шансов
poddaję się, nie mam szans|Dat was het, ik geef op|I resign, not necessary to play on|I would like to resign
"""
_NOT_RESIGNS = """
resign, you have no chance|you resign, I play on|I resign, not|I resign... no wait|if you take the rook, I resign
I never give up, I resign from my job|Bob says: I resign|I resign! Just kidding|I resign? never|should I resign, no hope
I would resign, but my rook is strong|tomorrow I resign, today not|on board 102, I resign|I resign, but first Nf3
"I resign", you said|when you take, I resign|I resign as treasurer, by the way|I resign, scratch that|I resign, nope
not yet, I resign later|surrender, you have no chance|I resign, my brother says|maybe I resign, maybe not
"""


def _lines(rows: str) -> list[str]:
    return rows.strip().replace("\n", "|").split("|")


@pytest.mark.parametrize("line", _lines(_RESIGNS))
def test_a_resignation_among_its_reasons_is_meant(line: str) -> None:
    assert [command.verb for command in words_in(line, command_language())] == ["resign"]


@pytest.mark.parametrize("line", _lines(_NOT_RESIGNS))
def test_no_resignation_is_meant(line: str) -> None:
    assert words_in(line, command_language()) == []
