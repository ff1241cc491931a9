"""Pages about tournaments: their lists, the table of a season, and who has won one."""
