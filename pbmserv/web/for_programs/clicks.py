"""How many clicks the pages hand on."""

from collections import deque
from threading import Lock

OF_ALL = 120  #: clicks a minute that are handed on
OF_ONE = 5  #: of these, for one link
_SPAN = 60.0  #: seconds


class Clicks:
    """Counts the clicks of the last minute. Nobody knows who clicks, so they are counted for each link."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last: deque[tuple[float, str]] = deque(maxlen=OF_ALL)

    def are_too_many(self, link: str, now: float) -> bool:
        """Count a click on a link, unless there were too many; return whether there were."""
        with self._lock:
            while self._last and self._last[0][0] <= now - _SPAN:
                self._last.popleft()
            same = sum(known == link for _, known in self._last)
            if same >= OF_ONE or len(self._last) >= OF_ALL:
                return True
            self._last.append((now, link))
            return False
