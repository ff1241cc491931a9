"""Games of tables: men run around the points of a backgammon board, as the dice say (ADR 115)."""
