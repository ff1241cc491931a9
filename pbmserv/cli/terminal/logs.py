"""Logs on standard error, one line for each event. No line contains a password, a subject or a body."""

import logging
import os
import sys
from enum import StrEnum

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

#: Priorities of syslog(3). The journal reads them from the beginning of a line, see sd-daemon(3).
_PRIORITIES = {"critical": 2, "error": 3, "warning": 4, "info": 6, "debug": 7}


def configure(form: str = "kv", level: str = "info") -> None:
    """Set up structlog and the loggers of the libraries. `form`: kv or json."""
    least = logging.getLevelNamesMapping()[level.upper()]
    first, last = _processors(form, journal=is_journal())
    structlog.configure(
        processors=[*first, last],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.WriteLoggerFactory(
            sys.stderr
        ),  # writes each line in one call, so that lines of several threads do not mix
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    cleaned = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[cleaned, last], foreign_pre_chain=first))
    logging.basicConfig(level=max(least, logging.WARNING), handlers=[handler])
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # at lower levels aiosmtpd logs commands and data


def is_journal() -> bool:
    """Return whether standard error is systemd's journal: JOURNAL_STREAM then names that file."""
    try:
        stat = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{stat.st_dev}:{stat.st_ino}"


def _processors(form: str, *, journal: bool) -> tuple[list[Processor], Processor]:
    """Return the processors of a log line. The journal adds the time itself, but needs the priority."""
    first: list[Processor] = [structlog.processors.add_log_level]
    if not journal:
        first.append(structlog.processors.TimeStamper(fmt="iso", utc=True))
    first.append(
        structlog.processors.format_exc_info
    )  # as text, because the dict form shows the values of local variables
    order = ["timestamp", "level", "event"]
    last: Processor = structlog.processors.JSONRenderer()
    if form == "kv":
        first.append(_as_words)
        last = structlog.processors.KeyValueRenderer(key_order=order, drop_missing=True)
    return first, _with_priority(last) if journal else last


def _as_words(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Write the words of enums, as JSON does, and not their names in the program."""
    return {name: str(value) if isinstance(value, StrEnum) else value for name, value in line.items()}


def _with_priority(render: Processor) -> Processor:
    def write(logger: WrappedLogger, method: str, line: EventDict) -> str:
        priority = _PRIORITIES.get(line.pop("level", method), 6)
        return f"<{priority}>{render(logger, method, line)!s}"

    return write
