"""Games of dice at one table: what their help page says, from the row, and a worked turn from a game of its own."""

from collections.abc import Mapping

from pbmserv.games.base import AnyGame
from pbmserv.games.families.dice.dice_row import BoxRow, DiceRow
from pbmserv.games.families.dice.planning import throws
from pbmserv.rng import Rng


def help_facts(game: AnyGame, row: DiceRow, kind: str) -> Mapping[str, object]:
    """Return the row; of a sheet, dice that fit each box, and their points; and a turn: `position`, `text`, `notes`."""
    position = game.setup({}, 3, Rng(f"help-{row.key}", 0))
    seat = min(game.to_move(position))
    text = game.example(position, seat)
    step = game.apply(position, seat, game.parse(position, seat, text), Rng(f"help-{row.key}", 1))
    return {
        "row": row,
        "kind": kind,
        "samples": _samples(row) if isinstance(row, BoxRow) else (),
        "position": position,
        "player": game.seat_names(3)[seat],
        "text": text,
        "notes": [note.text for note in step.notes],
    }


def _samples(row: BoxRow) -> list[tuple[str, str, int, bool]]:
    """Return for each box its name, dice that are good there, their points, and whether these are always so many."""
    samples = []
    for box, worth in row.boxes.items():
        fitting = sorted(((worth(dice), dice) for dice, _ in throws(row.dice) if worth(dice)), key=lambda fit: fit[0])
        points, dice = fitting[len(fitting) * (1 if row.low else 9) // 10]
        samples.append((box, " ".join(map(str, dice)), points, fitting[0][0] == fitting[-1][0]))
    return samples
