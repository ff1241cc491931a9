"""Every sentence in Python has its German: the table of sentences is complete, and no entry is unused."""

import re
import tomllib
from http import HTTPStatus
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv import paths
from pbmserv.commands.accounts import RESET_WITHIN
from pbmserv.commands.help import MULTIPLE
from pbmserv.inbox.command import PASSWORD_CHARACTERS, USERID_LETTERS
from pbmserv.letters.text.translations import Messages
from pbmserv.letters.text.wording import time_words
from pbmserv.web import app
from tests.letters.text.sentences import sentences
from tests.world import RENDERER

FILE = paths.data("templates") / "de" / "messages.toml"
TABLE: dict[str, str] = tomllib.loads(FILE.read_text("utf-8"))
GERMAN = RENDERER.to("de")

#: Sentences that are made of several parts: one part -> the whole sentence.
ASSEMBLED = {
    "7 has no 7 by agreement.": ["Threes has no draw by agreement.", "Threes has no undo by agreement."],
    "Only 7 can try moves here, by adding --as=USERID:7": [
        "Only bob can try moves here, by adding --as=USERID:PASSWORD"
    ],
    "Your address has the account7 7.": [
        "Your address has the account bob.",
        "Your address has the accounts bob, eve.",
    ],
    "7 has rolled 7.": ["White has rolled 6 and 3.", "White has rolled 6, 3 and 1."],
    "7 rolls 7.": ["White rolls 6 and 3.", "White rolls 6, 3 and 1."],
    "7 rolls 7 and cannot move.": ["White rolls 6 and 3 and cannot move.", "White rolls 6, 3 and 1 and cannot move."],
    "7 do not lead there": ["6 and 3 do not lead there", "6, 3 and 1 do not lead there"],
    "answer 7 7": [
        *(
            f"answer {word}"
            for word in ("resign", "propose", "undo", "accept", "reject", "decline", "help", "rematch", "review")
        ),
        *(f"answer {word}" for word in ("substitute", "show", "join", "leave", "challenge", "yes", "play", "games")),
        *("answer moves", "answer stop", "answer play Chess", "answer help Commands", "answer help Tutorial"),
        *("answer 101: Moves", "answer 101: Show", "answer queue", "answer chat"),
    ],
    "This lost 7.": [
        "This lost the rook and a pawn.",
        *("the queen", "the rook", "the bishop", "the knight", "a pawn", "the king", "a man", "2 kings", "2 men"),
    ],
    "This gave 7 for 7.": [
        "This gave the queen and a pawn for the knight.",
        "This gave the rook for the knight and a pawn.",
        "This gave the queen and a pawn for the rook and the knight.",
    ],
    "This missed a chance to win 7.": ["This missed a chance to win the rook and a pawn."],
    "This cost about 7 point7.": ["This cost about 1 point.", "This cost about 9 points."],
    "7 7 is missing.": ["The board is missing.", "At least one userid is missing."],
    "You offer a draw": ["You offer a draw."],
    "You claim a draw": ["You claim a draw."],
    "You ask to take your last move back": ["You ask to take your last move back."],
    "You 7": ["You resign.", "You decline.", "You accept.", "You reject."],
    "7Send for example: set 7 7 timezone=7": [
        "Did you mean: Europe/Rome",
        "Send for example: set bob PASSWORD timezone=UTC",
    ],
    "Your mail has no text, only a 7, so nothing was done.": [
        f"Your mail has no text, only a {what}, so nothing was done." for what in ("picture", "sound", "film", "file")
    ],
    "It is not your turn": ["It is not your turn on this board."],
    "7 place7 left": ["1 place left", "3 places left"],
    "Finished 7 boards7": ["Finished Threes boards", "Finished 3io boards of alice and bob"],
    " of 7": ["3io boards of alice and bob"],
    "7 plays 7 board7 of 7 and wants no more than 7 at a time.": [
        "bob plays 1 board of 3io and wants no more than 1 at a time.",
        "bob plays 2 boards of 3io and wants no more than 2 at a time.",
    ],
    "7 error": ["Tumble error", "Tumble Board 101 error"],
    "7 day7": ["1 day", "2.5 days", "1 hour", "5 hours"],
    "reminder after 7": ["reminder after 1 day", "reminder after 7 days"],
    "time limit 7": ["time limit 1 day", "time limit 2.5 days"],
    "Wait until one is over. 7": [
        "Wait until one is over. Challenge somebody else, or find an opponent with: tumble seek"
    ],
    "7 minute7": ["1 minute", "12 minutes"],
    "There is no such 7": [],  # one for each of KINDS, below
    "There is no 7 '7'": [],
    " in 7.": ["There is no such command in Threes.", "There is no command 'x' in Threes."],
    "7 is for 7 player7, not for 7.": [
        "Threes is for 1 player, not for 2.",
        "3io is for 2 or 3 players, not for 5.",
        "Yacht is for 2 to 8 players, not for 9.",
    ],
    "7 7 fused 7.": [
        "3 dust fused into a rock on C1.",
        "4 galaxies fused on C1 and earned 50 points.",
        "C1 got a bonus token.",
        "C1 got 2 bonus tokens.",
    ],
    "plus card": ["The next card is a plus card."],
    "No blank is left, so these become tombstones": ["No blank is left, so these become tombstones: C1, C2."],
    "Trapped, so these become tombstones": ["Trapped, so these become tombstones: C1."],
    "Ninja-bears jump": ["Ninja-bears jump: a1-a2, c3-c4."],
    "Bears move": ["Bears move: a1-a2."],
    "7, not 7": ["the tile under Circle (A3) shows N SE NW, not S"],
    "the tile under 7 (7) shows 7": [
        "the tile under North-West (A3) shows N SE NW and the tile under North-East (C3) shows E, not S"
    ],
    "the freeze call does not hold, because ": [
        "'b2f' is not possible: the freeze call does not hold, because it is your only move."
    ],
    "no arrows": ["0 (no arrows)"],
    "Player 7: crew left 7, hand: 7": [
        "Player 1: crew left 2, hand: dust (tile 1), probe (tile 2)",
        "dust (tile 1)",
    ],
    "Box: 7": ["Box: dust 36, planet 6, galaxy 3, probe 24, station 4, singularity 2"],
    "In the hand of 7: 7": ["In the hand of Blue: long elephant (2), horse (2)", "In the hand of Black: pawn (2)"],
    " + crew": ["dust + crew", "dust (2) + crew", "dust (2)"],
    "7 7: finish on 77": ["1 South-East: finish on A8", "1 South-East: finish on A8, has left"],
    "7 on 7": ["1 on A1 and 3 on H8"],
    ", freeze": ["D4, freeze"],
    "7 win7 (7)": ["bob wins (on time)", "alice and bob win (on time)"],
    "%B %Y": ["1 May 2026"],
    "%B %Y, %H:%M": ["Monday 3 August 2026, 12:05 CEST", "Monday, 3 August 2026, 12:05 CEST"],
    "%B, %H:%M": ["Sunday, 13 December, 14:05 CET"],
    "help page": [],
    "The first line must be a password of 7 without spaces, quotes or colons, so nothing was changed.": [
        f"The first line must be a password of {PASSWORD_CHARACTERS} without spaces, quotes or colons, so nothing "
        f"was changed."
    ],
    "You cannot use that letter: it is older than 7, was used already, or there is a newer one.": [
        f"You cannot use that letter: it is older than {time_words(RESET_WITHIN)}, was used already, or there is a "
        f"newer one."
    ],
    "A name must have 7, and begin with a letter.": [f"A name must have {USERID_LETTERS}, and begin with a letter."],
    "A mail can have several commands. Write multiple as the subject, or no subject, and one command on each line of "
    "the body, at most 7. A line that says signoff ends them. The first command that fails stops the rest. The "
    "answer says what became of each line.": [MULTIPLE],
    "A password must have 7, without spaces, quotes or colons, and must not begin with a dash.": [
        f"A password must have {PASSWORD_CHARACTERS}, without spaces, quotes or colons, and must not begin with a dash."
    ],
    " cannot be a userid: it must have 7, and begin with a letter.": [
        f"'a' cannot be a userid: it must have {USERID_LETTERS}, and begin with a letter."
    ],
}
#: Parts of the sentences above that are never shown alone.
PARTS = {
    ", 3 times", ", 4 times",
    "At least one", "on 7 and earned 7 points", "into 7 on 7", "a bonus token",
    "2 bonus tokens", "7 without spaces, quotes or colons", "7 to 7 characters", "7 to 7 letters, digits, _ or -",
    "an hour", ", has left",
    "castling 77", "becomes 7", ", check", ", mate", ", arrow ",
    "dropped on", ", promoted", ", unpromoted", "keep 7 7", "go for ",
    ", tumble", "score 7", "tile 7 to 7", ", with crew",
}  # fmt: skip
#: Lines of the command language, and subjects that are such a line.
COMMANDS = {
    "yes please", "ja bitte",
    "help commands",
    "7 ladder 7 7", "7 tournament 7 7", "challenge 7", "accept 7", "forgot 7", "help tutorial",
    "signup USERID PASSWORD", "7: moves", "7: show",
    "play 7", "vacation 7 7", "7 subscribe 7 USERID 7",
}  # fmt: skip
#: Not translated: what no player reads, or what is the same in all languages (the row of a mail, docs/commands.md,
#: names, squares, what replaces secrets).
NOT_SAID = {
    "Chinese Chess",
    "7 code", "host 7", "application/json; charset=utf-8", "the answer has too many bytes", "no address",
    "(new password)", "no command was found", "new password", "letter 7 came back: 7", "mail 7", "mail shelved",
    "batch failed", "clock failed", "shelf is full", "no apology", "wrong password", "own wrong password",
    "address 7", "Re: 7", "Info(key=7, rules=7)",
    "%Y-%m-%d %H:%M %Z", "%H:%M:%S %Z", "# Commands", "## Several commands", "## Limits", "## Options of the server",
    "Game commands",
    "| syntax | does | example |", " (also `7`)", "Triple Town", "Tumbling Down", "[left out]",
    "Four in a Row", "Dots and Boxes", "Lines of Action", "Toguz Korgool", "Bao la Kiswahili", "Bao la Kujifunza",
    "b1 c1 g1 h1",
    "d4 e4 d5 e5", "d5 e5 c6 f6 b7 g7 a8 h8", "h1 a1", "a8 h8", "h1 a8 a1 h8", "a8 h1 h8 a1", "g2 b2", "b7 g7", "d5 e5",
    "-----BEGIN PGP MESSAGE-----",
    '<a class="link" style="display:inline-block;padding:6px 0;color:#14532d" href="{url}">{url}</a>',
    "Made from the command table by `make docs`; do not edit. `PASSWORD` stands for the player's password.",
}  # fmt: skip
#: Texts that the admin commands print and record. They are always in English.
OPERATOR = {
    "mailbox failed", "stopped before the first contact", "see the log",
    "No mail has come into 7 for 7 days, though the mailbox can be reached. If that is strange, write a mail to it "
    "yourself, and look into its folder for spam, and at its rules.", "No mail for a week",
    "player 7: counts lifted", "counts: all lifted", "the clock", "board 7: a day of vacation for 7", "out of time",
    "board 7: undo to ply 7, 7 entries", "board 7: void", "board 7: adjudicate, 7", "board 7: move for 7, 7",
    "Nothing has happened on this board that could be taken back.",
    "Chance or hidden things came to light since, and the same would come again: the players know it now.",
    "The end of this board told its seed, so everybody can work out dice and hidden moves to come. It cannot go on.",
    "A new board with a new seed can, unrated: 7 fork 7#7 7",
    "To correct the result: pbmserv boards adjudicate 7 USERID",
    "7 is a robot of this server.", "To let it rest, write: pbmserv robots pause 7",
    "Board 7 goes on as board 7 with a substitute.", "Rule on board 7.",
    "If that is to be so, add: --past-chance", "Board plies are 0 to 7, and only an earlier one can be gone back to.",
    "To take back what came last, leave --ply out.", "A player or a team is named twice.",
    "Name each once, the winner first.", "7 does not play on board 7.", "Its players: 7", "There is no board 7.",
    "To see the boards: pbmserv boards list", "To see the players: pbmserv players list", "There is no player 7.",
    "Nothing of it is left but its records.", "held by 7", "letter 7: hold", "dropped by 7", "letter 7: drop",
    "letter 7: resend", "mail 7: drop", "Mail 7 is not on the shelf: it is 7.", "There is no mail 7.",
    "To see the shelf: pbmserv mail list --status shelved", "There is no letter 7.",
    "To see them: pbmserv letters list", "A sender has letter 7 in hand just now.", "Try again in a minute.",
    "Letter 7 does not wait any more: it is 7.", "player 7: add", "player 7: lock", "player 7: unlock",
    "player 7: password", "player 7: address added7", "player 7: address removed", "player 7: rename to 7",
    "player 7: rename from 7", "player 7: erase", "player 7: export", "The account 7 is locked already.",
    "The account 7 is not locked.", "7 does not have that address.", "The addresses are: 7",
    "A userid has 7, a letter first.", "The userid 7 is taken, or was once.",
    ", confirmed", "The log has 7 entries, so there is no way back to 7.", "This board is void already.",
    "A decision needs one rank for each seat, 1 for the best, and the same one for partners.",
    "That is how this board ended already.", "An entry of an admin holds numbers, and this one does not.",
    "player 7: fewer letters", "called a letter spam",
    "it came again as mail 7", "clock failed", "(for the operator)", "own 7", "kept 7", "all of 7",
    "7 dmarc", "enough unproved", "7 new", "relay trouble",
    "Letter 7 was a farewell. Nothing of it is kept, so it cannot be sent again.",
    "letters to 7: hold 7", "Letter 7 is not held back: it is 7.", "letters to 7: release 7", "7 is banned already.",
    "To see all bans: pbmserv players bans", "A ban needs a reason, because the banned person is told it.",
    'Add: --why "…"', "ban 7: added", "7 is not banned.", "ban 7: taken back", "merged into 7",
    "player 7: merge into 7", "player 7: merge with 7", "Close one of them: pbmserv players erase 7",
    "7 is one account.", "Accounts that a program plays cannot be merged.",
    "7 have played with each other, on board 7: a log has each seat's player.",
    "7 are both in tournament 7, and a player has one place there.",
    "7 is not installed, so its ratings cannot be counted again.", "Install it first.", "player 7: vacation 7",
    "until 7 UTC", "7 is not to move on board 7, so no time runs out.", "Board 7 has no time limit.",
    "board 7: 7 more for 7", "banned: 7", "ban 7", "weekly letter",
}  # fmt: skip
#: Of web pages that are in English only, and of HTTP.
ON_PUBLIC_PAGES = {
    "After ply 7", "At the beginning", "To move: 7, ply 7.", "A board of 7", "7 board 7 after ply 7. 7",
    "PBM Server, 7", "players can enter", "waits for its start, entries are closed",
    "letters about your own moves", "invitations to your address", "copies of the letters about board 7",
    "set USERID PASSWORD own=on",
    "set USERID PASSWORD broadcasts=on",
    "7 subscribe 7 USERID PASSWORD", "%Y-%m-%d %H:%M", "private, no-store", "noindex, nofollow", "public, max-age=7",
    'attachment; filename="7"', "text/calendar; charset=utf-8",
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
}  # fmt: skip
#: The things that can be missing.
KINDS = ("player", "board", "command", "game", "option", "setting", "help page", "tournament", "page")
#: What error pages can be called. 413 has another name in each Python.
TITLES = [*app.TITLES.values(), *(HTTPStatus(status).phrase for status in (405, 408, 500, 503))]
#: Sentences with words that are chosen at run time, so that they are nowhere in the source as a whole.
CHOSEN = {
    "Available: none",
    "the queen on {source:w} does not reach {target:w}",
    "Enlarge the part around {cell:w}",
    *(f"{{n:d}} {men}" for men in ("black", "white", "pawns", "knights", "bishops", "rooks", "queens")),
}


