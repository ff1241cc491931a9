"""Games in which men are captured."""
