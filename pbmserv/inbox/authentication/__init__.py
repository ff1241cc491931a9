"""How a mail proves who wrote it."""
