"""From bytes to committed effects. Only this module commits for mails: a transaction a batch, a savepoint a mail."""

import re
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property, partial
from hashlib import sha256
from typing import NamedTuple

import structlog
from sqlalchemy.engine import Connection, Engine

from pbmserv import games
from pbmserv.boards.absences.lost_time import ClockJumped, demand_steady, is_unsteady, notice
from pbmserv.boards.clocks.deadlines import AWAY
from pbmserv.db import engines
from pbmserv.db.trouble import TROUBLE, driver_message
from pbmserv.errors import may_be_password
from pbmserv.inbox import answered_letters
from pbmserv.inbox.authentication.known_bans import KnownBans
from pbmserv.inbox.authentication.password_checks import (
    Attempts,
    PasswordChecker,
    PasswordChecks,
    Rates,
    count_wrong,
    origin_of,
)
from pbmserv.inbox.calls import Done
from pbmserv.inbox.command import WORD
from pbmserv.inbox.context import Commands, Context, names_of_games
from pbmserv.inbox.lines.headings import in_english, titles
from pbmserv.inbox.lines.parse import Parser, Request
from pbmserv.inbox.questions import Answered, answer_ahead, only_asks, take_over
from pbmserv.inbox.replies.answers import find_reader
from pbmserv.inbox.run import run, tell_operator
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.text.times import utc_now
from pbmserv.letters.waiting import bounced_addresses
from pbmserv.mail import bounce_reports, inbound, signed_addresses
from pbmserv.mail.bounce_reports import Verdict
from pbmserv.mail.duplicates import POSTED, SAME_WITHIN
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming, LetterStatus, MailStatus, Place
from pbmserv.mail.inbound import Mail, Standing
from pbmserv.mail.reading import headers, quotes
from pbmserv.mail.reading.encoding import fold
from pbmserv.mail.signed_addresses import Token
from pbmserv.model.letters import PROVED, UNPROVED
from pbmserv.model.mails import Added, Ban, has_room, quarantine_origin
from pbmserv.store import Store

log = structlog.get_logger()

#: The most answers to errors that one address gets in a day, of mails that it is proved to have sent, and of others.
MOST_ERRORS = 100
_LONGEST_TROUBLE = 200
_TOLD_ONCE = timedelta(days=3650)  #: in which a banned sender is told so once
_TOO_LARGE = (
    "Your mail is too large to be read here, so nothing was done. Please send it again without attachments and quotes."
)


@dataclass(frozen=True)
class Prepared:
    """A mail after the slow work that needs no transaction: read and parsed, with its passwords checked."""

    incoming: Incoming
    mail: Mail
    request: Request
    password_checks: PasswordChecks = field(default_factory=PasswordChecks, repr=False)
    returned: "Returned | None" = None  #: it came back to the envelope sender of a letter of ours
    complaints: tuple[Token, ...] = ()  #: the letters that somebody called spam, by addresses that only they had
    is_for_operator: bool = False  #: it is passed on to the people who run the server
    ban: Ban | None = None  #: of its sender: nothing of it is carried out
    is_for_us: bool = True  #: it is read as mail to this server
    bug: Exception | None = None  #: a bug while reading: the mail goes into quarantine
    only_asks: bool = False  #: nothing changes by it, so it can be answered ahead
    answered: Answered | None = None  #: its answers from a snapshot of the database

    @property
    def board(self) -> int | None:
        """The number of the board whose letter the mail answers, if it answers one."""
        token = self.request.token
        is_board = token is not None and token.purpose in signed_addresses.OF_A_BOARD
        return token.numbers[0] if token and is_board and self.mail.standing is Standing.NORMAL else None

    @property
    def changed_board(self) -> int | None:
        """The number of the board that is locked first; None if there is none, or if the mail is answered already."""
        return None if self.answered else self.board


class Returned(NamedTuple):
    """A mail to the envelope sender of a letter: which letter, and what happened to it."""

    letter: int
    verdict: Verdict


class NotNow(Exception):
    """A mail cannot be kept now. Its sender gets a 451, keeps it, and tries again."""


