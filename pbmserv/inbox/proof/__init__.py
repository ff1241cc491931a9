"""Who wrote a mail, and how that is proved."""
