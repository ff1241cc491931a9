"""What became of one mail. It travels with the mail, is filled in on the way, and becomes one line of the log."""

from dataclasses import dataclass, field
from time import perf_counter

#: What to call the fate of a mail that did not become a row of the database, by the code of its reply.
_UNSTORED = {"451": "failed", "452": "busy", "550": "malformed", "552": "too large"}


@dataclass
class Story:
    """One at a time has the mail in hand, so there is no lock."""

    mail: int | None = None  #: the number under which it is stored, which apologies and `pbmserv mail show` name, too
    status: str = ""  #: as in the table of mails, or "duplicate"
    stages: dict[str, float] = field(default_factory=dict)  #: milliseconds, by the name of what was done
    _since: float = field(default_factory=perf_counter, repr=False)

    def did(self, stage: str) -> None:
        """A stage ended at this moment."""
        now = perf_counter()
        self.stages[stage] = (now - self._since) * 1000
        self._since = now

    def fate(self, reply: str) -> str:
        """In one word what became of the mail that got this reply."""
        return _UNSTORED.get(reply[:3], self.status)

    def told(self, reply: str) -> dict[str, object]:
        """What there is to log. The number of a mail whose transaction failed is nobody's."""
        stages = {f"{name}_ms": round(spent, 1) for name, spent in self.stages.items()}
        stored = {"mail": self.mail} if self.mail and reply.startswith("2") else {}
        return {**stored, "status": self.fate(reply), **stages}
