"""Incoming mail and outgoing letters as bytes. Nothing here knows the database."""