class QuarantineIsFull(NotNow):
    """A mail met a bug of ours, and there is no room in quarantine."""


class OperatorIsBusy(NotNow):
    """The operator has got as many mails today as one day allows."""


class Pipeline:
    """Takes mails from bytes to committed effects and queued letters."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        language: Commands,
        seal: Callable[[bytes], bytes],
        now: Callable[[], datetime] = utc_now,
        attempts: Attempts | None = None,
        away: float = AWAY,
    ) -> None:
        """`away`: seconds without a run of the server's clock, after which it was away or its clock was wrong."""
        self._engine = engine
        self._site = site
        self._language = language
        self._seal = seal
        self._now = now
        self._away = away
        self._bans = KnownBans(engine)
        self._passwords = PasswordChecker(
            engine, site, attempts or _attempts(site), language.reserved, language.known_words, now
        )

    @cached_property
    def _parser(self) -> Parser:
        """Knows the installed games, and games that are not installed but have boards."""
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            played = Store(connection).audit.games()
        known = games.names()
        titles = {words[0]: game for words, game in names_of_games(self._site).items() if len(words) == 1}
        return Parser(self._language, known | {key: games.find(key) for key in played if key not in known}, titles)

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        return titles(self._site.renderer, tuple(game.info.key for game in games.all_games()))

    def prepare(self, incoming: Incoming) -> Prepared:
        """Do everything that needs no write lock. Safe in any thread. Raises inbound.TooLarge."""
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
        if (proof := signer.verify(mail.proof)) and proof.purpose == signed_addresses.PROOF and not incoming.place:
            incoming = replace(incoming, place=Place(POSTED, *proof.numbers))
        if incoming.is_cut and mail.standing is not Standing.SILENT:
            mail = replace(mail, subject="", body="", standing=Standing.REFUSED, problem=_TOO_LARGE)
        tokens = [token for rcpt in incoming.rcpts if (token := signer.read(rcpt))]
        letter = self._letter(incoming, mail, tokens)
        quoted = signer.find(incoming.data.decode("latin-1")) if mail.is_complaint else []
        quoted += [letter] if mail.is_complaint and letter else []
        prepared = partial(Prepared, incoming, mail, complaints=tuple(quoted))
        if letter and (letter in tokens or not mail.is_complaint):
            returned = Returned(letter.numbers[0], bounce_reports.judge(incoming.data))
            return prepared(Request(), returned=returned)
        operators = list(map(signer.is_for_operator, incoming.rcpts)) if self._site.policy.operator else []
        if operators and all(operators):
            return prepared(Request(), is_for_operator=True, is_for_us=False)
        if ban := self._bans.of((mail.sender, incoming.mail_from), self._now()):
            return prepared(Request(), ban=ban, is_for_operator=any(operators))
        token = next(
            (t for t in (*tokens, *self._without_address(mail)) if t.purpose in signed_addresses.ANSWERED), None
        )
        mail = self._known(replace(mail, subject=in_english(mail.subject, self._titles)), token)
        if mail.standing is Standing.REFUSED and not mail.sender and token is None:  # nobody else could be told
            mail = replace(mail, sender=headers.normal_address(incoming.mail_from))
        # Rows of board letters have them without signatures. The signer remembers what it verifies before the lock.
        signer.without_signatures(mail.references.encode())
        request = self._parser.request(mail, token)
        checks = self._passwords.check(request, mail, incoming.peer)
        is_plain = mail.standing is Standing.NORMAL and not any(operators) and not quoted
        asks = is_plain and only_asks(request, self._language)
        return replace(prepared(request, checks, is_for_operator=any(operators), only_asks=asks), mail=mail)

    def _letter(self, incoming: Incoming, mail: Mail, tokens: Sequence[Token]) -> Token | None:
        """Return which letter came back, by its own address, or else by its Message-ID (ADR 92); None if none did."""
        token = next((t for t in tokens if t.purpose == signed_addresses.VERP), None)
        if token or mail.standing is not Standing.SILENT:
            return token
        about = bounce_reports.about(incoming.data)
        if not about.message_ids:
            return None
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            letter = bounced_addresses.returned(Store(connection), self._site.signer, about)
        return None if letter is None else Token(signed_addresses.VERP, (letter,))

    def _without_address(self, mail: Mail) -> Iterator[Token]:
        """Yield what a mail answers, by signed words in its subject, or else in what it quotes (ADR 92)."""
        signer = self._site.signer
        yield from filter(None, map(signer.verify, mail.signed))
        if mail.sender and (quoted := signer.quoted(mail.text, mail.sender)):
            yield quoted

    def _known(self, mail: Mail, token: Token | None) -> Mail:
        """Return the mail without the lines of the letters that it answers, if its words may have some among them.

        What a player sends from a page quotes nothing, so all of it is theirs.
        """
        if token is not None and token.purpose == signed_addresses.TOUCH:
            return replace(mail, body=mail.text)
        is_answer = token is not None or bool(answered_letters.signed_ids(mail, self._site.signer))
        if not is_answer or not (mail.is_cut or mail.only_quoted or quotes.is_doubtful(mail.text, mail.body)):
            return mail
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            return answered_letters.known(Store(connection), self._site, mail, token, self._now())

    def answer(self, prepared: Prepared, *, again: bool = False) -> Prepared:
        """Answer a mail that only asks from a snapshot of the database, without any lock. Safe in any thread.

        Any other mail is returned as it is, and so is one that `handle` will find to be a duplicate. `again`: it comes
        from quarantine. Raises the errors of the database.
        """
        if not prepared.only_asks:
            return prepared
        mail, now = prepared.mail, self._now()
        with self._engine.execution_options(**engines.READ_ONLY).connect() as connection:
            store = Store(connection)
            seen = store.mails.seen(mail.fingerprint)
            is_known = seen.received is not None and (mail.is_dated or seen.received >= now - SAME_WITHIN)
            if (is_known and not again) or is_unsteady(seen.last_run, now.timestamp(), self._away):
                return prepared
            ctx = self._context(store, prepared, None, now)
            return replace(prepared, answered=answer_ahead(ctx, prepared.request))

    def handle(self, batch: Sequence[Prepared]) -> list[str]:
        """Apply the mails in order and commit once. Returns the SMTP reply for each: 250, or 451 for all of them.

        A single mail gets a 451 if it met a bug and quarantine has no room for it. If there are other writers, one mail
        may wait too long for them or be overtaken again and again. Then each mail of its batch is applied alone.
        """
        is_alone = len(batch) == 1

        def apply(connection: Connection, last: bool) -> list[str]:
            if not is_alone:  # in the order of their numbers, as all do
                Store(connection).boards.lock({p.changed_board for p in batch if p.changed_board is not None})
            return [self._one(connection, prepared, last and is_alone) for prepared in batch]

        try:
            return self._steadily(apply)
        except Exception as bug:
            if not is_alone and not engines.has_one_writer(self._engine) and not engines.is_out_of_reach(bug):
                return [reply for prepared in batch for reply in self.handle([prepared])]
            for prepared in batch:
                prepared.incoming.progress.trouble = trouble_of(bug)
            TROUBLE.log(log, "batch failed", bug, mails=len(batch), **driver_message(bug))
            return [TRY_AGAIN] * len(batch)

    def retry(self, mail_id: int, incoming: Incoming, note: Callable[[Store], None]) -> bool:
        """Handle a mail from quarantine again, with its old number. False if it is no longer in quarantine.

        `note` is called in the same transaction. If it raises an error of the database, nothing has changed.
        """
        prepared = self.answer(self.prepare(incoming), again=True)

        def apply(connection: Connection, last: bool) -> bool:
            store = Store(connection)
            is_there = store.mails.quarantined(mail_id) is not None
            if is_there:
                self._again(store, prepared, mail_id, last)
                note(store)
            return is_there

        return engines.transact(self._engine, apply)

    def _again(self, store: Store, prepared: Prepared, mail_id: int, last: bool) -> None:
        """Run a mail again. One that could not be read has its fingerprint only now: perhaps it came a second time."""
        mail = prepared.mail
        if not prepared.bug:
            if other := store.mails.came_as(mail.fingerprint, mail_id):
                store.mails.resolve(mail_id, status=MailStatus.SILENT, problem=f"it came again as mail {other}")
                return
            known = {"fingerprint": mail.fingerprint, "sender": mail.sender, "message_id": mail.message_id}
            store.mails.resolve(mail_id, **known, status=MailStatus.DONE, problem="")
        self._apply(store, prepared, mail_id, self._now(), last, again=True)

    def _steadily(self, apply: Callable[[Connection, bool], list[str]]) -> list[str]:
        """Run one transaction. If the clock has jumped since its last run, notice this first, so nobody loses time."""
        try:
            return engines.transact(self._engine, apply)
        except ClockJumped:
            now = self._now().timestamp()
            engines.transact(self._engine, lambda connection, _: notice(Store(connection), now, self._away))
            return engines.transact(self._engine, apply)

    def _one(self, connection: Connection, prepared: Prepared, last: bool) -> str:
        """Apply one mail; return its reply. On the last attempt, also an error from concurrency counts as a bug."""
        mail, incoming, now = prepared.mail, prepared.incoming, self._now()
        store = Store(connection)
        if prepared.changed_board is not None:
            store.boards.expect(prepared.changed_board)
        is_new = incoming.place is None or store.mailboxes.take(incoming.place)
        added = _add(store, mail, incoming.peer, now) if is_new else None
        incoming.progress.mail = added.id if added else None
        if added is None:
            incoming.progress.status = "duplicate"
            return ACCEPTED
        demand_steady(added.last_run, now.timestamp(), self._away)
        try:
            self._apply(store, prepared, added.id, now, last)
        except NotNow:
            store.mails.remove(added.id)
            if incoming.place:
                store.mailboxes.give_back(incoming.place)
            return TRY_AGAIN
        return ACCEPTED

    def _apply(
        self, store: Store, prepared: Prepared, mail_id: int, now: datetime, last: bool, *, again: bool = False
    ) -> None:
        """Carry out a mail. If it meets a bug, it goes into quarantine. `again`: it comes from there.

        Raises NotNow if it cannot be kept; then nothing has happened.
        """
        ctx = self._context(store, prepared, mail_id, now)
        try:
            with store.savepoint():
                self._effects(ctx, prepared, mail_id)
        except NotNow:
            raise
        except Exception as bug:
            if engines.is_down(bug) or (engines.was_overtaken(bug) and not last):
                raise
            sealed = self._seal(prepared.incoming.pack())
            if not again:
                self._demand_room(store, prepared, len(sealed), bug)
            self._quarantine(store, prepared, mail_id, bug, sealed)
            if not again:
                self._try_to_apologize(store, prepared, mail_id, now)

    def _context(self, store: Store, prepared: Prepared, mail_id: int | None, now: datetime) -> Context:
        letters = Letters(self._site, store, Cause.of(mail_id, prepared.mail), now)
        language, origin = self._language, origin_of(prepared.mail, prepared.incoming.peer)
        return Context(
            self._site, store, prepared.mail, mail_id, now, letters, language, prepared.password_checks, origin
        )

    def _effects(self, ctx: Context, prepared: Prepared, mail_id: int) -> None:
        mail, store, letters, now = prepared.mail, ctx.store, ctx.letters, ctx.now
        if prepared.bug:
            raise prepared.bug
        bounced_addresses.unwanted(store, self._site, prepared.complaints, f"mail {mail_id}", now)
        if prepared.is_for_operator:
            self._pass_on(store, prepared, letters, mail_id)
        if not prepared.is_for_us:
            store.letters.queue(letters.rows)
            return
        if prepared.returned or prepared.ban or mail.standing is Standing.SILENT:
            self._listen(ctx, prepared, mail_id)
            return
        if mail.standing is not Standing.NORMAL:
            self._refuse(ctx, prepared.request.token)
            _close(store, prepared, mail_id, MailStatus.REFUSED, problem=mail.problem)
            _limit_errors(ctx)
        else:
            done = take_over(ctx, prepared.answered) or self._run(ctx, prepared)
            status = MailStatus.ERROR if done.problem else MailStatus.DONE
            _close(store, prepared, mail_id, status, calls="\n".join(done.calls), problem=done.problem)
            count_wrong(store, prepared.password_checks, now)
            if done.problem:
                _limit_errors(ctx)
            if proved := ctx.authentication.player:
                bounced_addresses.heard_from(store, proved.id, mail.sender, now)
        store.letters.queue(letters.rows)

    def _run(self, ctx: Context, prepared: Prepared) -> Done:
        """Carry out the commands. One that fails goes back to the last savepoint, but the operator has got a letter."""
        with ctx.store.savepoint() if prepared.is_for_operator else nullcontext():
            return run(ctx, prepared.request)

    def _listen(self, ctx: Context, prepared: Prepared, mail_id: int) -> None:
        """Use a mail that is not carried out: it can report a lost letter, or that a reader is away."""
        mail, returned, store, letters, now = prepared.mail, prepared.returned, ctx.store, ctx.letters, ctx.now
        problem = mail.problem
        if prepared.ban and mail.standing is not Standing.SILENT:
            problem = f"banned: {prepared.ban.what}"
            _turn_away(ctx, prepared.ban)
        if returned:
            problem = f"letter {returned.letter} came back: {returned.verdict.value}"
            if returned.verdict is Verdict.PERMANENT:
                bounced_addresses.lost(store, letters, returned.letter, LetterStatus.BOUNCED, f"mail {mail_id}", now)
        if mail.is_vacation and (returned is None or returned.verdict is Verdict.UNKNOWN):
            store.addresses.note_away((returned and store.letters.recipient(returned.letter)) or mail.sender, now)
        _close(store, prepared, mail_id, MailStatus.SILENT, problem=problem)
        store.letters.queue(letters.rows)

    def _pass_on(self, store: Store, prepared: Prepared, letters: Letters, mail_id: int) -> None:
        """Pass a mail to postmaster or abuse on to the operators, whatever its sender. Raises OperatorIsBusy."""
        problem = "" if prepared.mail.is_passed_on else prepared.mail.problem
        if not problem and not tell_operator(letters, prepared.incoming, prepared.mail):
            log.warning("operator has enough mails for today", mail=mail_id)
            raise OperatorIsBusy
        _close(
            store,
            prepared,
            mail_id,
            MailStatus.SILENT if problem else MailStatus.DONE,
            calls="(for the operator)",
            problem=problem,
        )

    def _refuse(self, ctx: Context, token: Token | None) -> None:
        """Answer a mail that cannot be read: tell the sender what to send instead.

        If even From cannot be read, a signed address says which letter it answers, and the reader of that is told.
        """
        if not ctx.mail.sender and token is not None:
            find_reader(ctx, token)
        text = ctx.render("unreadable", problem=ctx.mail.problem)
        if to := ctx.answer_to():
            ctx.answer(to, "Your mail could not be read", {"text": text, "answers": ["help"]})
        else:
            ctx.notice()

    def _demand_room(self, store: Store, prepared: Prepared, size: int, bug: Exception) -> None:
        """Raise QuarantineIsFull if quarantine, or the part of it for one origin, has no room for these bytes."""
        where = quarantine_origin(prepared.incoming.peer, prepared.mail.sender)
        if not has_room(store.mails.quarantined_bytes(), where, size, self._site.policy.shelf_mb * 1_000_000):
            _log_bug("shelf is full", bug, size=size)
            raise QuarantineIsFull

    def _quarantine(self, store: Store, prepared: Prepared, mail_id: int, bug: Exception, sealed: bytes) -> None:
        """Put a mail into quarantine after a bug: it is kept, encrypted, until an admin handles it again."""
        package = games.blamed(bug)
        problem = f"{package}: {_masked(games.told(bug), prepared.mail)}" if package else type(bug).__name__
        _log_bug("mail shelved", bug, mail=mail_id, **({"problem": problem} if package else {}))
        prepared.incoming.progress.status = MailStatus.SHELVED
        store.mails.quarantine(mail_id, f"{problem} at {_where(bug)}", sealed)

    def _try_to_apologize(self, store: Store, prepared: Prepared, mail_id: int, now: datetime) -> None:
        """Send an apology with a reference number to the sender of a mail in quarantine."""
        try:
            with store.savepoint():
                self._apologize(store, prepared, mail_id, now)
        except Exception as second:  # one mail must not stop the others of its batch
            if engines.is_down(second):
                raise
            _log_bug("no apology", second, mail=mail_id)

    def _apologize(self, store: Store, prepared: Prepared, mail_id: int, now: datetime) -> None:
        ctx = self._context(store, prepared, mail_id, now)
        if to := ctx.answer_to():
            ctx.answer(to, f"Our fault: reference {mail_id}", {"text": ctx.render("sorry", number=mail_id)})
        store.letters.queue(ctx.letters.rows)