def is_said(text: str) -> bool:
    return any(GERMAN.say(filled) != filled for filled in with_a_game(text))


def with_a_game(text: str) -> list[str]:
    """Return a sentence with its placeholders, and with a game for one of them."""
    parts = text.split("7")
    return [text, *("7".join(parts[:at]) + "Tumble" + "7".join(parts[at:]) for at in range(1, len(parts)))]


def test_a_name_is_not_taken_for_a_game() -> None:
    assert (GERMAN.say("Morris games"), GERMAN.say("Winter games")) == ("Mühle Partien", "Winter games")
    assert GERMAN.say("A new board of directors") == "A new board of directors"


def test_every_sentence_has_its_german() -> None:
    known = {*ASSEMBLED, *PARTS, *COMMANDS, *NOT_SAID, *OPERATOR, *ON_PUBLIC_PAGES}
    assert [(where, text) for where, text in sentences() if text not in known and not is_said(text)] == []


def test_what_is_put_together_has_its_german() -> None:
    missing = [text for kind in KINDS for text in (f"There is no such {kind}.", f"There is no {kind} 'x'.")]
    put_together = [text for texts in ASSEMBLED.values() for text in texts]
    assert [text for text in (*put_together, *TITLES, *missing) if not is_said(text)] == []


def test_what_is_excepted_is_there() -> None:
    found = {text for _, text in sentences()}
    assert {*ASSEMBLED, *PARTS, *COMMANDS, *NOT_SAID, *OPERATOR, *ON_PUBLIC_PAGES} - found == set()


