"""Reads mails: from their bytes to what the sender wrote."""
