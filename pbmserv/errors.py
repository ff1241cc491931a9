"""Errors with a text for the player. Every other exception is a bug, and its text is never shown."""

from collections.abc import Sequence

#: How many characters a password can have. A shorter or longer word is no password, so an error message may quote it.
PASSWORD_LENGTH = range(6, 129)


class PlayerError(Exception):
    """A player's request cannot be carried out. `text` says what is wrong, `hint` what to send instead.

    `unnamed`: both without a word of the mail, for a stranger whose address anybody may have written; "" if there is
    none in them anyway.
    """

    def __init__(self, text: str, hint: str = "", *, unnamed: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint
        self._unnamed = unnamed

    @property
    def whole(self) -> str:
        """Text and hint, the hint on a separate line."""
        return f"{self.text}\n{self.hint}".rstrip("\n")

    @property
    def unnamed(self) -> str:
        """What a stranger is told: it repeats nothing of the mail."""
        return self._unnamed or self.whole


class NotUnderstood(PlayerError):
    """A line that names nothing to do. Its hint is about what else it says, and of no use beside an offer."""


class MoveError(PlayerError):
    """A move that cannot be played. Always one of the three classes below."""


class NotAMove(MoveError):
    """The text cannot be a move on any board of this game."""


class IllegalMove(MoveError):
    """A move of this game, but not possible now."""


class AmbiguousMove(MoveError):
    """The text names several legal moves. `shown`: how players of the game write them."""

    def __init__(self, text: str, candidates: Sequence[str], shown: Sequence[str] = ()) -> None:
        self.candidates = tuple(candidates)
        self.shown = tuple(shown) or self.candidates
        super().__init__(
            f"{quote(text)} could mean {' or '.join(self.shown)}.", f"Send one of: {', '.join(self.shown)}"
        )


def may_be_password(word: str) -> bool:
    """Return whether the word might be a password that a player wrote in the wrong place."""
    return len(word) in PASSWORD_LENGTH


def quote(word: str) -> str:
    """Return `word` in quotes to begin a sentence. A word that might be a password is never repeated."""
    return "That word" if may_be_password(word) else f"'{word[:40]}'"


def no_such(kind: str, words: str) -> str:
    """Return `There is no board '999'`, without the words if one of them might be a password."""
    secret = any(map(may_be_password, words.split()))
    return f"There is no such {kind}" if secret else f"There is no {kind} '{words[:40]}'"
