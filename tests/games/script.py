"""Chance that follows a script, for worked cases that name their draws."""

from pbmserv.rng import Rng


class Script(Rng):
    """Gives these numbers, one per draw; a choice among one uses none of them, as in Rng."""

    def __init__(self, *numbers: int) -> None:
        super().__init__("", 0)
        self.left = list(numbers)

    def randrange(self, n: int) -> int:
        """The next number of the script, which has to be in 0..n-1."""
        if n == 1:
            return 0
        assert self.left, f"a draw among {n} that the script does not have"
        number = self.left.pop(0)
        assert 0 <= number < n, f"the script says {number}, but the draw is among {n}"
        self.drawn += 1
        return number
