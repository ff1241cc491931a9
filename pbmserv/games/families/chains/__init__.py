"""Games about chains from edge to edge, of the family of Hex."""
