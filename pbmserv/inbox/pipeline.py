"""handle(batch): the one place that commits for incoming mail. One transaction per batch, one savepoint per mail."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

import structlog
from sqlalchemy.engine import Connection, Engine

from pbmserv import games
from pbmserv.db import engines
from pbmserv.inbox.asker import Signed
from pbmserv.inbox.calls import Done
from pbmserv.inbox.command import CommandLanguage
from pbmserv.inbox.context import Context
from pbmserv.inbox.parse import Parser, Request
from pbmserv.inbox.password_checks import Attempts, PasswordChecker, Proofs, Rates, count_wrong
from pbmserv.inbox.run import run
from pbmserv.letters import undelivered
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.text.times import utc_now
from pbmserv.mail import bounces, inbound, signed_addresses
from pbmserv.mail.bounces import Verdict
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from pbmserv.mail.inbound import Mail, Standing
from pbmserv.mail.signed_addresses import Token
from pbmserv.store import Store

log = structlog.get_logger()

#: Mails of one sender in a day that were answered with an error; the next ones are not answered.
MOST_ERRORS = 100


@dataclass(frozen=True)
class Prepared:
    """A mail after the slow work that needs no transaction: read, its lines found, its passwords hashed."""

    incoming: Incoming
    mail: Mail
    request: Request
    proofs: Proofs = field(default_factory=Proofs, repr=False)
    returned: "Returned | None" = None  #: it came back to the envelope sender of a letter of ours
    bug: Exception | None = None  #: the reader's own fault: the mail goes on the shelf


class Returned(NamedTuple):
    """A mail to the envelope sender of a letter: which one, and what became of it."""

    letter: int
    verdict: Verdict


class Pipeline:
    """Takes mails from bytes to committed effects and queued letters."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        language: CommandLanguage,
        seal: Callable[[bytes], bytes],
        now: Callable[[], datetime] = utc_now,
        attempts: Attempts | None = None,
    ) -> None:
        self._engine = engine
        self._site = site
        self._language = language
        self._seal = seal
        self._now = now
        self._parser = Parser(language, games.names())
        self._passwords = PasswordChecker(engine, site, attempts or _attempts(site), language.reserved, now)

    def prepare(self, incoming: Incoming) -> Prepared:
        """Everything that needs no write lock. Safe in any thread. Raises inbound.TooLarge."""
        try:
            return self._prepare(incoming)
        except Exception as bug:
            if isinstance(bug, inbound.TooLarge) or engines.is_down(bug):
                raise
            fingerprint = sha256(incoming.data).hexdigest()
            return Prepared(incoming, Mail(fingerprint, "", "", "", "", "", "", Standing.NORMAL), Request(), bug=bug)

    def _prepare(self, incoming: Incoming) -> Prepared:
        signer = self._site.signer
        mail = inbound.read(
            incoming.data,
            is_ours=lambda left: signer.verify(left) is not None,
            authserv=self._site.policy.authserv,
            mail_from=incoming.mail_from,
        )
        found = [token for rcpt in incoming.rcpts if (token := signer.read(rcpt))]
        if letter := next((t for t in found if t.purpose == signed_addresses.VERP), None):
            returned = Returned(letter.numbers[0], bounces.judge(incoming.data))
            return Prepared(incoming, mail, Request(), returned=returned)
        token = next((t for t in found if t.purpose in signed_addresses.ANSWERED), None)
        request = self._parser.request(mail, token)
        return Prepared(incoming, mail, request, self._passwords.check(request, mail, incoming.peer))

    def handle(self, batch: Sequence[Prepared]) -> list[str]:
        """Apply the mails in order and commit once. The SMTP reply for each: 250, or 451 for all of them."""

        def apply(connection: Connection, last: bool) -> None:
            for prepared in batch:
                self._one(connection, prepared, last)

        try:
            engines.transact(self._engine, apply)
        except Exception as bug:
            if engines.is_down(bug):
                log.exception("batch failed", mails=len(batch))  # in the driver's words; the engine hides parameters
            else:
                _log_bug("batch failed", bug, mails=len(batch))
            return [TRY_AGAIN] * len(batch)
        return [ACCEPTED] * len(batch)

    def retry(self, mail_id: int, incoming: Incoming, note: Callable[[Store], None]) -> bool:
        """Run a mail from the shelf again, as the row that it has; False if it is not on the shelf any more.

        `note` is called in the same transaction. Raises the database's errors: then nothing has changed.
        """
        prepared = self.prepare(incoming)

        def apply(connection: Connection, last: bool) -> bool:
            store = Store(connection)
            found = store.mails.shelved(mail_id) is not None
            if found:
                self._again(store, prepared, mail_id, last)
                note(store)
            return found

        return engines.transact(self._engine, apply)

    def _again(self, store: Store, prepared: Prepared, mail_id: int, last: bool) -> None:
        """Run a mail again. One that could not be read has its fingerprint only now: perhaps it came a second time."""
        mail = prepared.mail
        if not prepared.bug:
            if other := store.mails.came_as(mail.fingerprint, mail_id):
                store.mails.resolve(mail_id, status="silent", problem=f"it came again as mail {other}")
                return
            known = {"fingerprint": mail.fingerprint, "sender": mail.sender, "message_id": mail.message_id}
            store.mails.resolve(mail_id, **known, status="done", problem="")
        self._apply(store, prepared, mail_id, self._now(), last, apologize=False)

    def _one(self, connection: Connection, prepared: Prepared, last: bool) -> None:
        """Apply one mail. On the last attempt, an error that another transaction may have caused counts as a bug."""
        mail, incoming, now = prepared.mail, prepared.incoming, self._now()
        store = Store(connection)
        mail_id = store.mails.add(mail.fingerprint, now, incoming.peer, mail.sender, mail.message_id)
        incoming.progress.mail = mail_id
        if mail_id is None:
            incoming.progress.status = "duplicate"
            return
        self._apply(store, prepared, mail_id, now, last)

    def _apply(
        self, store: Store, prepared: Prepared, mail_id: int, now: datetime, last: bool, *, apologize: bool = True
    ) -> None:
        """What a mail brings about; a bug of ours puts it on the shelf."""
        letters = Letters(self._site, store, Cause.of(mail_id, prepared.mail), now)
        try:
            with store.savepoint():
                self._effects(store, prepared, letters, mail_id, now)
        except Exception as bug:
            if engines.is_down(bug) or (engines.was_overtaken(bug) and not last):
                raise
            self._shelve(store, prepared, mail_id, bug)
            if apologize:
                self._try_to_apologize(store, prepared, mail_id, now)

    def _effects(self, store: Store, prepared: Prepared, letters: Letters, mail_id: int, now: datetime) -> None:
        mail = prepared.mail
        if prepared.bug:
            raise prepared.bug
        if prepared.returned or mail.standing is Standing.SILENT:
            self._listen(store, prepared, letters, mail_id, now)
            return
        ctx = Context(self._site, store, mail, mail_id, now, letters, self._language, prepared.proofs)
        if mail.standing is not Standing.NORMAL:
            self._refuse(ctx, prepared.request.token)
            _close(store, prepared, mail_id, "refused", problem=mail.problem)
        else:
            done = run(ctx, prepared.request)
            _close(store, prepared, mail_id, _status(done), calls="\n".join(done.calls), problem=done.problem)
            count_wrong(store, prepared.proofs, now)
            if done.problem and store.mails.errors_since(mail.sender, now - timedelta(days=1)) > MOST_ERRORS:
                _fall_silent(ctx)
            if proved := ctx.asker.proved:
                undelivered.heard_from(store, proved.id, mail.sender, now)
        store.letters.queue(letters.rows)

    def _listen(self, store: Store, prepared: Prepared, letters: Letters, mail_id: int, now: datetime) -> None:
        """A mail that is not answered may still say something: that a letter is lost, that its reader is away."""
        mail, returned = prepared.mail, prepared.returned
        problem = mail.problem
        if returned:
            problem = f"letter {returned.letter} came back: {returned.verdict.value}"
            if returned.verdict is Verdict.PERMANENT:
                undelivered.lost(store, letters, returned.letter, "bounced", f"mail {mail_id}", now)
        if mail.is_vacation and (returned is None or returned.verdict is Verdict.UNKNOWN):
            store.addresses.note_away((returned and store.letters.recipient(returned.letter)) or mail.sender, now)
        _close(store, prepared, mail_id, "silent", problem=problem)
        store.letters.queue(letters.rows)

    def _refuse(self, ctx: Context, token: Token | None) -> None:
        """A mail that cannot be read: the sender is told what to send instead.

        If even From cannot be read, a signed address says whose seat it was sent for, and its player is told.
        """
        if not ctx.mail.sender and token is not None and token.purpose in signed_addresses.OF_A_BOARD:
            seat = Signed.by(token)
            row = ctx.store.boards.find(seat.number)
            ctx.asker.proved = row.players[seat.seat] if row else None
        text = ctx.render("unreadable", problem=ctx.mail.problem)
        if to := ctx.answer_to():
            ctx.letters.write("answer", to, "Your mail could not be read", {"text": text})
        else:
            ctx.notice()

    def _shelve(self, store: Store, prepared: Prepared, mail_id: int, bug: Exception) -> None:
        """Our fault: the mail is kept, sealed, until an admin runs it again."""
        _log_bug("mail shelved", bug, mail=mail_id)
        prepared.incoming.progress.status = "shelved"
        store.mails.shelve(mail_id, f"{type(bug).__name__} at {_where(bug)}", self._seal(prepared.incoming.pack()))

    def _try_to_apologize(self, store: Store, prepared: Prepared, mail_id: int, now: datetime) -> None:
        """The sender of a shelved mail gets a reference number."""
        try:
            self._apologize(store, prepared, mail_id, now)
        except Exception as second:  # one mail must not keep the others of its batch from their commit
            if engines.is_down(second):
                raise
            _log_bug("no apology", second, mail=mail_id)

    def _apologize(self, store: Store, prepared: Prepared, mail_id: int, now: datetime) -> None:
        letters = Letters(self._site, store, Cause.of(mail_id, prepared.mail), now)
        ctx = Context(self._site, store, prepared.mail, mail_id, now, letters, self._language)
        if to := ctx.answer_to():
            letters.write(
                "answer", to, f"Our fault: reference {mail_id}", {"text": ctx.render("sorry", number=mail_id)}
            )
        store.letters.queue(letters.rows)


def _attempts(site: Site) -> Attempts:
    """The limits of this site. One that takes addresses as confirmed is closed to strangers, so it needs no limit."""
    return Attempts(Rates() if site.policy.confirm_addresses else Rates.closed())


def _fall_silent(ctx: Context) -> None:
    """Take the answer back: nobody makes so many errors. A program answers our answers, and does not say what it is."""
    to = {a.casefold() for a in (ctx.mail.sender, *ctx.answer_to())}
    ctx.letters.rows = [row for row in ctx.letters.rows if row["recipient"].casefold() not in to]


def _status(done: Done) -> str:
    return "error" if done.problem else "done"


def _close(store: Store, prepared: Prepared, mail_id: int, status: str, **values: str) -> None:
    prepared.incoming.progress.status = status
    store.mails.close(mail_id, status=status, **values)


def _log_bug(event: str, bug: Exception, **data: int) -> None:
    log.error(event, **data, bug=type(bug).__name__, where=_where(bug))


def _where(bug: Exception) -> str:
    """File and line of a bug: its message could hold a player's words, so it is left out."""
    frames = traceback.extract_tb(bug.__traceback__)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
