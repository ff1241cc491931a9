"""Formats of records (ADR 43) that several games share: PGN and PDN (tags, moves), and SGF (a tree)."""
