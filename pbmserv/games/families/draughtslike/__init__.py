"""Games like draughts: men that capture by jumping, on boards of several sizes."""
