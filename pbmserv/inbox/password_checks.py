"""The slow work on passwords: 25 ms each must not pass under the write lock, and nobody gets it done without end."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy.engine import Engine

from pbmserv.db import engines
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import Call, Command, is_password
from pbmserv.inbox.context import Proofs
from pbmserv.inbox.limits import WRONG_A_DAY, Limits, Origin, minutes
from pbmserv.inbox.parse import Games, parse
from pbmserv.inbox.run import MOST_LINES, Request
from pbmserv.letters.site import Site
from pbmserv.mail import signed_addresses
from pbmserv.mail.inbound import Mail
from pbmserv.store import Player, Store

WRONG = "wrong password"  #: what is counted in a day


class Prover:
    """Verifies and hashes the passwords of a mail before its transaction begins. Safe in any thread."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        limits: Limits,
        commands: Sequence[Command],
        games: Games,
        reserved: frozenset[str],
        now: Callable[[], datetime],
    ) -> None:
        self._engine = engine.execution_options(**engines.READ_ONLY)
        self._passwords = site.passwords
        self._limits = limits
        self._reserved = reserved
        self._now = now
        self._parse = partial(parse, commands=commands, games=games)

    def prove(self, request: Request, mail: Mail, peer: str) -> Proofs:
        """What the lines of a mail need; those that are no calls are left to the pipeline's answer."""
        proofs = Proofs()
        origin = Origin(mail.sender.rpartition("@")[2], peer)
        calls = list(self._calls(request))
        players = self._players(calls)
        for call in calls:
            if call.credentials:
                self._prove(call, players[call.credentials[0]], proofs, origin)
        if (
            request.token
            and request.token.purpose == signed_addresses.RESET
            and is_password(request.first_line.strip())
        ):
            self._hash(request.first_line.strip(), proofs)
        return proofs

    def _prove(self, call: Call, player: Player | None, proofs: Proofs, origin: Origin) -> None:
        password, new = call.credentials and call.credentials[1], call.new_password
        if password is None:
            return
        if player is None:
            if new == password:
                self._open(call.values["userid"], new, proofs, origin)
        elif player.password_hash:
            fits = self._check(player, player.password_hash, password, proofs, origin)
            if fits and new and new != password:
                self._hash(new, proofs)

    def _check(self, player: Player, stored: str, password: str, proofs: Proofs, origin: Origin) -> bool:
        """Verify a password, unless too many wrong ones came lately. One that was right before is right at once."""
        pair = (player.userid, password)
        if pair in proofs.checked or pair in proofs.waits:
            return proofs.checked.get(pair, ("", False))[1]
        fits = self._passwords.remembers(player.userid, stored, password)
        if not fits:
            if self._is_guessed(player):
                proofs.waits[pair] = "Too many wrong passwords came today. Send it again tomorrow (days are in UTC)."
                return False
            if seconds := self._limits.login(player.userid, origin):
                proofs.waits[pair] = f"Too many wrong passwords came. Wait {minutes(seconds)}, then send it again."
                return False
            fits = self._passwords.verify(player.userid, stored, password)
            if fits:
                self._limits.fits(player.userid, origin)
        proofs.checked[pair] = (stored, fits)
        return fits

    def _is_guessed(self, player: Player) -> bool:
        """Whether so many wrong passwords came today that no more are looked at, by whichever process."""
        with self._engine.connect() as connection:
            return Store(connection).readers.spent(player.id, WRONG, _day(self._now())) >= WRONG_A_DAY

    def _open(self, userid: str, password: str, proofs: Proofs, origin: Origin) -> None:
        """Hash the password of a new account, unless too many are opened."""
        if userid in self._reserved or (userid, password) in proofs.waits:
            return
        if seconds := self._limits.signup(origin):
            text = f"Too many accounts are being opened at this moment. Wait {minutes(seconds)}, then send it again."
            proofs.waits[userid, password] = text
        elif password not in proofs.hashed:
            self._hash(password, proofs)

    def _hash(self, password: str, proofs: Proofs) -> None:
        proofs.hashed[password] = self._passwords.hash(password)

    def _calls(self, request: Request) -> Iterator[Call]:
        for line in request.lines[:MOST_LINES]:
            try:
                yield self._parse(line)
            except PlayerError:
                continue

    def _players(self, calls: Sequence[Call]) -> dict[str, Player | None]:
        userids = {c.credentials[0] for c in calls if c.credentials}
        if not userids:
            return {}
        with self._engine.connect() as connection:
            return {userid: Store(connection).players.find(userid) for userid in userids}


def count_wrong(store: Store, proofs: Proofs, now: datetime) -> None:
    """Count the wrong passwords of a mail against their accounts, in the mail's own transaction."""
    for userid in sorted(userid for (userid, _), (_, fits) in proofs.checked.items() if not fits):
        if player := store.players.find(userid):
            store.readers.spend(player.id, WRONG, _day(now), 1, WRONG_A_DAY)


def _day(now: datetime) -> str:
    return f"{now:%Y-%m-%d}"
