"""Checks passwords before the transaction of a mail, and limits the number of attempts.

A check takes 25 ms. It must not happen under the write lock, and nobody may cause any number of them.
"""

import math
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from sqlalchemy.engine import Engine

from pbmserv.db import engines
from pbmserv.inbox.command import Call, CallError, is_password
from pbmserv.inbox.lines.parse import MOST_LINES, Request, words_of
from pbmserv.inbox.lookups import is_known
from pbmserv.letters.site import Site
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import client_network
from pbmserv.mail.inbound import Mail, Standing
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import Allowance, Player
from pbmserv.model.operations import player_subject
from pbmserv.store import Store

#: Wrong passwords for one account in a day, counted for all processes together: about as many as the bucket of one
#: process lets pass. Without it, each process more would be so many guesses more. Those in mails from an address of the
#: account's own are counted apart: nobody else can use them up without knowing that address.
WRONG_A_DAY = 1500
#: New passwords that one mail can set. One mail can have only one wrong password, because nothing after it is run, and
#: none after so many new ones. So a mail of a stranger never costs more hashes than this.
MOST_NEW = 2
WRONG, OWN_WRONG = "wrong password", "own wrong password"  #: what is counted
#: Parts of the words of a line that are compared with the password: each may be a guess. Of 1,109 sentences of letters
#: and tests 97 % have no more.
MOST_CHECKED = 6
#: The same, if each takes a hash, because this process does not know the password. So no mail has more hashes than two.
MOST_HASHED = 2
_MOST_WORDS = 40  #: of a line that are compared; an unknown word behind them is not shown
_LONGEST_ANSWER = 8 * 1024  #: characters of a mail in which words are compared; a longer one already costs as much
_SIGNS = re.compile(r"[\s'\"`:=/,;|]+")  #: between a password and what stands beside it
_MORE_SIGNS = re.compile(r"[_+&@<>()\[\]{}\\.!?*~#]+")  #: the same, but a password often has them, too
_ENDS = re.compile(r"\w.*\w")
_MOST_KEYS = 10_000
_AFTER_A_WRONG_ONE = "This mail has a wrong password before this one. Send the rest in another mail."
_AFTER_NEW_ONES = f"One mail can set at most {MOST_NEW} new passwords. Send the others in another mail."


class Check(NamedTuple):
    """A password that was looked at: the stored hash it was compared with, and whether it fits.

    `what`: the allowance that a wrong one uses, WRONG or OWN_WRONG.
    """

    stored: str
    fits: bool
    what: str = WRONG


@dataclass
class PasswordChecks:
    """The results of slow password work for one mail, done before its transaction.

    `checked`: by userid and password; `hashed`: new passwords with their hashes; `waits`: by userid and password, what
    the sender is told who has to wait before that password is looked at; `given`: the userids and passwords that the
    calls so far set; `plain`: words of an answer to a board letter that are not the password of its player.
    """

    checked: dict[tuple[str, str], Check] = field(default_factory=dict, repr=False)
    hashed: dict[str, str] = field(default_factory=dict, repr=False)
    waits: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    given: set[tuple[str, str]] = field(default_factory=set, repr=False)
    plain: frozenset[str] = frozenset()

    @property
    def has_wrong(self) -> bool:
        """Whether a password was wrong. Then nothing after its call is run."""
        return not all(check.fits for check in self.checked.values())


@dataclass(frozen=True)
class Rate:
    """`burst` attempts at once; after that one more every `seconds`."""

    burst: int
    seconds: float


class Buckets:
    """One token bucket for each key, all with the same rate. If there are too many keys, the least recently used go.

    Not thread-safe: Attempts holds the lock.
    """

    def __init__(self, rate: Rate, most_keys: int = _MOST_KEYS) -> None:
        self._rate = rate
        self._most_keys = most_keys
        self._full_at: OrderedDict[str, float] = OrderedDict()  #: when the bucket of a key is full again

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: str, now: float) -> float:
        """Return the seconds until the next attempt; 0 if it is allowed now."""
        full_at = max(self._full_at.get(key, now), now)
        return max(full_at - now - (self._rate.burst - 1) * self._rate.seconds, 0.0)

    def take(self, key: str, now: float) -> None:
        """Count an attempt."""
        self._full_at[key] = max(self._full_at.get(key, now), now) + self._rate.seconds
        self._full_at.move_to_end(key)
        while len(self._full_at) > self._most_keys:
            self._full_at.popitem(last=False)

    def give_back(self, key: str) -> None:
        """Do not count an attempt after all."""
        if key in self._full_at:
            self._full_at[key] -= self._rate.seconds


