"""A headless Chromium, driven through its debugging pipe (Chrome DevTools Protocol, JSON ended by NUL).

`$CHROMIUM` names the program, if it is not the one on the PATH.
"""

import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

_NAMES = (os.environ["CHROMIUM"],) if "CHROMIUM" in os.environ else ("chromium", "chromium-browser", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, _NAMES)), None)
#: The protocol uses descriptors 3 and 4. Our own descriptors may have these numbers, so they are moved away first.
_ON_PIPES = """
import fcntl, os, sys
for wanted, fd in enumerate([fcntl.fcntl(int(x), fcntl.F_DUPFD, 10) for x in sys.argv[1:3]], start=3):
    os.dup2(fd, wanted)
os.execvp(sys.argv[3], sys.argv[3:])
"""
#: Without a process of its own for painting, a look at a page costs less. Pictures need the threads that paint.
_CHEAP = ("--disable-gpu", "--disable-gpu-compositing")
_FLAGS = ("--headless", "--no-sandbox", "--no-first-run", "--hide-scrollbars", *_CHEAP)
_CLICK = "new MouseEvent('click', { bubbles: true, cancelable: true })"
_PIPE = "--remote-debugging-pipe"


class Tab:
    """One page of the browser."""

    def __init__(self, to: IO[bytes], back: IO[bytes]) -> None:
        self._to, self._back = to, back
        self._count = 0
        self._session = ""
        self._size, self._scheme = (0, 0), ""
        self.complaints: list[str] = []  #: errors and warnings of its console
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")

    def resize(self, width: int, height: int = 800) -> None:
        """Set the size of the window. A real window is never narrower than about 500 pixels."""
        if (width, height) != self._size:
            size = {"width": width, "height": height}
            self._ask("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=1, mobile=False)
            self._size = (width, height)

    def prefer(self, scheme: str) -> None:
        """Set the preferred colours: `light` or `dark`.

        `forced`: only the reader's own few colours are allowed. `darkened`: the browser makes light pages dark.
        """
        if scheme == self._scheme:
            return
        self._scheme = scheme
        dark, forced = scheme == "dark", scheme == "forced"
        media = {"prefers-color-scheme": "dark" if dark else "light", "forced-colors": "active" if forced else "none"}
        features = [{"name": name, "value": value} for name, value in media.items()]
        self._ask("Emulation.setEmulatedMedia", features=features)
        self._ask("Emulation.setAutoDarkModeOverride", enabled=scheme == "darkened")

    def allow_scripts(self, *, allowed: bool) -> None:
        """Let pages run scripts, or do not. What a test evaluates runs in any case."""
        self._ask("Emulation.setScriptExecutionDisabled", value=not allowed)

    def show(self, html: str) -> None:
        """Show a page that loads nothing, without a server."""
        if "color-scheme" not in html:  # the document would keep the scheme that the page before it declared
            self.open("about:blank")
        frame = self._ask("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self._ask("Page.setDocumentContent", frameId=frame, html=html)

    def open(self, url: str) -> None:
        """Go to a page and wait until it and its style are loaded."""
        self._ask("Page.navigate", url=url)
        self._wait("Page.loadEventFired")

    def click(self, selector: str) -> None:
        """Click the first link or button that a CSS selector finds, also in a drawing, and wait for the next page."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).dispatchEvent({_CLICK})")
        self._wait("Page.loadEventFired")

    def mouse(self, what: str, x: float, y: float) -> None:
        """Move the mouse, or press or release its button: `mouseMoved`, `mousePressed`, `mouseReleased`."""
        button = {"button": "left", "buttons": 0 if what == "mouseReleased" else 1, "clickCount": 1}
        self._ask("Input.dispatchMouseEvent", type=what, x=x, y=y, **button)

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page, or what it promises."""
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, file: Path, *, whole: bool = True) -> None:
        """Write the page as a PNG, or only what is in the window."""
        shot = self._ask("Page.captureScreenshot", captureBeyondViewport=whole)
        file.write_bytes(b64decode(shot["data"]))

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        self._to.flush()
        return self._read(lambda m: m.get("id") == message["id"])

    def _wait(self, event: str) -> None:
        self._read(lambda m: m.get("method") == event)

    def _read(self, is_it: Any) -> dict[str, Any]:
        """Return the next message of a kind. Errors and warnings that come before it are kept."""
        while True:
            data = b"".join(iter(lambda: self._back.read(1) or b"\0", b"\0"))
            assert data, "the browser has ended"
            message = json.loads(data)
            assert "error" not in message, message
            self._hear(message)
            if is_it(message):
                found: dict[str, Any] = message.get("result", {})
                return found

    def _hear(self, message: dict[str, Any]) -> None:
        if message.get("method") == "Log.entryAdded":
            entry = message["params"]["entry"]
            self.complaints.append(f"{entry['text']} {entry.get('url', '')}")
        if message.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(str(message["params"]))


@contextmanager
def tab(profile: Path) -> Iterator[Tab]:
    """Start a browser and yield a tab. The browser is ended afterwards. `profile` is an empty folder."""
    assert PROGRAM
    to_read, to_write = os.pipe()
    back_read, back_write = os.pipe()
    command = [sys.executable, "-c", _ON_PIPES, str(to_read), str(back_write), PROGRAM, *_FLAGS, _PIPE]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([*command, f"--user-data-dir={profile}"], pass_fds=(to_read, back_write), **quiet)  # type: ignore[call-overload]  # mypy cannot see through **
    os.close(to_read)
    os.close(back_write)
    try:
        with os.fdopen(to_write, "wb") as to, os.fdopen(back_read, "rb") as back:
            yield Tab(to, back)
    finally:
        process.kill()
        process.wait()
