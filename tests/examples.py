"""How much tests try that try many things: less with `make test` than with the long tests."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import settings

FAST, LONG = "fast", "long"  #: profiles of hypothesis; tests/conftest.py chooses one

settings.register_profile(FAST, deadline=None, max_examples=40, derandomize=True)
settings.register_profile(LONG, settings.get_profile(FAST), max_examples=100)


def examples(fast: int, long: int) -> settings:
    """Return settings with these numbers of examples: for `make test`, and for the long tests."""
    return settings(max_examples=long if settings.get_current_profile_name() == LONG else fast)


def spread(values: Sequence[Any], every: int) -> list[Any]:
    """Return parameters for a test: `make test` takes the first and each `every`-th after it, the long tests all."""
    return [value if n % every == 0 else pytest.param(value, marks=pytest.mark.slow) for n, value in enumerate(values)]