@dataclass(frozen=True)
class Rates:
    """The limits of one process. An origin may have many players, and each of them logs in after a restart."""

    account: Rate = Rate(10, 60)  #: of one origin, or of the account's own addresses
    login: Rate = Rate(100, 6)
    signup: Rate = Rate(200, 18)  #: 200 in an hour
    look: Rate = Rate(60, 10)  #: words of answers that are refused

    @classmethod
    def closed(cls) -> "Rates":
        """Return rates for a site without strangers: any number of accounts is allowed."""
        return cls(signup=Rate(1, 0))


def origin_of(mail: Mail, peer: str) -> str:
    """Return the origin of a mail, which its sender cannot choose. The limits on strangers count by it.

    It is the address of the other side, or its network for IPv6. Behind our own MTA it is the domain for which DMARC
    passed, else "". All mails with "" share one limit, because anybody can write any From.
    """
    return client_network(peer) or (mail.sender.rpartition("@")[2] if mail.dmarc_pass else "")


class Attempts:
    """Counts who tries a password or opens an account, in one process. Thread-safe; `clock` gives seconds."""

    def __init__(self, rates: Rates | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        rates = rates or Rates()
        self._account, self._login, self._signup = Buckets(rates.account), Buckets(rates.login), Buckets(rates.signup)
        self._look = Buckets(rates.look)
        self._clock = clock
        self._lock = threading.Lock()

    def login(self, account: str, origin: str | None) -> float:
        """Count an attempt with a password. Returns 0, or the seconds to wait: then the attempt must not be made.

        No `origin`: the mail is from an address of the account, which has a count of its own.
        """
        return self._take(self._of_login(account, origin))

    def fits(self, account: str, origin: str | None) -> None:
        """Do not count an attempt, because the password was right."""
        with self._lock:
            for buckets, key in self._of_login(account, origin):
                buckets.give_back(key)

    def signup(self, origin: str) -> float:
        """Count a new account. Returns 0, or the seconds to wait: then do not create the account."""
        return self._take([(self._signup, origin)])

    def renew(self, account: str) -> float:
        """Count a new password of an account. Returns 0, or the seconds to wait: then do not hash it."""
        return self._take([(self._account, f"{account} new")])

    def may_look(self, account: str) -> bool:
        """Count a word that is compared with a password to be shown to its owner. Returns False if it must not be."""
        return not self._take([(self._look, account)])

    def _of_login(self, account: str, origin: str | None) -> list[tuple[Buckets, str]]:
        if origin is None:
            return [(self._account, account)]
        return [(self._account, f"{account} {origin}"), (self._login, origin)]

    def _take(self, keys: Sequence[tuple[Buckets, str]]) -> float:
        with self._lock:
            now = self._clock()
            if seconds := max(buckets.wait(key, now) for buckets, key in keys):
                return seconds
            for buckets, key in keys:
                buckets.take(key, now)
            return 0.0


def minutes(seconds: float) -> str:
    """Return text such as `12 minutes`, rounded up, so that nobody tries too early."""
    count = max(math.ceil(seconds / 60), 1)
    return f"{count} minute{'s' * (count != 1)}"


class PasswordChecker:
    """Verifies and hashes the passwords of a mail before its transaction begins. Safe in any thread."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        attempts: Attempts,
        reserved: frozenset[str],
        known_words: frozenset[str],
        now: Callable[[], datetime],
    ) -> None:
        self._engine = engine.execution_options(**engines.READ_ONLY)
        self._passwords, self._authserv = site.passwords, site.policy.authserv
        self._attempts = attempts
        self._reserved = reserved
        self._known_words = known_words
        self._now = now

    def check(self, request: Request, mail: Mail, peer: str) -> PasswordChecks:
        """Do the password work for the calls of a mail. In lines that are no calls, only a known password counts."""
        checks, origin = PasswordChecks(), origin_of(mail, peer)
        lines = request.calls[:MOST_LINES]
        calls = [call for call in lines if isinstance(call, Call)]
        failed = [e.understood.call for e in lines if isinstance(e, CallError) and e.understood.call]
        players = self._players([*calls, *failed])
        for call in calls:
            if call.credentials:
                self._check_call(call, players[call.credentials[0]], checks, mail, origin)
        for call in failed:
            if call.credentials and (player := players[call.credentials[0]]):
                self._recognise(player, call.credentials, checks)
        is_read = mail.standing is Standing.NORMAL and len(mail.text) <= _LONGEST_ANSWER
        if request.token and request.token.purpose in signed_addresses.OF_A_BOARD and is_read:
            checks.plain = self._plain(request.token, request.first_line)
        if request.token and request.token.purpose == signed_addresses.RESET:
            new = request.first_line.strip()
            if is_password(new):
                self._hash(new, checks)
        return checks

    def _plain(self, token: Token, line: str) -> frozenset[str]:
        """Return the words of a line that are not the password of the player who got the letter, nor contain it.

        The answer shows them if the line is refused, and a comment may have them. There is a limit of such checks.
        """
        each = {word.raw: word.folded for word in words_of(line, _MOST_WORDS)}
        words = [word for word, folded in each.items() if not is_known(folded, self._known_words)]
        if not words:
            return frozenset()
        begin = {word for before, word in pairwise([".", *line.split()]) if not before[-1].isalnum()}
        likeliest_first = sorted(words, key=_is_usual)
        with self._engine.connect() as connection:
            row = Store(connection).boards.find(token.numbers[0], lock=False)
        player = row.players[token.numbers[1]] if row else None
        if player is None or player.password_hash is None:
            return frozenset()
        fits = self._comparison(player.userid, player.password_hash)
        return frozenset(w for w in likeliest_first if not any(map(fits, parts_of(w, begins=w in begin))))

    def _comparison(self, userid: str, stored: str) -> Callable[[str], bool]:
        """Return what says whether a word may be the password: it is, or there were too many before it."""
        is_known = self._passwords.knows(userid, stored)
        fits = self._passwords.remembers if is_known else self._passwords.verify
        left = iter(range(MOST_CHECKED if is_known else MOST_HASHED))

        @cache
        def may_be(part: str) -> bool:
            return next(left, None) is None or not self._attempts.may_look(userid) or fits(userid, stored, part)

        return may_be

    def _recognise(self, player: Player, pair: tuple[str, str], checks: PasswordChecks) -> None:
        """Note a password that was verified before. Others are not looked at for a line that does nothing."""
        if player.password_hash and self._passwords.remembers(player.userid, player.password_hash, pair[1]):
            checks.checked[pair] = Check(player.password_hash, fits=True)

    def _check_call(self, call: Call, player: Player | None, checks: PasswordChecks, mail: Mail, origin: str) -> None:
        if call.credentials is None:
            return
        (userid, password), new = call.credentials, call.new_password
        fits = call.credentials in checks.given  # a call before this one sets it
        if not fits and player is None:
            if new == password and userid not in self._reserved:
                self._hash_new(userid, password, new, checks, lambda: self._opening(origin))
        elif not fits and player and player.password_hash:
            fits = self._verify(player, player.password_hash, password, checks, mail, origin)
        if fits and new and new != password:
            self._hash_new(userid, password, new, checks, lambda: self._renewing(userid))

    def _verify(
        self, player: Player, stored: str, password: str, checks: PasswordChecks, mail: Mail, origin: str
    ) -> bool:
        """Verify a password, unless there were too many wrong ones lately. A known right one is not hashed again."""
        pair = (player.userid, password)
        if pair in checks.waits:
            return False
        if pair in checks.checked:
            return checks.checked[pair].fits
        if self._passwords.remembers(player.userid, stored, password):
            checks.checked[pair] = Check(stored, fits=True)
            return True
        if checks.has_wrong or len(checks.hashed) >= MOST_NEW:
            checks.waits[pair] = _AFTER_A_WRONG_ONE if checks.has_wrong else _AFTER_NEW_ONES
            return False
        what, is_spent = self._standing(player, mail)
        counted = None if what == OWN_WRONG else origin
        if is_spent:
            checks.waits[pair] = "Too many wrong passwords came in one day. Send it again tomorrow."
            return False
        if seconds := self._attempts.login(player.userid, counted):
            checks.waits[pair] = f"Too many wrong passwords came. Wait {minutes(seconds)}, then send it again."
            return False
        fits = self._passwords.verify(player.userid, stored, password)
        if fits:
            self._attempts.fits(player.userid, counted)
        checks.checked[pair] = Check(stored, fits, what)
        return fits

    def _standing(self, player: Player, mail: Mail) -> tuple[str, bool]:
        """Return the allowance that a wrong password would use, and whether all processes together used it up today."""
        from_counts = mail.dmarc_pass or not self._authserv
        with self._engine.connect() as connection:
            store = Store(connection)
            is_own = from_counts and store.addresses.is_own(mail.sender, player.id)
            what = OWN_WRONG if is_own else WRONG
            use = (player_subject(player.id), Allowance(what, WRONG_A_DAY))
            return what, store.operations.is_spent(*use, self._now().timestamp())

    def _hash_new(self, userid: str, password: str, new: str, checks: PasswordChecks, count: Callable[[], str]) -> None:
        """Hash a new password, unless this mail has too many. `count` counts it, and says if there were too many."""
        if (userid, password) in checks.waits:
            return
        if checks.has_wrong:
            wait = _AFTER_A_WRONG_ONE
        elif new not in checks.hashed and len(checks.hashed) >= MOST_NEW:
            wait = _AFTER_NEW_ONES
        else:
            wait = count()
        if wait:
            checks.waits[userid, password] = wait
            return
        checks.given.add((userid, new))
        if new not in checks.hashed:
            self._hash(new, checks)

    def _opening(self, origin: str) -> str:
        """Count a new account. Returns "", or what its owner is told who has to wait."""
        seconds = self._attempts.signup(origin)
        text = f"Too many accounts are being created just now. Wait {minutes(seconds)}, then send it again."
        return text if seconds else ""

    def _renewing(self, userid: str) -> str:
        """Count a new password of an account. Returns "", or what its owner is told who has to wait."""
        seconds = self._attempts.renew(userid)
        text = f"Too many new passwords came. Wait {minutes(seconds)}, then send it again."
        return text if seconds else ""

    def _hash(self, password: str, checks: PasswordChecks) -> None:
        checks.hashed[password] = self._passwords.hash(password)

    def _players(self, calls: Sequence[Call]) -> dict[str, Player | None]:
        userids = {c.credentials[0] for c in calls if c.credentials}
        if not userids:
            return {}
        with self._engine.connect() as connection:
            return {userid: Store(connection).players.find(userid) for userid in userids}


def parts_of(word: str, *, begins: bool = False) -> Sequence[str]:
    """Return the texts in a word that can be a password: the word, its parts, and these without signs around them.

    `begins`: it begins a sentence, where a telephone writes the first letter large.
    """
    pieces = {word, *_SIGNS.split(word)}
    pieces |= {part for piece in pieces for part in _MORE_SIGNS.split(piece)}
    parts = {part for piece in pieces for part in (piece, *_ENDS.findall(piece))}
    small = {part[0].lower() + part[1:] for part in parts if part and begins}
    return sorted(part for part in parts | small if is_password(part))


def _is_usual(word: str) -> bool:
    """Return whether a word has the form of one in a sentence: only letters, at most the first one large."""
    bare = word.strip(".,;:!?")
    return bare.isalpha() and (bare.islower() or bare.istitle())


def count_wrong(store: Store, checks: PasswordChecks, now: datetime) -> None:
    """Count the wrong passwords of a mail against their accounts, in the mail's own transaction."""
    for userid, what in sorted({(userid, c.what) for (userid, _), c in checks.checked.items() if not c.fits}):
        if player := store.players.find(userid):
            store.operations.spend([(player_subject(player.id), Allowance(what, WRONG_A_DAY))], now.timestamp())
