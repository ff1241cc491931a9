"""`pbmserv stats`: the numbers of boards, players and mails, and how quickly players answer."""

from datetime import timedelta

import pytest

from tests.cli.conftest import Desk, move


@pytest.mark.both
def test_stats_count(busy: Desk) -> None:
    counted = busy.json("stats", "--since", "2026-03-01")
    (today,) = [d for d in counted["days"] if d["day"] == "2026-03-01"]
    assert (today["mails"], today["moves"]) == (6, 1)
    tumble = next(g for g in counted["games"] if g["game"] == "tumble")
    assert (tumble["running"], tumble["begun"], tumble["ended"]) == (1, 2, 1)
    assert counted["answers"] == 1
    assert set(counted["seconds"].values()) == {1.0}
    assert busy.json("stats", "--since", "today")["answers"] == 0


def test_answer_times_begin_with_what_was_before_on_the_board(desk: Desk) -> None:
    for userid, text, days in (("alice", "c1-c2", 1), ("bob", "f6-f5", 10)):
        desk.world.now += timedelta(days=days)
        move(desk.world, userid, text)
    seconds = desk.world.query(lambda s: s.operations.answer_seconds(desk.world.now.replace(day=1)))
    assert [round(s / 86400) for s in seconds] == [1, 10]


def test_the_half_of_five_answers_is_three(desk: Desk) -> None:
    for days, text in enumerate(("c1-c2", "f6-f5", "c2-c3", "f5-f4", "c3-c4"), start=1):
        desk.world.now += timedelta(days=days) - timedelta(seconds=1)  # each mail adds one second
        move(desk.world, ("bob", "alice")[days % 2], text)
    seconds = desk.json("stats", "--since", "2026-02-28")["seconds"]
    assert [round(s / 86400) for s in seconds.values()] == [3, 5, 5]
