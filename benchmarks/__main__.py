"""Benchmarks of servers: how long a move takes, also on a server with a million boards.

    python -m benchmarks [--quick]

The figures are written to RESULTS.md beside this file, but not with --quick.
"""

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain

from benchmarks import footprint, growth, letter_form, locks, long_games, strangers, throughput, tournaments
from benchmarks.report import RESULTS, Sheet, commit, machine

_HEAD = """# What it costs

Written by `make bench` on commit {commit}, {machine}, {day}.

Figures are medians of {rounds} runs. A ratio is the median of the ratios of its rounds: the servers run in turns. The
floor is the plainest server of this kind that one could write ([floor.py](floor.py)): no rules, no HTML, no memory of
what came twice. Clients, relay and servers share the machine. Numbers of one machine say little about another; the
ratios travel better.
"""


def main() -> None:
    """Measure, print the figures, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short and small, and nothing is written")
    quick, where, what = parser.parse_args().quick, machine(), commit()
    shown = list(_shown(quick))
    if not quick:
        head = _HEAD.format(commit=what, machine=where, day=datetime.now(UTC).date(), rounds=throughput.Plan().rounds)
        RESULTS.write_text("\n".join([head, *(sheet.markdown() for sheet in shown)]))


def _shown(quick: bool) -> Iterator[Sheet]:
    plan, sizes = (throughput.QUICK, growth.QUICK) if quick else (throughput.Plan(), growth.SIZES)
    plies, mails = (long_games.PLIES[:3], 640) if quick else (long_games.PLIES, footprint.MAILS)
    speed = (throughput.sheets(plan), long_games.sheets(plies), locks.sheets(3 if quick else locks.ROUNDS))
    letters = letter_form.sheets(3 if quick else letter_form.ROUNDS)
    leagues = tournaments.sheets(tournaments.QUICK if quick else tournaments.SIZES)
    hostile = [strangers.sheet(1 if quick else strangers.ROUNDS)]
    for sheet in chain(*speed, hostile, letters, growth.sheets(sizes), leagues, footprint.sheets(mails)):
        sheet.show()
        yield sheet


if __name__ == "__main__":
    main()
