"""docs/adding-a-language.md: the example is a valid table, and translates sentences that the program has."""

import re
import tomllib

from pbmserv.letters.text.translations import Messages
from tests.letters.text.test_translations import TABLE
from tests.tools.tree import ROOT

PAGE = (ROOT / "docs/adding-a-language.md").read_text("utf-8")
EXAMPLE: dict[str, str] = tomllib.loads(re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0])


def test_what_stands_on_the_left_are_sentences_of_ours() -> None:
    assert EXAMPLE.keys() <= TABLE.keys()


def test_the_example_translates() -> None:
    say = Messages({left: right for left, right in EXAMPLE.items() if left != "described"}).say
    assert say("You already have 3 open seeks, which is the limit.") == "Je hebt al 3 open oproepen, en meer kan niet."
    assert say("The next tile is: tombstone.") == "De volgende steen is: grafsteen."
