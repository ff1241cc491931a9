"""`make screenshots`: pictures of the web pages, narrow and wide, light and dark, in build/screenshots/web."""

import tempfile
from pathlib import Path

from tests.web.chromium import tab
from tests.web.filled import fill
from tests.web.process import served
from tests.web.test_chromium import NARROW, PAGES, WIDE
from tests.world import World

FOLDER = Path("build/screenshots/web")


def main() -> None:
    """Make three pictures of each page."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        place = Path(name)
        world = World(place)
        fill(world)
        with served(place, PBMSERV_DATABASE_URL=world.url) as url, tab(place / "chromium") as page:
            for path in PAGES:
                for width, scheme in ((NARROW, "light"), (NARROW, "dark"), (WIDE, "light")):
                    page.resize(width)
                    page.prefer(scheme)
                    page.open(f"{url}{path}")
                    stem = path.strip("/").replace("/", "-").replace("?", "-") or "home"
                    page.picture(FOLDER / f"{stem}-{width}-{scheme}.png")
                    print(FOLDER / f"{stem}-{width}-{scheme}.png")


if __name__ == "__main__":
    main()
