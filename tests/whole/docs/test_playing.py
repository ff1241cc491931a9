"""docs/playing.md is played from start to end: each mail on it is sent, and each letter on it comes."""

import re
from collections.abc import Iterator
from email import message_from_string
from typing import NamedTuple

import pytest

from pbmserv.commands import command_language
from pbmserv.inbox.lines.first_line import word_of
from tests.commands.answers import status
from tests.tools.tree import ROOT
from tests.world import Received, World

PAGE = (ROOT / "docs/playing.md").read_text()
FENCED = re.compile(r"^```(\w*) ?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """The text between two fences, and the words after the first fence."""

    kind: str
    word: str
    text: str


BLOCKS = [Block(*found) for found in FENCED.findall(PAGE)]


class Reader:
    """A reader who does what the page says. Each player has a mailbox."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.letters: list[Received] = []
        self.new: list[Received] = []

    def mail(self, text: str) -> None:
        """Send a mail as the page has it. `Re:` answers the newest letter with that subject."""
        mail = message_from_string(text)
        sender, subject, body = mail["From"], mail["Subject"], str(mail.get_payload())
        if subject.startswith("Re: "):
            self._take(self.world.reply(self._newest(sender, subject[4:]), body.rstrip("\n"), sender))
        else:
            self._take(self.world.mail(sender, subject, body))

    def subjects(self, userid: str, lines: str) -> Iterator[str]:
        """Send mails without a body. Return those that were not done."""
        for line in lines.splitlines():
            self._take(self.world.mail(userid, line))
            if status(self.world) != "done":
                yield f"{line}: {self.new[-1].text}"

    def _newest(self, to: str, subject: str) -> Received:
        return next(x for x in reversed(self.letters) if (x.to, x.subject) == (to, subject))

    def _take(self, letters: list[Received]) -> None:
        self.new = letters
        self.letters += letters


@pytest.mark.slow
def test_the_page_is_played(strict_world: World) -> None:
    reader = Reader(strict_world)
    for block in BLOCKS:
        match block:
            case ("mail", word, text):
                reader.mail(text)
                assert status(strict_world) == ("error" if word == "refused" else "done"), reader.new[-1].text
            case ("letter", _, text):
                assert any(text in letter.text for letter in reader.new), text
            case ("subjects", userid, text):
                assert list(reader.subjects(userid, text)) == []
            case _:
                pytest.fail(f"a block that is nothing: {block}")
    assert strict_world.row(101).board.result
    strict_world.verify()


def test_the_words_of_the_table_are_verbs_of_an_answer() -> None:
    table = PAGE.partition("| word | does |")[2].partition("\n\n")[0]
    words = re.findall(r"`(\w+)`", table)
    assert len(words) == 14
    answers = [said and said.command for word in words for said in [word_of(word, command_language())]]
    verbs = {"moves": "legal", "show": "showas", "stop": "fewer"}
    assert [answer and answer.verb for answer in answers] == [verbs.get(word, word) for word in words]
