"""Whether the time can be trusted after a jump: it must have been steady for an hour, also over restarts.

Until then nothing is done that could not be taken back if the clock was wrong.
"""

import json
from dataclasses import astuple, dataclass

from pbmserv.boards.clocks.deadlines import AWAY
from pbmserv.store import Store

#: Seconds for which the time must be steady after a jump. A clock that is wrong when a machine starts is usually set
#: right within minutes; whoever waits for something that a tournament does can wait an hour longer.
STEADY = 3600.0
_JUMP = "jump"  #: the fact that tells of the last jump while the time is not steady yet


@dataclass(frozen=True)
class Jump:
    """The last jump of the time, in seconds, when it was noticed, and for how many seconds the time is steady since."""

    seconds: float
    at: float
    steady: float = 0.0


def jump(store: Store) -> Jump | None:
    """Return the last jump of the time; None if it is steady again."""
    return Jump(*json.loads(fact)) if (fact := store.operations.fact(_JUMP)) else None


def watch(store: Store, now: float, steady: float, drift: float = 0.0) -> bool:
    """Note for how many seconds the time has been steady since the last run, and return whether it is for long enough.

    `drift`: by how much it differs from the steady clock of this process, which small jumps in a row add up to.
    """
    if abs(drift) > AWAY:
        note_jump(store, Jump(drift, now))
        return False
    last = jump(store)
    if last is None:
        return True
    last = Jump(last.seconds, last.at, last.steady + max(steady, 0.0))
    note_jump(store, last if last.steady < STEADY else None)
    return last.steady >= STEADY


def note_jump(store: Store, newest: Jump | None) -> None:
    """Store the last jump, or that the time is steady again."""
    store.operations.set_fact(_JUMP, json.dumps(astuple(newest)) if newest else "")
