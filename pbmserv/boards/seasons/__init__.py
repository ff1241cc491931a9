"""What happens in the seasons of tournaments: entries, pairings, boards, rungs of ladders, and who is put out.

Nothing here writes letters. The clock does the long work, in short transactions (server/tournament_clock.py).
"""
