"""A page that axe may skip has nothing that axe could find wrong."""

import pytest

from tests.looks.measure import Eye
from tests.looks.skeleton import skeleton

PAGE = """<!DOCTYPE html><html lang="en"><head><title>A page</title><style>p { color: black }</style></head><body><main>
<h1>Board</h1><p id="one">It is <a href="/b">your turn</a>.</p><p style="color:#333">Well played<br>!</p>
<svg role="img" aria-label="knight on b1"><text x="1">knight</text></svg></main></body></html>"""
#: What axe or a reader sees as something else.
OTHERS = [
    *(
        (' style="color:#333"', ' style="color:#eee"'),
        ("black", "white"),
        (' lang="en"', ""),
        ('lang="en"', 'lang="de"'),
    ),
    *(("your turn", ""), ('style="', 'id="one" style="'), (' aria-label="knight on b1"', ""), (">knight<", ">rook<")),
    *(("<main>", '<main role="list">'), ("<h1>Board</h1>", "<div>Board</div>"), (' href="/b"', ' href=""')),
]


def test_words_and_places_make_no_other_page() -> None:
    other = PAGE.replace("Well played", "Good luck").replace('x="1"', 'x="2"').replace("/b", "/c").replace("Board", "A")
    assert skeleton(other) == skeleton(PAGE)


@pytest.mark.parametrize(("old", "new"), OTHERS)
def test_all_else_does(old: str, new: str) -> None:
    assert not skeleton(PAGE.replace(old, new)) <= skeleton(PAGE)


@pytest.mark.slow
@pytest.mark.usefixtures("checker")
def test_a_fault_is_found_on_each_page_that_has_it(eye: Eye) -> None:
    fresh, wrong = Eye(eye.tab), PAGE.replace("#333", "#eee")
    eye.tab.show('<meta name="color-scheme" content="light dark">')  # its colours stay its own
    assert fresh.violations(PAGE) == []
    assert all("color-contrast" in str(fresh.violations(page)) for page in (wrong, wrong, wrong.replace("Well", "Ill")))
    assert fresh.violations(wrong, "color-contrast") == []
