"""Formats of records that several games share: PGN and PDN (tags and moves), and SGF (a tree of properties)."""
