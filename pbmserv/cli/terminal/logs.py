"""Logs as key=value or JSON on standard error, a line each. No line ever holds a password, a subject or a body."""

import logging
import os
import sys

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

#: Priorities of syslog(3), which the journal reads from the beginning of a line: sd-daemon(3).
_PRIORITIES = {"critical": 2, "error": 3, "warning": 4, "info": 6, "debug": 7}


def configure(form: str = "kv", level: str = "info") -> None:
    """Set up structlog and the loggers of the libraries. `form`: kv or json."""
    least = logging.getLevelNamesMapping()[level.upper()]
    first, last = _processors(form, journal=is_journal())
    structlog.configure(
        processors=[*first, last],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),  # a line in one write: none is cut by others
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    cleaned = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[cleaned, last], foreign_pre_chain=first))
    logging.basicConfig(level=max(least, logging.WARNING), handlers=[handler])
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's prints commands and data


def is_journal() -> bool:
    """Whether standard error goes straight to systemd's journal: then that is the file which JOURNAL_STREAM names."""
    try:
        found = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


def _processors(form: str, *, journal: bool) -> tuple[list[Processor], Processor]:
    """What adds to a line, and what writes it. The journal knows the time itself, and wants to be told the priority."""
    first: list[Processor] = [structlog.processors.add_log_level]
    if not journal:
        first.append(structlog.processors.TimeStamper(fmt="iso", utc=True))
    first.append(structlog.processors.format_exc_info)  # not as a dict: that form shows the values of local variables
    order = ["timestamp", "level", "event"]
    last: Processor = structlog.processors.JSONRenderer()
    if form == "kv":
        last = structlog.processors.KeyValueRenderer(key_order=order, drop_missing=True)
    return first, _with_priority(last) if journal else last


def _with_priority(render: Processor) -> Processor:
    def write(logger: WrappedLogger, method: str, line: EventDict) -> str:
        priority = _PRIORITIES.get(line.pop("level", method), 6)
        return f"<{priority}>{render(logger, method, line)!s}"

    return write
