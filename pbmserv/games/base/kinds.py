"""The kinds of games: a newcomer finds a game by them. Ours are folders of `pbmserv/games` (ADR 38)."""

from collections.abc import Iterable, Mapping

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


def by_kind(infos: Iterable[Info]) -> dict[str, list[Info]]:
    """Return games by what players read of their kind; in the order of KINDS, and within a kind in their own."""
    groups = dict[str, list[Info]]()
    for info in sorted(infos, key=place_of_kind):
        groups.setdefault(KINDS[info.kind], []).append(info)
    return groups
