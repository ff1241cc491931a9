"""Games in which men of the other side are taken."""
