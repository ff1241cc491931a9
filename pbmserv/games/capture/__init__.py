"""Games in which pieces of the other side are taken."""
