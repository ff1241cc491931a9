"""`make screenshots`: pictures of letters in a narrow and a wide window, light and dark, in build/screenshots.

The pictures are to be looked at; nothing is asserted. You need a Chromium (Debian: apt-get install chromium);
$CHROMIUM names another one.
"""

import tempfile
from pathlib import Path

from tests.letters.samples import letters
from tests.web.chromium import tab

FOLDER = Path("build/screenshots")
WIDTHS = (320, 1200)


def main() -> None:
    """Write a page and four pictures for each letter."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, tab(Path(name) / "chromium") as mailer:
        for kind, letter in letters(Path(name)).items():
            page = FOLDER / f"{kind}.html"
            page.write_text(letter.html, encoding="utf-8")
            for width in WIDTHS:
                for scheme in ("light", "dark"):
                    mailer.resize(width)
                    mailer.prefer(scheme)
                    mailer.open(page.resolve().as_uri())
                    mailer.picture(FOLDER / f"{kind}-{width}-{scheme}.png")
                    print(FOLDER / f"{kind}-{width}-{scheme}.png")


if __name__ == "__main__":
    main()
