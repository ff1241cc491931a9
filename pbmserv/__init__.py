"""pbmserv: a play-by-email game server."""

__version__ = "1.0.0"
