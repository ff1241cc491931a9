"""The links of a letter to moves: areas of the image of a board, and the list below it."""
