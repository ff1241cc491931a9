"""Packages of games as an installer makes them: a folder with code and templates, and a dist-info beside it."""

import importlib
import re
import shutil
import sys
from pathlib import Path

from pbmserv import games
from pbmserv.games import plugins  # noqa: F401 - so that its caches are there to be emptied

STONES = '''
from dataclasses import dataclass
from pbmserv.games.base import Game, Info, Outcome, Step

@dataclass(frozen=True)
class Position:
    pile: int = 6
    turn: int = 0

class Stones(Game):
    """Take one or two stones; who takes the last one wins."""

    info = Info(
        key="stones", name="Stones", summary="Take the last stone.", seats=(2,), pattern="[129]",
        endings={"last": "the last stone"}, credit="Everybody's.", rules=RULES,
    )
    position_type = Position

    def setup(self, options, seats, rng):
        return Position()

    def to_move(self, position):
        return frozenset({position.turn}) if position.pile else frozenset()

    def legal_moves(self, position, seat):
        return [n for n in (1, 2) if n <= position.pile] + [9]

    def apply(self, position, seat, move, rng):
        if move == 9:
            raise ZeroDivisionError("no stone divides " + repr(position))
        return Step(Position(position.pile - move, 1 - position.turn))

    def outcome(self, position):
        return None if position.pile else Outcome("last", (1, 2) if position.turn else (2, 1))

    def format(self, move):
        return str(move)

    def scene(self, view):
        return {"pile": view.position.pile}
'''


class Shelf:
    """A folder on the module path, in which you can install packages and from which you can remove them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        sys.path.insert(0, str(folder))

    def install(
        self,
        name: str = "stones-game",
        version: str = "1.0",
        *,
        code: str = STONES,
        entry: str = "",
        rules: int = 1,
        templates: bool = True,
    ) -> None:
        """Install a package.

        `entry` is the line of its entry point. `code` is its module, which has the same `name`; its templates have the
        key of the game.
        """
        module = name.replace("-", "_")
        key = re.findall('key="([^"]*)"', code)[0] if 'key="' in code else "stones"
        package = self.folder / module
        (package / "templates" / "boards").mkdir(parents=True)
        (package / "__init__.py").write_text(f"RULES = {rules}\n{code}")
        if templates:
            (package / "templates" / "boards" / f"{key}.txt").write_text("Stones: {{ scene.pile }}\n")
            (package / "templates" / "help").mkdir()
            (package / "templates" / "help" / f"{key}.txt").write_text("STONES\n\nTake one or two: {{ move }}\n")
        info = self.folder / f"{module}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[pbmserv.games]\n{entry or f'stones = {module}:Stones'}\n")
        self.restart()

    def uninstall(self, name: str = "stones-game") -> None:
        """Remove a package."""
        module = name.replace("-", "_")
        for path in self.folder.glob(f"{module}*"):
            shutil.rmtree(path)
        self.restart()

    def restart(self) -> None:
        """Forget the imported modules, as if this were a new process."""
        forget()
        ours = [n for n, m in sys.modules.items() if str(self.folder) in str(getattr(m, "__file__", None))]
        for name in ours:
            del sys.modules[name]
        importlib.invalidate_caches()

    def close(self) -> None:
        """Remove the folder from the path."""
        sys.path.remove(str(self.folder))
        self.restart()


def forget() -> None:
    """Clear the cache of the installed games, so that they are searched again."""
    for found in vars(games).values():
        if hasattr(found, "cache_clear"):
            found.cache_clear()
