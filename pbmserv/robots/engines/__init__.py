"""Programs of others that choose and judge moves: one process for each, apart from the server (ADR 104).

`pool.Engines` owns the processes. What an engine may know of a board is a `PlayedSoFar`, and what it says are `Line`s.
"""

from pbmserv.robots.engines.pool import Engines, speaks
from pbmserv.robots.engines.process import EngineFault
from pbmserv.robots.engines.told import (
    CannotPlay,
    EngineMove,
    EngineSettings,
    Line,
    NoEngine,
    PlayedSoFar,
    Strength,
)

__all__ = [
    "CannotPlay",
    "EngineFault",
    "EngineMove",
    "EngineSettings",
    "Engines",
    "Line",
    "NoEngine",
    "PlayedSoFar",
    "Strength",
    "speaks",
]
