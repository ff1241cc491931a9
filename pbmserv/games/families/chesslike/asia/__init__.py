"""What only xiangqi and makruk have: who chases whom, the counting, and how moves are written in books."""
