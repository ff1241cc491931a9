"""Lets tournaments go on: seasons and rounds begin and end, letters tell of it, and players are warned or put out.

Everything is done in short transactions, so that mails come between them. Each of them looks first at what is stored,
under the lock of the tournament. So a process that was killed at any moment, or a second one at the same time, begins
nothing twice. What takes long is computed between the transactions (boards/seasons/rounds.py).
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import TypeVar

import structlog
from sqlalchemy.engine import Engine

from pbmserv.boards.seasons import beginning, endings, removal, rounds
from pbmserv.boards.seasons.endings import CANCEL_TOLD, END_TOLD
from pbmserv.db import engines
from pbmserv.letters import tournament_letters
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.tournament_letters import write_left
from pbmserv.model import Phase, TournamentRow
from pbmserv.store import Store
from pbmserv.tournaments.entrants import Entrant
from pbmserv.tournaments.forms import LADDER, MATCH

log = structlog.get_logger()

LOOK_AGAIN = timedelta(minutes=10)  #: a running tournament is looked at so often, even if nobody has woken it
_LONGEST = 20.0  #: seconds of a run; the rest is done in the next one
_TOURNAMENTS, _BOARDS, _LETTERS = 100, 5, 5  #: in a run; in a transaction

T = TypeVar("T")


class TournamentClock:
    """Looks at the tournaments that are due."""

    def __init__(self, engine: Engine, site: Site, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._reader = engine.execution_options(**engines.READ_ONLY)
        self._site = site
        self._now = now

    def look(self) -> int:
        """Let all tournaments go on that are due, as far as it goes now. Returns how many steps that were."""
        ends, steps = monotonic() + _LONGEST, 0
        for number in self._read(lambda store: store.tournaments.due(self._now(), _TOURNAMENTS)):
            try:
                while monotonic() < ends and self._go_on(number):
                    steps += 1
            except Exception as bug:
                if engines.is_down(bug):
                    raise
                log.exception("tournament stumbled", tournament=number)
        return steps

    def _go_on(self, number: int) -> bool:
        """Do the next step of a tournament. Returns whether there may be another one now."""
        tournament = self._read(lambda store: store.tournaments.find(number))
        if tournament is None or not tournament.is_due(self._now()):
            return False
        match tournament.phase:
            case Phase.WAITING:
                self._transact(partial(self._begin, number=number))
            case Phase.DRAWING:
                self._draw(number)
            case Phase.PLAYING:
                return self._play(tournament)
            case Phase.ENDING:
                self._end(number)
            case Phase.CANCELLED:
                self._transact(partial(self._tell_cancelled, number=number))
            case Phase.OVER:
                return False
        return True

    def _begin(self, store: Store, letters: Letters, number: int) -> None:
        too_few = rounds.begin_season(store, number, self._now())
        tournament = store.tournaments.find(number)
        for entrant in too_few:
            if tournament is not None:
                tournament_letters.not_begun(letters, tournament, entrant)

    def _draw(self, number: int) -> None:
        """Make the divisions of a season, or draw its next round."""
        drawing = self._read(lambda store: rounds.read(store, number))
        if drawing is None:
            return
        if drawing.tournament.round == 0:
            divisions = rounds.divided(drawing)
            self._transact(lambda store, _: rounds.write_divisions(store, drawing, divisions))
            return
        pairings = rounds.drawn(drawing)
        while self._transact(lambda store, _: rounds.write_pairings(store, drawing, pairings, self._now())):
            continue

    def _play(self, tournament: TournamentRow) -> bool:
        """Begin boards, write letters, and warn or put out players; after that, see whether all boards are over.

        Who is put out may have boards in other tournaments, too. So boards are locked first there.
        """
        number = tournament.number
        if self._transact(partial(self._play_part, number=number)):
            return True
        for entrant, _ in self._read(lambda store: removal.first_forfeits(store, tournament)):
            self._transact(partial(self._warn, number=number, player_id=entrant.player.id))
        for entrant in self._read(lambda store: removal.second_forfeits(store, tournament)):
            self._transact(partial(self._remove, tournament=tournament, player_id=entrant.player.id))
        return self._transact(partial(self._rest, number=number))

    def _play_part(self, store: Store, letters: Letters, number: int) -> bool:
        """Begin a few boards, or write a few letters about them. Returns whether there was something to do."""
        tournament = self._locked(store, number, Phase.PLAYING)
        if tournament is None:
            return False
        season, round_ = tournament.season, tournament.round
        if waiting := store.tournaments.to_begin(number, season, _BOARDS):
            for pairing in waiting:
                beginning.begin(store, tournament, pairing, self._now())
            return True
        untold = store.tournaments.not_told(number, season, round_, _LETTERS)
        for entrant in untold:
            pairings = store.tournaments.pairings_of(number, season, entrant.player.id)
            there = [p for p in pairings if p.round == round_ and p.division]
            if not entrant.out and (there or tournament.plan.form in (LADDER, MATCH)):
                tournament_letters.round_begun(letters, tournament, entrant, there)
            store.tournaments.change_entrant(entrant.id, told=round_)
        return bool(untold)

    def _warn(self, store: Store, letters: Letters, number: int, player_id: int) -> None:
        tournament = self._locked(store, number, Phase.PLAYING)
        if tournament is None:
            return
        for entrant, pairing in removal.first_forfeits(store, tournament, player_id):
            store.tournaments.change_entrant(entrant.id, warned=self._now())
            tournament_letters.warned(letters, tournament, entrant, pairing)

    def _remove(self, store: Store, letters: Letters, tournament: TournamentRow, player_id: int) -> None:
        removed = removal.remove(store, tournament, player_id, self._now())
        if removed is None:
            return
        write_left(letters, removed.left)
        tournament_letters.removed(letters, tournament, removed.entrant, removed.are_void)

    def _rest(self, store: Store, _: Letters, number: int) -> bool:
        """Let the next round be drawn, or look again later. Returns whether it is to be drawn."""
        tournament = self._locked(store, number, Phase.PLAYING)
        if tournament is None:
            return True
        if rounds.is_over(store, tournament):
            store.tournaments.change(number, phase=Phase.DRAWING, round=tournament.round + 1)
            return True
        store.tournaments.change(number, due=self._now() + LOOK_AGAIN)
        return False

    def _end(self, number: int) -> None:
        """Write the places of a season, then letters about them, then let the next season wait for its start."""
        if self._transact(lambda store, _: endings.write_some_places(store, number)):
            return
        if self._transact(partial(self._tell_end, number=number)):
            return
        renewed = self._read(lambda store: endings.renewed(store, number))
        if renewed is not None:
            self._transact(partial(self._end_season, before=renewed[0], entrants=renewed[1]))

    def _tell_end(self, store: Store, letters: Letters, number: int) -> bool:
        """Write a few letters about the end of a season. Returns whether there was something to do."""
        tournament = self._locked(store, number, Phase.ENDING)
        if tournament is None:
            return False
        untold = store.tournaments.not_told(number, tournament.season, END_TOLD, _LETTERS)
        for entrant in untold:
            if not entrant.out:
                table = endings.whole_table(store, tournament, entrant)
                tournament_letters.season_over(letters, endings.ended(tournament), entrant, table.lines)
            store.tournaments.change_entrant(entrant.id, told=END_TOLD)
        return bool(untold)

    def _end_season(self, store: Store, letters: Letters, before: TournamentRow, entrants: list[Entrant]) -> None:
        after = endings.end_season(store, before, entrants)
        if after is not None:
            tournament_letters.won(letters, after, after.season)

    def _tell_cancelled(self, store: Store, letters: Letters, number: int) -> None:
        """Write a few letters about the end of a tournament to those who were to play on; after them, none is due."""
        tournament = store.tournaments.find(number, lock=True)
        if tournament is None or tournament.phase is not Phase.CANCELLED:
            return
        seasons = (tournament.season, tournament.season + 1)
        untold = [e for season in seasons for e in store.tournaments.not_told(number, season, CANCEL_TOLD, _LETTERS)]
        for entrant in untold:
            if not entrant.out and entrant.place is None:
                tournament_letters.cancelled(letters, tournament, entrant)
            store.tournaments.change_entrant(entrant.id, told=CANCEL_TOLD)
        if not untold:
            store.tournaments.change(number, due=None)

    def _locked(self, store: Store, number: int, phase: Phase) -> TournamentRow | None:
        tournament = store.tournaments.find(number, lock=True)
        return tournament if tournament is not None and tournament.phase is phase else None

    def _read(self, ask: Callable[[Store], T]) -> T:
        with self._reader.connect() as connection:
            return ask(Store(connection))

    def _transact(self, do: Callable[[Store, Letters], T]) -> T:
        """Run `do` in a transaction, together with the letters that it writes."""

        def transaction(store: Store) -> T:
            letters = Letters(self._site, store, Cause(None), self._now())
            done = do(store, letters)
            store.letters.queue(letters.rows)
            return done

        return engines.transact(self._engine, lambda connection, _: transaction(Store(connection)))
