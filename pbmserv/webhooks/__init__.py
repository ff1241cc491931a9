"""Webhooks: events for players' own programs, which URLs are allowed, how a body is made, signed and sent.

Only their table is asked elsewhere (store/accounts/webhooks.py), because all SQL is in the store. Letters decide who is
told: a `Site` has what makes the events, so they need not know this package.
"""