def _add(store: Store, mail: Mail, peer: str, now: datetime) -> Added | None:
    """Record a mail; None if the same mail came before."""
    add = partial(store.mails.add, mail.fingerprint, now, peer, mail.sender, mail.message_id)
    added = add()
    if added is None and not mail.is_dated and store.mails.tell_apart(mail.fingerprint, now - SAME_WITHIN):
        return add()
    return added


def trouble_of(error: Exception) -> str:
    """Return in one line why nothing could be committed: the driver's message, or the type of a bug."""
    words = str(getattr(error, "orig", None) or error) if engines.is_down(error) else ""
    line = " ".join(words.encode("ascii", "replace").decode().split())[:_LONGEST_TROUBLE]
    return f"{type(error).__name__}: {line}" if line else type(error).__name__


def _attempts(site: Site) -> Attempts:
    """The limits of this site. One that takes addresses as confirmed is closed to strangers, so it needs no limit."""
    return Attempts(Rates() if site.policy.confirm_addresses else Rates.closed())


def _turn_away(ctx: Context, ban: Ban) -> None:
    """Tell a banned sender once why nothing was done; later mails are met with silence.

    Only who is known to read the address is told, because anybody can write it into From.
    """
    postmaster = f"postmaster@{ctx.site.signer.domain}" if ctx.site.policy.operator else ""
    for address in ctx.answer_to() or [ctx.mail.sender] * ctx.mail.dmarc_pass:
        if ctx.is_first_letter(f"ban {ban.id}", address, _TOLD_ONCE):
            data = {"banned": ban.what.removeprefix("@"), "why": ban.why, "postmaster": postmaster}
            ctx.letters.write("banned", [address], "Your mails are not read any more", data)


