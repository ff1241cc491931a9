"""Tools for tests that are coroutines."""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import ParamSpec

import uvloop

P = ParamSpec("P")


def in_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """Run a coroutine function as a test, in an event loop of its own.

    A task that ends in an unseen error fails the test.
    """

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        troubles: list[str] = []

        async def main() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda _, context: troubles.append(str(context)))
            await test(*args, **kwargs)

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # the same event loop as a server's
            runner.run(main())
        assert not troubles

    return run


async def until(condition: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until `condition` holds, and fail if it does not within `seconds`. Pauses between looks grow."""
    pause = 0.005
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(pause)
            pause = min(pause * 1.2, 0.02)
