"""The kinds of games: a newcomer finds a game by them. Ours are folders of `pbmserv/games` (ADR 38)."""

from collections.abc import Iterable, Mapping, Sequence

from pbmserv.games.base.values import Info

#: In the order of all lists: the key of each kind (`Info.kind`), and what players read.
KINDS: Mapping[str, str] = {
    "capture": "Move and capture",
    "connection": "Lines and connections",
    "territory": "Territory",
    "race": "Races, luck and secrets",
    "solitaire": "For one player",
    "other": "Other games",
}


def place_of_kind(info: Info) -> int:
    """Return the place of a game's kind in all lists, from 0."""
    return list(KINDS).index(info.kind)


def listed(infos: Sequence[Info]) -> list[Info]:
    """Return the games that lists name: those of a family are on the page of the game that stands for it."""
    keys = {info.key for info in infos}
    return [info for info in infos if info.family not in keys]


def family_of(infos: Iterable[Info], key: str) -> list[Info]:
    """Return the games that are of the family of a game, without this one."""
    return [info for info in infos if info.family == key]


def by_kind(infos: Iterable[Info]) -> dict[str, list[Info]]:
    """Return games by what players read of their kind; in the order of KINDS, and within a kind in their own.

    Of a family, only the game that stands for it.
    """
    groups = dict[str, list[Info]]()
    for info in sorted(listed(list(infos)), key=place_of_kind):
        groups.setdefault(KINDS[info.kind], []).append(info)
    return groups
