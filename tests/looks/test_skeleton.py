"""A page that axe may skip has nothing that axe could find wrong, and one in fewer windows nothing that these miss."""

import pytest

from tests.looks.measure import Eye
from tests.looks.skeleton import layout, skeleton

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


_RULES = """@media (min-width: 700px) { p { width: 20px; overflow-x: hidden } } .g { fill: #ddd } .d { fill: black }
.w { fill: white } @media (prefers-color-scheme: dark) { .d { fill: white } .w { fill: black } }"""
#: A drawing with three bands, two of which change places in the dark.
_FITS = f"""<!DOCTYPE html><html lang="en"><head><meta name="color-scheme" content="light dark"><style>{_RULES}</style>
</head><body><p>a</p><svg width="300" height="90"><rect class="g" width="300" height="30"/>
<rect class="w" y="30" width="300" height="30"/><rect class="d" y="60" width="300" height="30"/>
<text x="9" y="20" fill="black">knight</text></svg></body></html>"""


def test_colours_and_words_make_no_other_layout() -> None:
    other = PAGE.replace("Well", "Ill").replace("color:#333", "color:#eee").replace('"img"', '"list"')
    assert layout(other) == layout(PAGE)
    for old, new in (("color:#333", "width:9px"), ("<main>", '<main class="wide">'), ("color: black", "width: 9px")):
        assert not layout(PAGE.replace(old, new)) <= layout(PAGE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        (">a<", f">{'a' * 60}<", "320 light, 320 dark"),
        (">a<", ">aaaa<", "(800 light)"),
        ('y="20"', 'y="50"', "(320 dark)"),
        ('y="20"', 'y="80"', "(320 light, 800 light)"),
    ],
)
def test_what_is_wrong_with_a_page_like_others_is_found(eye: Eye, old: str, new: str, where: str) -> None:
    fresh, wrong = Eye(eye.tab), _FITS.replace(old, new)
    assert not fresh.faults(_FITS)
    assert layout(wrong) == layout(_FITS)
    assert where in " ".join(fresh.faults(wrong))