def _limit_errors(ctx: Context) -> None:
    """Count the answers as answers to errors, and drop those beyond the limit: then the sender is probably a program.

    Only answers are dropped. Letters about boards and all others that the mail has caused are sent.
    """
    kept = []
    for letter in ctx.letters.rows:
        kinds = next((kinds for kinds in (PROVED, UNPROVED) if letter.kind == kinds.answer), None)
        if kinds is None:
            kept.append(letter)
        elif ctx.limits.errors(letter.recipient, kinds) < MOST_ERRORS:
            kept.append(letter._replace(kind=kinds.error))
    ctx.letters.rows = kept


def _close(store: Store, prepared: Prepared, mail_id: int, status: MailStatus, **values: str) -> None:
    prepared.incoming.progress.status = status
    store.mails.close(mail_id, status=status, **values)


def _masked(text: str, mail: Mail) -> str:
    """The message of a game's exception without those words of the mail that might be a password."""
    words = {w for word in re.split(r"[\s\"':]+", f"{mail.subject} {mail.body}") for w in (word, fold(word))}
    secret = sorted((w for w in words if may_be_password(w) and not games.is_any_move(w)), key=len, reverse=True)
    return re.sub("|".join(map(re.escape, secret)), WORD, text, flags=re.IGNORECASE) if secret else text


def _log_bug(event: str, bug: Exception, **data: object) -> None:
    log.error(event, **data, bug=type(bug).__name__, where=_where(bug))


def _where(bug: Exception) -> str:
    """Return file and line of a bug. Its message is left out, because it could contain a player's text."""
    frames = traceback.extract_tb(bug.__traceback__)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
