"""SMTP and LMTP, for incoming mail and outgoing letters."""
