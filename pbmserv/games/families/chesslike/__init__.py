"""Games like chess: two armies on a board of squares, whose men move by steps, leaps and lines."""
