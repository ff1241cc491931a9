"""Look at a page in windows of several widths, in the light and in the dark, and say what is wrong."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tests.looks import axe
from tests.looks.skeleton import layout, skeleton
from tests.web.chromium import Tab

WIDTHS = (320, 360, 800, 1280)
BARE_WIDTHS = WIDTHS[1:]  #: of windows for letters without rules: there is a margin around them
SCHEMES = ("light", "dark")
_COLUMNS = (800, "light")
_HEIGHT = 4000  #: of the window, so that all of a letter is in it
_MEASURE, _AREAS = (Path(__file__).with_name(name).read_text() for name in ("measure.js", "areas.js"))


class Eye:
    """A browser that looks at one page after the other."""

    def __init__(self, tab: Tab, *, has_axe: bool = True) -> None:
        self.tab, self.has_axe = tab, has_axe
        self._right = defaultdict[str, set[str]](set)  #: elements that axe found right, by the rule left out
        self._fit: set[str] = set()  #: elements whose places were right in every window

    def wrong(self, html: str, widths: Sequence[int] = WIDTHS) -> list[str]:
        """Return what `faults` finds and, if axe can be had, what `violations` finds in a page that is loaded once."""
        return [*self.faults(html, widths=widths), *(self.violations(html, shown=True) if self.has_axe else [])]

    def faults(self, html: str, schemes: Sequence[str] = SCHEMES, widths: Sequence[int] = WIDTHS) -> list[str]:
        """Return what does not fit, is too small or does not stand out, each with the windows in which it is so.

        The dark is looked at in the narrowest window only: it changes colours and no places. A page that has an element
        laid out as on no page before is looked at in windows of all widths. Each other one is in the narrowest, where
        words and cells that are too large stand out first, and in one that is wide enough for columns side by side.
        """
        elements, narrowest = layout(html), [(widths[0], scheme) for scheme in schemes]
        every, few = [*narrowest, *((width, schemes[0]) for width in widths[1:])], [*narrowest, _COLUMNS]
        found = self._looking(html, few if elements <= self._fit else every, lambda: self.tab.evaluate(_MEASURE))
        if not found:
            self._fit |= elements
        return found

    def violations(self, html: str, but: str = "", *, shown: bool = False) -> list[str]:
        """Return what axe finds wrong in a narrow light window, and in a wide dark one with colours.

        `but`: a rule to leave out. `shown`: the page is there already.

        Axe takes half a second for a page, and judges an element as it judged the same one among the same others. So
        it looks at a page if this has an element that was on no page before, or one that was wrong.
        """
        elements = skeleton(html)
        if elements <= self._right[but]:
            return []
        found = list[str]()
        for window, colours in (((WIDTHS[0], SCHEMES[0]), False), ((WIDTHS[-1], SCHEMES[-1]), True)):
            look = partial(axe.violations, self.tab, but, colours=colours)
            found += self._looking(html, [window], look, shown=shown or colours)
        if not found:
            self._right[but] |= elements
        return found

    def areas(self, html: str) -> list[tuple[str, str, str]]:
        """Show a letter on a telephone, and return the areas of its board.

        Each is the name, the URI, and where a touch of its middle leads.
        """
        self.tab.resize(WIDTHS[1], _HEIGHT)
        self.tab.show(html)
        return [(name, uri, hit) for name, uri, hit in self.tab.evaluate(_AREAS)]

    def top(self, element: str) -> float:
        """Return how far below the top of the letter that is shown an element begins, in CSS pixels."""
        return float(self.tab.evaluate(f"document.querySelector({element!r}).getBoundingClientRect().top"))

    def take(self, html: str, width: int, scheme: str, file: Path) -> None:
        """Write a picture of a whole page as it is in a window of this width."""
        self.take_window(html, width, 100, file, scheme, whole=True)

    def take_window(
        self,
        html: str,
        width: int,
        height: int,
        file: Path,
        scheme: str = "light",
        *,
        whole: bool = False,
        above: str = "",
    ) -> None:
        """Write a picture of a window, or of the whole page in it. `above`: it is scrolled to this element."""
        self.tab.resize(width, height)
        self.tab.prefer(scheme)
        self.tab.show(html)
        self.tab.evaluate("scrollTo(0, 0)")
        if above:
            self.tab.evaluate(f"document.querySelector({above!r}).scrollIntoView()")
        self.tab.picture(file, whole=whole)

    def _looking(
        self, html: str, windows: Sequence[tuple[int, str]], find: Callable[[], list[str]], *, shown: bool = False
    ) -> list[str]:
        """Return what is found in these windows, each a width and a scheme."""
        found = defaultdict[str, list[str]](list)
        if not shown:
            self.tab.show(html)
        for width, scheme in windows:
            self.tab.resize(width, _HEIGHT)
            self.tab.prefer(scheme)
            for fault in dict.fromkeys(find()):
                found[fault].append(f"{width} {scheme}")
        return [f"({', '.join(where) if len(where) < len(windows) else 'always'}) {x}" for x, where in found.items()]
