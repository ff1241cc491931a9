"""`POST /inbound`: a provider that took a mail by SMTP posts it here as it came, with its signature (ADR 94).

As what players post, it goes to the server as a mail, and is answered when its effects are on disk. Whatever fails is a
5xx, so that the provider tries again; the mail counts once.
"""

import hmac
import json
import re
import time
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from smtplib import SMTPException
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import anyio
import anyio.to_thread
import structlog
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pbmserv.mail.duplicates import POSTED, POSTED_WITHIN
from pbmserv.mail.imap.lost_envelope import incoming
from pbmserv.mail.signed_addresses import PROOF, Signer
from pbmserv.mail.sizes import MOST_MESSAGE_BYTES
from pbmserv.mail.smtp.hand_over import hand_over_bytes, refusal
from pbmserv.web.own import handing

#: Bytes of what is posted: the largest mail, in base64 or with escapes, and what a provider read out of it beside.
MOST_BYTES = 8 * MOST_MESSAGE_BYTES
MOST_AT_ONCE = 16  #: posts that come in at the same time, because each may be that large
PATIENCE = 2.0  #: seconds; if a post takes longer to come in, it makes room for the next
_AHEAD = 300  #: seconds that its clock may be ahead
_MOST_FIELDS = 100  #: of a form
_FORM_NAME = re.compile(rb'; ?name="([^"\r\n]*)"')

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Door:
    """Who may post mails here, and where they go: the addresses of the listener."""

    provider: str
    secret: str = field(repr=False)
    signer: Signer = field(repr=False)
    listener: str
    clock: Callable[[], float] = time.time


class Posted(NamedTuple):
    """A mail as it came, and its envelope as far as the provider tells it. `sender`: None if it does not.

    `proof`: what no other mail may prove itself by (`duplicates.POSTED`).
    """

    mail: bytes
    sender: str | None
    recipients: Sequence[str]
    proof: tuple[int, ...] = ()


