"""pbmserv: a play-by-email game server."""

__version__ = "2.0.0"
