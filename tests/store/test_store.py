"""The parts of the store: a call names the file in which its query is."""

from pathlib import Path

from pbmserv import store
from pbmserv.db.queries import Queries
from pbmserv.store import Store
from tests.world import World


def test_each_file_is_a_part_and_each_part_is_the_file_of_its_name(world: World) -> None:
    folder = Path(store.__file__).parent
    files = {file.stem: file.relative_to(folder) for file in folder.rglob("*.py") if file.stem != "__init__"}
    with world.engine.connect() as connection:
        there = Store(connection)
        parts = {name: part for name in vars(Store) if isinstance(part := getattr(there, name), Queries)}
    assert {name: type(part).__module__ for name, part in parts.items()} == {
        name: ".".join(("pbmserv.store", *file.with_suffix("").parts)) for name, file in files.items()
    }


def test_all_parts_are_in_one_transaction(world: World) -> None:
    with world.engine.connect() as connection:
        there = Store(connection)
        player = there.players.add("alice", "-", world.now)
        there.addresses.add(player.id, "alice@example.org", world.now, confirmed=True)
        there.operations.set_fact("seen", "alice")
        connection.rollback()
        assert there.players.find("alice") is None
        assert there.addresses.of(player.id) == []
        assert there.operations.fact("seen") is None
