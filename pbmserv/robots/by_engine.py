"""How a robot decides whose moves an engine of others chooses: as the engine says, if it can be asked."""

import structlog

from pbmserv.games.base.evaluation import Choice
from pbmserv.robots.engines import CannotPlay, EngineFault, Engines, NoEngine, Strength
from pbmserv.robots.manners import Chooser
from pbmserv.robots.thinking import AnyProblem

log = structlog.get_logger()


def chooser(engines: Engines, name: str, limit: Strength) -> Chooser:
    """Return who asks an engine for its choice. None in place of it: our own search has to move."""

    def choose(problem: AnyProblem) -> Choice | None:
        if problem.record is None:
            return None
        try:
            reply = engines.choose(name, problem.record, limit)
        except EngineFault as fault:
            log.warning("engine_fault", engine=name, error=str(fault))
            return None
        except (CannotPlay, NoEngine):
            return None
        value = 1.0 if reply.value is None else reply.value  # without an opinion it wants no draw
        return Choice(reply.text, value, 0, reply.is_lost)

    return choose
