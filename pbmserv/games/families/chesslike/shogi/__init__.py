"""Games like shogi: squares and moves as their players write them."""
