"""How far mailboxes are read, and which of their mails are committed."""

import pytest

from pbmserv.db import engines
from pbmserv.mail.envelope import Place
from pbmserv.store import Store
from tests.world import World

pytestmark = pytest.mark.both


def test_a_place_is_taken_once_until_it_is_given_back_or_forgotten(world: World) -> None:
    places = [Place("club", 7, 1), Place("club", 7, 2), Place("club", 8, 2), Place("other", 7, 1)]
    assert world.act(lambda s: [s.mailboxes.take(place) for place in (*places, places[0])]) == [True] * 4 + [False]
    assert world.query(lambda s: s.mailboxes.taken("club", 7)) == {1, 2}
    world.act(lambda s: s.mailboxes.give_back(places[1]))
    assert world.query(lambda s: s.mailboxes.taken("club", 7)) == {1}
    world.act(lambda s: s.mailboxes.forget_taken(Place("club", 8, 1)))
    left = world.query(lambda s: [s.mailboxes.taken(name, validity) for name, validity, _ in places[1:]])
    assert left == [set(), {2}, {1}]


def test_what_is_not_written_stays(world: World) -> None:
    assert world.query(lambda s: s.mailboxes.find("club")) is None
    world.act(lambda s: s.mailboxes.put("club", trouble="cannot log in"))
    world.act(lambda s: s.mailboxes.put("club", validity=7, uid=5, looked=world.now))
    (row,) = world.query(lambda s: s.mailboxes.all())
    assert (row.validity, row.uid, row.looked, row.heard, row.trouble) == (7, 5, world.now, None, "cannot log in")
    assert world.query(lambda s: s.mailboxes.find("club")) == row
    with world.engine.execution_options(**engines.READ_ONLY).connect() as connection:  # without a lock
        assert Store(connection).mailboxes.find("club") == row
