"""How much tests try that try many things: least with `make test`, more with the long tests, most with `make soak`."""

import os
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import settings

from pbmserv.conformance.walks import SEED

FAST, LONG = "fast", "long"  #: profiles of hypothesis; tests/conftest.py chooses one

SOAK = int(os.environ.get("SOAK", "1"))  #: how many times as many examples the long tests try

settings.register_profile(FAST, deadline=None, max_examples=20, derandomize=True)
settings.register_profile(LONG, settings.get_profile(FAST), max_examples=20 * SOAK, derandomize=SOAK == 1)


def examples(fast: int, long: int) -> settings:
    """Return settings with these numbers of examples: for `make test`, and for the long tests."""
    return settings(max_examples=long * SOAK if settings.get_current_profile_name() == LONG else fast)


def some_of(values: Sequence[Any], every: int) -> list[Any]:
    """Return each `every`-th value, of those that a long test need not try all. `make soak` does."""
    return list(values if SOAK > 1 else values[SEED % every :: every])


def spread(values: Sequence[Any], every: int) -> list[Any]:
    """Return parameters for a test: `make test` takes the first and each `every`-th after it, the long tests all."""
    return [value if n % every == 0 else pytest.param(value, marks=pytest.mark.slow) for n, value in enumerate(values)]