def endpoint(door: Door, threads: anyio.CapacityLimiter) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint. `threads`: those that wait for the server."""
    coming, reading = anyio.CapacityLimiter(MOST_AT_ONCE), anyio.CapacityLimiter(1)  # it takes 80 times the memory
    begun: dict[anyio.CancelScope, float] = {}  # what is still coming in, and since when, the oldest first

    async def whole(request: Request) -> bytes:
        with anyio.CancelScope() as scope:
            begun[scope] = door.clock()
            try:
                return await handing.read(request, MOST_BYTES)
            finally:
                begun.pop(scope, None)
        raise _later("it was slow, and others waited", {"Connection": "close"})

    async def take(request: Request) -> Response:
        provider = PROVIDERS[door.provider]
        if provider.has_login:
            _demand_login(door, request.headers)
        if not coming.available_tokens:
            _make_room(begun, door.clock())
        async with coming:
            body = await whole(request)
            posted = await anyio.to_thread.run_sync(provider.read, door, request.headers, body, limiter=reading)
        if posted is None:
            return Response("There was nothing to do.", media_type="text/plain")
        if not threads.available_tokens:
            raise _later("others wait for the server")
        await anyio.to_thread.run_sync(_hand, door, posted, limiter=threads)
        return Response("It is on disk.", media_type="text/plain")

    return take


def _make_room(begun: dict[anyio.CancelScope, float], now: float) -> None:
    """End the oldest post, which a stranger may have begun to send nothing. Raises HTTPException if it is not slow."""
    scope = next(iter(begun), None)
    if scope is None or now - begun[scope] < PATIENCE:
        raise _later("too many are posted at once")
    del begun[scope]
    scope.cancel()


def _hand(door: Door, posted: Posted) -> None:
    """Hand a mail to the server, and wait until it has taken effect. Raises HTTPException if it was not taken."""
    if len(posted.mail) > MOST_MESSAGE_BYTES:
        raise HTTPException(413, "The mail is too large.")
    read = incoming(posted.mail, door.signer)
    sender = read.mail_from if posted.sender is None else posted.sender.strip("<>")
    ours = [address for address in posted.recipients if door.signer.accepts(address)]
    signed = [address for address in ours if door.signer.read(address)]
    mark = f"{POSTED}: {door.signer.signed(PROOF, *posted.proof)}\r\n".encode() if posted.proof else b""
    try:
        hand_over_bytes(mark + read.data, sender, next(iter([*signed, *ours, *read.rcpts])), [door.listener])
    except SMTPException as error:
        raise _refused(*refusal(error)) from None
    except OSError as error:
        raise _later(type(error).__name__) from None
    except ValueError:  # no envelope can have such a sender
        raise HTTPException(406, "The sender of the mail cannot be written in an SMTP command.") from None


def _refused(code: int, reason: str) -> HTTPException:
    if code == 552:
        return HTTPException(413, "The mail is too large.")
    if code in range(500, 600):
        return HTTPException(406, f"The server refuses the mail: {reason}")
    return _later(f"the server said {code}")


def _later(why: str, headers: Mapping[str, str] | None = None) -> HTTPException:
    log.warning("inbound not taken", why=why)
    return HTTPException(503, "The mail cannot be taken just now. Please try again later.", headers)


def _wrong(why: str) -> HTTPException:
    log.warning("inbound refused", why=why)
    return HTTPException(403, "This post is not from the provider of this server.")


def _unreadable(why: str) -> HTTPException:
    """Say what the operator must change there; until then, the provider keeps the mail and tries again."""
    log.error("inbound cannot be read", why=why)
    return HTTPException(503, why)


# --- what proves that the provider posts ------------------------------------------------------------------------------


def _demand_login(door: Door, headers: Headers) -> None:
    """Raise HTTPException unless the URL that the provider was given has the secret as its password (RFC 7617)."""
    scheme, _, words = headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "basic":  # SNS tries without it first
        raise HTTPException(401, "A password is needed here.", {"WWW-Authenticate": 'Basic realm="pbmserv"'})
    try:
        given = b64decode(words.strip(), validate=True).partition(b":")[2]
    except ValueError:
        given = b""
    if not hmac.compare_digest(given, door.secret.encode()):
        raise _wrong("the password")


def _signature(door: Door, form: Mapping[str, bytes]) -> tuple[int, int]:
    """Return the proof of a post. Raises HTTPException unless Mailgun has signed it a short time ago.

    The signature says nothing of the mail. So the server takes one mail with it, and the same once more.
    """
    timestamp, token, signature = (form.get(name, b"") for name in ("timestamp", "token", "signature"))
    right = hmac.new(door.secret.encode(), timestamp + token, sha256).hexdigest()
    if not hmac.compare_digest(right.encode(), signature.lower()):
        raise _wrong("the signature")
    age = door.clock() - int(timestamp) if timestamp.isdigit() else POSTED_WITHIN
    if not -_AHEAD < age < POSTED_WITHIN:
        raise _wrong("the timestamp")
    return int(timestamp), int.from_bytes(sha256(token).digest()[:7])


# --- the forms of the providers ---------------------------------------------------------------------------------------


def _postmark(door: Door, headers: Headers, body: bytes) -> Posted:
    """Postmark posts JSON, with the mail in it if its inbound stream is set so."""
    data = _json(body)
    raw = data.get("RawEmail")
    if not isinstance(raw, str) or not raw:
        raise _unreadable("Turn on 'Include raw email content in JSON payload' for the inbound stream.")
    return Posted(_bytes(raw), None, _texts([data.get("OriginalRecipient")]))


def _mailgun(door: Door, headers: Headers, body: bytes) -> Posted:
    """Mailgun posts a form, with the mail in it if the URL of its route ends in `mime`."""
    form = _form(headers.get("Content-Type", ""), body)
    proof = _signature(door, form)
    if not (raw := form.get("body-mime")):
        raise _unreadable("Let the URL of the route end in /inbound/mime.")
    sender, recipient = (form.get(name, b"").decode(errors="replace") for name in ("sender", "recipient"))
    return Posted(raw, sender, recipient.split(","), proof)


def _ses(door: Door, headers: Headers, body: bytes) -> Posted | None:
    """Amazon SES gives mails to a topic of SNS, which posts them. None: it is about the subscription, or no mail."""
    data = _json(body)
    if data.get("Type") == "SubscriptionConfirmation":
        _tell_operator(str(data.get("SubscribeURL")))
        return None
    text = str(data.get("Message"))
    notice = data if "notificationType" in data else _json(_bytes(text)) if text.startswith("{") else {}
    if notice.get("notificationType") != "Received":
        return None
    if not isinstance(raw := notice.get("content"), str) or not raw:
        raise _unreadable("Let the rule of SES have an SNS action, which posts the mail itself.")
    receipt, mail = _object(notice.get("receipt")), _object(notice.get("mail"))
    is_base64 = str(_object(receipt.get("action")).get("encoding")).lower() == "base64"
    source, *_ = *_texts([mail.get("source")]), ""
    return Posted(_from_base64(raw) if is_base64 else _bytes(raw), source, _texts(receipt.get("recipients")))


def _tell_operator(url: str) -> None:
    """Show the link that begins the subscription. We do not open it: this process asks nobody anything."""
    if (urlsplit(url).hostname or "").endswith(".amazonaws.com"):
        log.warning("inbound must be confirmed: open this once", url=url)


class PostForm(NamedTuple):
    """How a provider posts. `has_login`: it proves itself by a password and not by a signature."""

    read: Callable[[Door, Headers, bytes], Posted | None]
    has_login: bool


PROVIDERS = {
    "postmark": PostForm(_postmark, has_login=True),
    "mailgun": PostForm(_mailgun, has_login=False),
    "ses": PostForm(_ses, has_login=True),
}


def _json(body: bytes) -> dict[str, Any]:
    try:
        return _object(json.loads(body))
    except (ValueError, RecursionError):
        raise _unreadable("What is posted is no JSON.") from None


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(values: object) -> list[str]:
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def _bytes(text: str) -> bytes:
    """Return a mail that JSON has as text. Bytes that are no UTF-8 were lost before."""
    return text.encode(errors="replace")


def _from_base64(text: str) -> bytes:
    try:
        return b64decode(text)
    except ValueError:
        raise _unreadable("The mail is no base64.") from None


def _form(content_type: str, body: bytes) -> dict[str, bytes]:
    """Return the fields of a form of either kind (RFC 7578), the first of each name, byte for byte."""
    kind, _, rest = content_type.partition(";")
    if kind.strip().lower() != "multipart/form-data":
        try:
            pairs = parse_qsl(body.decode("latin-1"), encoding="latin-1", max_num_fields=_MOST_FIELDS)
        except ValueError:
            return {}
        return {name: value.encode("latin-1") for name, value in reversed(pairs)}
    boundary = rest.partition("boundary=")[2].partition(";")[0].strip().strip('"')
    if not boundary:
        return {}
    parts = (b"\r\n" + body).split(b"\r\n--" + boundary.encode("latin-1"), _MOST_FIELDS)
    fields = {}
    for head, _, value in (part.partition(b"\r\n\r\n") for part in reversed(parts[1:])):
        if match := _FORM_NAME.search(head):
            fields[match[1].decode(errors="replace")] = value
    return fields
