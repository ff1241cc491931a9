"""The errors that carry text for a person. Every other exception is a bug of ours and is never shown."""

from collections.abc import Sequence

#: The bounds of a password (commands.md §1): what lies outside them cannot be one and may be quoted back.
PASSWORD_LENGTH = range(6, 129)


class PlayerError(Exception):
    """Something a player sent cannot be done. `text` says what is wrong, `hint` what to send instead."""

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint

    @property
    def whole(self) -> str:
        """Both, the hint on a line of its own."""
        return f"{self.text}\n{self.hint}".rstrip("\n")


class MoveError(PlayerError):
    """A move that cannot be played; always one of the three below."""


class NotAMove(MoveError):
    """The text is not a move in this game, on no board."""


class IllegalMove(MoveError):
    """A move of this game, but not possible now."""


class AmbiguousMove(MoveError):
    """The text names several legal moves."""

    def __init__(self, text: str, candidates: Sequence[str]) -> None:
        super().__init__(f"{quote(text)} may mean {' or '.join(candidates)}.", f"Send one of: {', '.join(candidates)}")
        self.candidates = tuple(candidates)


def may_be_password(word: str) -> bool:
    """Whether the word might be somebody's password, sent in a wrong place."""
    return len(word) in PASSWORD_LENGTH


def quote(word: str) -> str:
    """`word` in quotes, or a stand-in for the beginning of a sentence if it might be a password (never echoed)."""
    return "That word" if may_be_password(word) else f"'{word[:40]}'"


def no_such(kind: str, words: str) -> str:
    """`There is no board '999'`, without the words if one of them might be somebody's password."""
    secret = any(map(may_be_password, words.split()))
    return f"There is no such {kind}" if secret else f"There is no {kind} '{words[:40]}'"
