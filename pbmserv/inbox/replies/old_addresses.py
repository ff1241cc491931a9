"""Counts letters with a new reply address, for who answers with one from before a new password."""

from datetime import timedelta

from pbmserv.inbox.context import Context

OLD_ADDRESS = (
    "You have set another password since that letter, so nothing was done. This letter has a new reply address."
)


def is_renewed(ctx: Context, what: str) -> bool:
    """Count a letter with a new reply address. Somebody else may have the old one, so there is one in an hour."""
    return ctx.is_first_letter("renewal", what, timedelta(hours=1))
