"""Logs as key=value on standard error. No line ever holds a password, a subject or a body."""

import logging
import sys

import structlog


def configure(level: int = logging.INFO) -> None:
    """Set up structlog and the loggers of the libraries."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=max(level, logging.WARNING), stream=sys.stderr)
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's prints commands and data
