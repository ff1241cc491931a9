"""The number of examples for tests that play whole games: fewer with `make test` than with the long tests."""

from hypothesis import settings

FAST, LONG = "fast", "long"  #: profiles of hypothesis; tests/conftest.py chooses one

settings.register_profile(FAST, deadline=None, max_examples=40, derandomize=True)
settings.register_profile(LONG, settings.get_profile(FAST), max_examples=100)


def examples(fast: int, long: int) -> settings:
    """Return settings with these numbers of examples: for `make test`, and for the long tests."""
    return settings(max_examples=long if settings.get_current_profile_name() == LONG else fast)
