"""Tables of words in many languages that say what is a move, a comment, a doubt or a farewell."""