@pytest.mark.parametrize("text", [text for key in ("This lost 7.", "This gave 7 for 7.") for text in ASSEMBLED[key]])
def test_men_are_told_in_german_in_each_place(text: str) -> None:
    assert not re.search(r"\b(the|a|and)\b", GERMAN.say(text))


@pytest.mark.slow
def test_nothing_in_the_table_is_left_over() -> None:
    said = [text for _, text in sentences()] + [text for texts in ASSEMBLED.values() for text in texts]
    said += TITLES + [f"There is no such {kind}." for kind in KINDS] + [f"There is no {kind} 'x'." for kind in KINDS]
    parts = {part for text in said for part in (text, *re.split("(?<=[.:]) ", text))}
    texts = {text for part in parts for text in with_a_game(part)}
    for key in (key for key in TABLE if " " in key and key not in CHOSEN and key not in texts):
        pattern = Messages({key: ""})
        assert any(pattern.find(text) is not None for text in texts), key


def test_what_is_filled_in_is_found() -> None:
    assert [key for key, said in TABLE.items() if not _names(said) <= _names(key)] == []
    conversions = {conversion for said in TABLE.values() for *_, conversion in Formatter().parse(said)}
    assert conversions <= {None, *"twm"}


def _names(sentence: str) -> set[str]:
    """Return the names of what is filled in."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


class TestMessages:
    def test_the_most_literal_pattern_counts(self) -> None:
        say = Messages({"{a} is over.": "weit: {a}", "Board {n:d} is over.": "Partie {n}", "It is over.": "aus"}).say
        assert [say("It is over."), say("Board 7 is over."), say("Board x is over.")] == [
            "aus",
            "Partie 7",
            "weit: Board x",
        ]

    def test_lines_and_sentences_are_looked_up_one_by_one(self) -> None:
        say = Messages({"One.": "Eins.", "Two: {x}": "Zwei: {x}"}).say
        assert say("One. Two: One.\nthree\nOne.") == "Eins. Zwei: One.\nthree\nEins."
        assert say("three One.") == "three One."

    def test_what_is_filled_in_may_be_looked_up(self) -> None:
        say = Messages({"{a} or {b}: {c}": "{b!t} {a} {c!w}", "red": "rot", "and": "und"}).say
        assert say("x or red: red and y") == "rot x rot und y"
        assert say("x or red: red, y, red and red") == "rot x rot, y, rot und rot"

    def test_words_and_digits(self) -> None:
        say = Messages({"{n:d} of {word:w}": "{word} {n}"}).say
        assert [say(x) for x in ("1.5 of x", "a of x", "1 of x y")] == ["x 1.5", "a of x", "1 of x y"]

    def test_what_a_player_wrote_is_no_pattern(self) -> None:
        say = Messages({"There is no player '{word}'.": "Es gibt keinen Spieler '{word}'."}).say
        assert say("There is no player '{0.__class__}{x!t}'.") == "Es gibt keinen Spieler '{0.__class__}{x!t}'."

    @pytest.mark.parametrize(
        ("left", "right"),
        [
            ("{a", "x"),
            ("a", "{a}"),
            ("{a}", "{b}"),
            ("{a} {a}", "{a}"),
            ("{a.b}", "x"),
            ("{a}", "{a.b}"),
            ("{a:x}", "x"),
            ("{a}", "{a!r}"),
            ("a", 7),
            ("{}", "x"),
            ("{a[0]}", "{a}"),
        ],
    )
    def test_what_is_not_written_as_it_should_be_is_named(self, left: str, right: str) -> None:
        with pytest.raises(ValueError, match=re.escape(repr(left))):
            Messages({left: right})

    @given(st.text(max_size=200))
    def test_any_text_is_taken(self, text: str) -> None:
        assert GERMAN.say(text).count("\n") == text.count("\n")

    @pytest.mark.parametrize(
        "text", ["a " * 900, "7 " * 900, "'' is not possible: " * 90, ", not for" * 200, ": " * 900]
    )
    def test_no_text_keeps_it_busy(self, text: str) -> None:
        """A regular expression that tried all ways to divide these texts would take almost endless time."""
        assert GERMAN.say(text).count("\n") == 0
