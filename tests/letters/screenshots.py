"""`make screenshots`: letters as a narrow and a wide mailer show them, light and dark, in build/screenshots.

For eyes, not for assertions. It needs a Chromium (Debian: apt-get install chromium); $CHROMIUM names another one.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from tests.letters.samples import letters

FOLDER = Path("build/screenshots")
WIDTHS = (320, 1200)
HEIGHT = 1100
_DARK = "--blink-settings=preferredColorScheme=0"
_LIGHT = "--blink-settings=preferredColorScheme=1"


def main() -> None:
    """Write a page and four pictures for each letter."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        found = letters(Path(folder))
    for name, letter in found.items():
        page = FOLDER / f"{name}.html"
        page.write_text(letter.html, encoding="utf-8")
        for width in WIDTHS:
            for scheme, flag in (("light", _LIGHT), ("dark", _DARK)):
                picture = FOLDER / f"{name}-{width}-{scheme}.png"
                _take(page, picture, width, flag)
                print(picture)


def _take(page: Path, picture: Path, width: int, *flags: str) -> None:
    """A window is never narrower than about 500 pixels, so a narrow page stands in a frame."""
    frame = page.with_suffix(".frame.html")
    frame.write_text(
        f'<body style="margin:0"><iframe src="{page.name}" style="border:0" width="{width}" height="{HEIGHT}"></iframe>'
    )
    size = f"--window-size={max(width, 500)},{HEIGHT}"
    program = os.environ.get("CHROMIUM", "chromium")
    common = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=2000"]
    subprocess.run(
        [program, *common, *flags, size, f"--screenshot={picture.resolve()}", frame.resolve().as_uri()],
        check=True,
        capture_output=True,
        timeout=60,
    )
    frame.unlink()


if __name__ == "__main__":
    main()
