"""`pbmserv docs`: the pages that are made from the program."""
