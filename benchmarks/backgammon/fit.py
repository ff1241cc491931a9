"""Makes the weights of our nets for backgammon from what labels.py has collected.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.backgammon.fit FOLDER [--epochs 20]

Gradient descent (Adam: D. P. Kingma and J. Ba, 2014) on the cross entropy. The same labels give the same nets on the
same machine; with more than one thread it takes longer. The last positions are left out of it and show how far the nets
are off: the root of the mean square, for the chance to win and those of gammons. It needs numpy, which servers do not.
"""

import argparse
from base64 import b85encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pbmserv.games.race.backgammon.judgement.nets import FILE, OUTPUTS, SCALE, UNITS, units
from pbmserv.games.race.backgammon.places import ALL_MEN, BAR

_HIDDEN = (40, 24)  #: units for contact and for races
_BATCH, _RATE, _CLIP = 256, 0.003, 32000 / SCALE
_WEIGHTS = np.array([1, 0.6, 0.6], np.float32)  #: how much each output counts
_UNITS = np.array([units(men) for men in range(ALL_MEN + 1)], np.float32)
Array = Any  #: of numpy, whose types say no more here


class Trained:
    """A net while it learns."""

    def __init__(self, hidden: int, rng: np.random.Generator) -> None:
        inputs = 2 * UNITS * (BAR + 1)
        first, last = rng.standard_normal((inputs, hidden)) * 0.15, rng.standard_normal((hidden, OUTPUTS)) / hidden**0.5
        shapes = (first, np.zeros(hidden), last, np.zeros(OUTPUTS))
        self.weights = [part.astype(np.float32) for part in shapes]
        self._means, self._squares = ([np.zeros_like(part) for part in self.weights] for _ in range(2))
        self._steps = 0

    def outputs(self, men: Array) -> Array:
        """Return the chances for rows of men."""
        return self._forward(_inputs(men))[1]

    def _forward(self, inputs: Array) -> tuple[Array, Array]:
        first, bias, last, shift = self.weights
        hidden = np.maximum(inputs @ first + bias, 0)
        return hidden, 1 / (1 + np.exp(-(hidden @ last + shift)))

    def learn(self, men: Array, chances: Array, rate: float) -> None:
        """Make one step."""
        inputs = _inputs(men)
        hidden, outputs = self._forward(inputs)
        error = (outputs - chances) * _WEIGHTS  # the gradient of the cross entropy
        back = (error @ self.weights[2].T) * (hidden > 0)
        slopes = (inputs.T @ back, back.sum(0), hidden.T @ error, error.sum(0))
        self._steps += 1
        rate *= (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        for n, slope in enumerate(slopes):
            self._means[n] += 0.1 * (slope / len(men) - self._means[n])
            self._squares[n] += 0.001 * ((slope / len(men)) ** 2 - self._squares[n])
            self.weights[n] -= (rate * self._means[n] / (np.sqrt(self._squares[n]) + 1e-8)).astype(np.float32)

    def lines(self) -> str:
        """Return the weights as they are stored."""
        first, bias, last, shift = self.weights
        return "\n".join(map(_line, [*first, bias, *np.column_stack([shift, last.T])]))


def _inputs(men: Array) -> Array:
    return _UNITS[men].reshape(len(men), -1)


def _line(weights: Array) -> str:
    return b85encode(np.round(weights.clip(-_CLIP, _CLIP) * SCALE).astype(">i2").tobytes()).decode()


def fitted(men: Array, chances: Array, hidden: int, epochs: int) -> Trained:
    """Return a net that has seen all positions so many times."""
    rng = np.random.default_rng(1)
    net, kept = Trained(hidden, rng), len(men) - len(men) // 20
    batches = kept // _BATCH
    for epoch in range(epochs):
        order = rng.permutation(kept)
        for batch in range(batches):
            chosen = order[batch * _BATCH : (batch + 1) * _BATCH]
            part = (epoch + batch / batches) / epochs
            net.learn(men[chosen], chances[chosen], _RATE * (0.005 + (1 + np.cos(np.pi * part)) / 2))
        error = np.sqrt(((net.outputs(men[kept:]) - chances[kept:]) ** 2).mean(0))
        print(hidden, epoch, *error.round(4), flush=True)
    return net


def meeting(men: Array) -> Array:
    """Return of which positions the men of the two players can still meet."""
    backmost = [BAR - np.argmax(part[:, ::-1] > 0, axis=1) for part in (men[:, : BAR + 1], men[:, BAR + 1 :])]
    return sum(backmost) > BAR


def read(files: Sequence[Path]) -> tuple[Array, Array]:
    """Return the men and the chances of all files."""
    parts = [(stored["men"], stored["chances"]) for stored in map(np.load, files)]
    return np.concatenate([men for men, _ in parts]), np.concatenate([chances for _, chances in parts])


def main() -> None:
    """Fit both nets and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--epochs", type=int, default=20)
    asked = parser.parse_args()
    men, chances = read(sorted(asked.folder.glob("*.npz")))
    contact = meeting(men)
    kinds = zip((contact, ~contact), _HIDDEN, strict=True)
    nets = [fitted(men[kind], chances[kind], hidden, asked.epochs) for kind, hidden in kinds]
    FILE.write_text("\n\n".join(net.lines() for net in nets) + "\n")


if __name__ == "__main__":
    main()
