"""Random numbers: the same in every version, uniform, and each draw is counted."""

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from math import sqrt

import pytest

from pbmserv.rng import ChanceNeeded, NoChance, Rng, commitment

SEED = "000102030405060708090a0b0c0d0e0f"

#: (seed, ply, occasion) -> ten numbers from 0..999. Boards in play depend on each of them: never change one.
FROZEN = {
    (SEED, 0, ""): [878, 398, 186, 405, 669, 310, 443, 932, 773, 852],
    (SEED, 1, ""): [285, 570, 428, 802, 876, 915, 989, 302, 257, 989],
    (SEED, 2, ""): [920, 181, 381, 434, 983, 848, 78, 780, 430, 799],
    (SEED, 11, ""): [555, 154, 577, 462, 132, 315, 485, 679, 391, 903],
    (SEED, 1, "resign2"): [584, 594, 212, 844, 111, 137, 649, 447, 272, 93],
    ("f" * 32, 1, ""): [983, 763, 473, 49, 931, 145, 738, 111, 397, 434],
}


def fits(counts: Sequence[int], weights: Sequence[int] = ()) -> bool:
    """Whether the counts fit the weights (all equal if none are given).

    They do if chi-squared is within five standard deviations of its mean. The seeds are fixed, so no test fails
    by bad luck.
    """
    weights = weights or [1] * len(counts)
    expected = [sum(counts) * weight / sum(weights) for weight in weights]
    chi_squared = sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))
    freedom = len(counts) - 1
    return abs(chi_squared - freedom) < 5 * sqrt(2 * freedom)


@pytest.mark.parametrize(("key", "numbers"), FROZEN.items(), ids=str)
def test_frozen_numbers(key: tuple[str, int, str], numbers: list[int]) -> None:
    rng = Rng(*key)
    assert [rng.randrange(1000) for _ in numbers] == numbers


def test_frozen_helpers() -> None:
    assert Rng(SEED, 3).shuffled(range(10)) == [3, 0, 5, 6, 4, 2, 9, 1, 8, 7]
    rng = Rng(SEED, 3)
    assert [rng.weighted((5, 0, 3, 2)) for _ in range(12)] == [2, 3, 2, 0, 0, 0, 0, 2, 2, 2, 0, 0]
    rng = Rng(SEED, 3)
    assert "".join(rng.choice("abcdef") for _ in range(12)) == "dcdaccbfedcf"


def test_a_number_beyond_the_last_multiple_is_drawn_again() -> None:
    """3 * 2**62 fits only once into 2**64. One of these draws fell into the rest, so four numbers took five draws."""
    rng = Rng(SEED, 3)
    numbers = [rng.randrange(3 * 2**62) for _ in range(4)]
    assert numbers == [10781793082603363017, 8520225909712300088, 8343845755969498617, 6982764969176875880]
    assert rng.drawn == 5


def test_the_recipe_with_which_anybody_can_replay() -> None:
    """Each number is the BLAKE2b hash of `seed/ply/draw`: 8 bytes, big-endian. `draw` counts from 0."""
    rng = Rng(SEED, 7)
    for draw in range(5):
        digest = blake2b(f"{SEED}/7/{draw}".encode(), digest_size=8).digest()
        assert rng.randrange(2**64) == int.from_bytes(digest, "big")


def test_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(SEED) == "d65df89f702eec58ca3c7bf2001c9ffc7cd80553ae01d42a799ba26756142d96"


@pytest.mark.parametrize("n", [2, 3, 6, 7, 100])
def test_randrange_fits(n: int) -> None:
    rng = Rng(SEED, n)
    counts = Counter(rng.randrange(n) for _ in range(200 * n))
    assert set(counts) == set(range(n))
    assert fits([counts[i] for i in range(n)])


def test_consecutive_numbers_are_independent() -> None:
    rng = Rng(SEED, 1)
    pairs = Counter((rng.randrange(5), rng.randrange(5)) for _ in range(5000))
    assert fits([pairs[a, b] for a in range(5) for b in range(5)])


def test_plies_are_independent() -> None:
    first = Counter(Rng(SEED, ply).randrange(6) for ply in range(3000))
    assert fits([first[i] for i in range(6)])


def test_weighted_follows_the_weights() -> None:
    rng, weights = Rng(SEED, 1), (5, 0, 3, 2)
    counts = Counter(rng.weighted(weights) for _ in range(5000))
    assert counts[1] == 0
    assert fits([counts[i] for i in (0, 2, 3)], [weights[i] for i in (0, 2, 3)])
    assert not fits([counts[i] for i in (0, 2, 3)])


def test_every_order_of_a_shuffle_is_as_likely() -> None:
    rng = Rng(SEED, 1)
    orders = Counter(tuple(rng.shuffled("abcd")) for _ in range(4800))
    assert len(orders) == 24
    assert fits(list(orders.values()))


def test_shuffled_leaves_the_original_alone() -> None:
    deck = [1, 2, 3, 4]
    assert sorted(Rng(SEED, 1).shuffled(deck)) == deck == [1, 2, 3, 4]
    assert Rng(SEED, 1).shuffled([]) == []


def test_a_choice_among_one_is_no_chance() -> None:
    for rng in (Rng(SEED, 1), NoChance()):
        assert (rng.randrange(1), rng.choice("x"), rng.weighted([1]), rng.shuffled("x")) == (0, "x", 0, ["x"])
        assert rng.drawn == 0


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_no_number_can_be_drawn_from_nothing_or_too_much(n: int) -> None:
    with pytest.raises(ValueError, match="no number can be drawn"):
        Rng(SEED, 1).randrange(n)


@pytest.mark.parametrize("weights", [[], [0, 0]])
def test_weights_of_nothing(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="no number can be drawn"):
        Rng(SEED, 1).weighted(weights)


def test_no_chance_draws_nothing() -> None:
    rng = NoChance()
    for draw in (lambda: rng.randrange(2), lambda: rng.choice("ab"), lambda: rng.weighted((1, 1))):
        with pytest.raises(ChanceNeeded):
            draw()
    with pytest.raises(ChanceNeeded):
        rng.shuffled("ab")
    assert rng.drawn == 0
