"""What admins do to accounts, and to people who write."""
