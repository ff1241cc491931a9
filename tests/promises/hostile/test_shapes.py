"""No shape of a stranger's mail takes much more processor time than the promised 50 ms, letters included.

The bound is five times the promise, because tests share their machine: `python -m benchmarks.strangers` measures.
"""

import time
from dataclasses import replace
from datetime import timedelta

import pytest

from pbmserv.letters.policy import Policy
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.mail.inbound import TooLarge
from pbmserv.model.passwords import Passwords
from tests.examples import some_of
from tests.promises.hostile.shapes import Shape, shapes
from tests.world import ADDRESS, World

SECONDS = 0.25


def test_there_are_two_hundred_shapes() -> None:
    assert len({shape.name for shape in shapes()}) >= 200


@pytest.mark.slow  # sends a third of them, and all with `make soak`
@pytest.mark.timeout(600)
def test_no_shape_is_dear(strict_world: World) -> None:
    world = strict_world
    world.board("alice", "bob", options="--as=alice:alice-secret")
    world.site = replace(world.site, policy=Policy(), passwords=Passwords())
    world.use(world.site.renderer)
    once = [shape for shape in some_of([*shapes()], 6) if _cost(world, shape) > SECONDS]
    assert [shape.name for shape in once if _cost(world, shape) > SECONDS] == []


def _cost(world: World, shape: Shape) -> float:
    """Return the seconds of processor time for a mail and its letters. Each comes on a new day, from a new network."""
    world.now += timedelta(days=1, hours=1)
    world.count += 1
    to = world.site.signer.sign(signed_addresses.BOARD, 101, 0, 0) if shape.answer else ADDRESS
    data = shape.data.replace(b"\n\n", b"\nX-Number: %d\n\n" % world.count, 1)
    peer = f"198.18.{world.count // 256}.{world.count % 256}"
    began = time.thread_time()
    try:
        assert world.pipeline.handle([world.prepare(Incoming(data, "x@example.org", (to,), peer))]) == [ACCEPTED]
    except TooLarge:
        return time.thread_time() - began
    world.letters()
    return time.thread_time() - began
