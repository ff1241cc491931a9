"""Mancala games: seeds are sown around rows of pits."""
