"""Letters are sent by SMTP and LMTP: what the relay replies, and what happens to the letter."""

import socket
import ssl
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trustme

from pbmserv.mail.envelope import Outgoing
from pbmserv.mail.oauth.oauth_settings import LoginNeeded
from pbmserv.mail.smtp import client as client_module
from pbmserv.mail.smtp.client import SmtpRelay, Target
from pbmserv.mail.smtp.delivery import Deferred, NoLogin, Refused, Relay, RelayDown
from pbmserv.mail.smtp.relay import open_relay
from tests.tools.aio import in_loop
from tests.tools.sink import DISCONNECT, HANG, TAKEN, Letter, Sink

BODY = b"Subject: Tumble Board 101 ann\r\n\r\n.hidden\r\nIt is your turn, ann: ply 3.\r\n"


@pytest.fixture(autouse=True, params=["one by one", "together"])
def commands(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the commands of a letter are sent together or one after the other."""
    if request.param == "together":
        monkeypatch.setattr(Sink, "usual", (*Sink.usual, "PIPELINING"))


def letter(number: int = 1, recipient: str = "ann@example.org", data: bytes = BODY) -> Outgoing:
    """A letter to `recipient`."""
    return Outgoing(number, "pbmserv+v1.abc@example.org", recipient, data)


@asynccontextmanager
async def sending(sink: Sink, scheme: str = "smtp", timeout: float = 5) -> AsyncIterator[Relay]:
    """A relay that sends to `sink`."""
    async with sink:
        relay = SmtpRelay(Target(scheme, "127.0.0.1", sink.port), timeout)
        yield relay
        await relay.close()


@in_loop
async def test_one_connection_for_many_letters() -> None:
    sink = Sink()
    async with sending(sink) as relay:
        receipts = [await relay.deliver(letter(n, f"player{n}@example.org")) for n in range(3)]
    assert receipts == ["2.0.0 Taken"] * 3
    assert sink.taken == [Letter("pbmserv+v1.abc@example.org", f"player{n}@example.org", BODY, TAKEN) for n in range(3)]
    assert sink.connections == 1
    assert sink.commands[-1] == "QUIT"
    assert f"MAIL FROM:<pbmserv+v1.abc@example.org> SIZE={len(BODY)}" in sink.commands


@in_loop
async def test_a_receipt_can_be_stored_whatever_the_relay_says() -> None:
    """PostgreSQL stores no text with NUL."""
    sink = Sink(["250 2.0.0 Ta\0ken \udcff"])
    async with sending(sink) as relay:
        assert await relay.deliver(letter()) == "2.0.0 Ta\ufffdken \ufffd"


@in_loop
async def test_lmtp() -> None:
    sink = Sink()
    async with sending(sink, "lmtp") as relay:
        await relay.deliver(letter())
    assert len(sink.taken) == 1
    assert sink.commands[0].startswith("LHLO ")
    assert not [command for command in sink.commands if command.startswith(("EHLO", "HELO"))]


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA", "final"])
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("451 4.3.0 later", Deferred),
        ("550 5.1.1 no such player", Refused),
        ("421 4.3.2 closing", RelayDown),
        ("530 5.7.0 log in first", RelayDown),
        ("nonsense", RelayDown),
        (DISCONNECT, RelayDown),
        (HANG, RelayDown),
    ],
)
@in_loop
async def test_a_reply_that_is_no_success(step: str, reply: str, kind: type[Exception]) -> None:
    """The letter is deferred or refused as the reply says, and the next one gets through."""
    sink = Sink([reply]) if step == "final" else Sink(replies={step: reply})
    async with sending(sink, timeout=0.3) as relay:
        with pytest.raises((Deferred, Refused)) as caught:
            await relay.deliver(letter())
        assert caught.type is kind
        if reply[:3].isdecimal():
            assert str(caught.value) == reply
        sink.replies.clear()
        await relay.deliver(letter(2))
        assert len(sink.taken) == 1
        assert sink.connections == (1 if kind in (Deferred, Refused) else 2)


@pytest.mark.parametrize("step", ["CONNECT", "EHLO"])
@pytest.mark.parametrize("reply", ["554 5.3.2 not today", "421 4.3.2 closing", "nonsense", DISCONNECT, HANG])
@in_loop
async def test_trouble_before_the_letter_is_the_relays(step: str, reply: str) -> None:
    sink = Sink(replies={step: reply})
    async with sending(sink, timeout=0.3) as relay:
        with pytest.raises(RelayDown):
            await relay.deliver(letter())
        sink.replies.clear()
        await relay.deliver(letter())
    assert len(sink.taken) == 1


@in_loop
async def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(RelayDown, match=f"no connection to the relay: .*127.0.0.1.*{port}"):
        await open_relay(f"smtp://127.0.0.1:{port}").deliver(letter())


@in_loop
async def test_a_connection_that_went_away_is_made_again() -> None:
    sink = Sink()
    async with sending(sink) as relay:
        await relay.deliver(letter(1))
        sink.hang_up()
        await relay.deliver(letter(2))
        sink.replies["MAIL"] = "421 4.4.2 idle for too long"
        with pytest.raises(RelayDown):
            await relay.deliver(letter(3))
        assert sink.connections == 3  # the second reply came over a new connection
        sink.replies.clear()
        await relay.close()
        await relay.deliver(letter(3))
    assert [len(sink.taken), sink.connections] == [3, 4]


@in_loop
async def test_a_server_that_would_take_a_message_for_nobody() -> None:
    """RFC 2920 §3.1: a client that sends commands together must still end the message that the server asks for."""
    sink = Sink(replies={"RCPT": "550 5.1.1 no such player", "DATA": "354 Go on"})
    async with sending(sink) as relay:
        with pytest.raises(Refused, match=r"550 5\.1\.1 no such player"):
            await relay.deliver(letter(1))
        sink.replies.clear()
        await relay.deliver(letter(2))
    assert [x.data for x in sink.letters if x.recipient] == [BODY]
    assert {x.data for x in sink.letters if not x.recipient} <= {b""}
    assert sink.connections == 1


@in_loop
async def test_a_letter_that_nobody_asked_for_is_not_taken() -> None:
    """A server that says 250 to DATA has not seen the message: only what follows a 354 is a receipt."""
    sink = Sink(replies={"DATA": "250 2.0.0 Ok"})
    async with sending(sink) as relay:
        with pytest.raises(RelayDown):
            await relay.deliver(letter())
        sink.replies.clear()
        await relay.deliver(letter())
    assert [x.data for x in sink.taken] == [BODY]


@in_loop
async def test_a_connection_outlives_a_letter_that_is_refused_before_a_word_is_said() -> None:
    sink = Sink(extensions=["SIZE 1000000"])
    async with sending(sink) as relay:
        for n in range(3):
            with pytest.raises(Refused):
                await relay.deliver(letter(n, "jörg@example.org"))
        await relay.deliver(letter(4))
    assert sink.connections == 1


@in_loop
async def test_a_connection_that_was_idle_for_long_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sink = Sink()
    async with sending(sink) as relay:
        await relay.deliver(letter(1))
        monkeypatch.setattr(client_module, "IDLE", 0.0)
        await relay.deliver(letter(2))
    assert [len(sink.taken), sink.connections] == [2, 2]


@in_loop
async def test_the_text_of_a_refusal_is_bounded_and_printable() -> None:
    sink = Sink(replies={"RCPT": "550-no\r\n550 \x1b[31mred\udcff\x07" + "x" * 5000})
    async with sending(sink) as relay:
        with pytest.raises(Refused) as caught:
            await relay.deliver(letter())
    text = str(caught.value)
    assert text.startswith("550 no ")
    assert text.isprintable()
    assert len(text) <= 300


@in_loop
async def test_addresses_and_bytes_beyond_ascii() -> None:
    async with sending(sink := Sink()) as relay:
        await relay.deliver(letter(1, "änn@bücher.example", "Grüße\r\n".encode()))
    assert sink.taken[0].recipient == "änn@bücher.example"
    assert sink.taken[0].data == "Grüße\r\n".encode()
    assert next(c for c in sink.commands if c.startswith("MAIL")).endswith("SIZE=9 BODY=8BITMIME SMTPUTF8")
    async with sending(sink := Sink(extensions=[])) as relay:
        with pytest.raises(Refused, match="beyond ASCII"):
            await relay.deliver(letter(1, "änn@bücher.example"))


@pytest.mark.parametrize("recipient", ["ann@example.org> SIZE=1", "ann@example.org\r\nRSET", "a nn@example.org"])
@in_loop
async def test_an_address_smuggles_nothing(recipient: str) -> None:
    sink = Sink()
    async with sending(sink) as relay:
        with pytest.raises(Refused):
            await relay.deliver(letter(1, recipient))
    assert not [command for command in sink.commands if command.startswith(("RCPT", "RSET"))]


@in_loop
async def test_nagle_is_off() -> None:
    async with sending(Sink()) as relay:
        await relay.deliver(letter())
        assert isinstance(relay, SmtpRelay)
        client = relay._kept[0].client
        assert client.get_transport_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.fixture
def authority(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """A certificate authority that this process trusts."""
    authority = trustme.CA()
    path = tmp_path_factory.mktemp("tls") / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    return authority


def server_side(authority: trustme.CA, name: str) -> ssl.SSLContext:
    """A TLS context for the server `name`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context


@in_loop
async def test_starttls_and_login(authority: trustme.CA) -> None:
    async with Sink(tls=server_side(authority, "localhost")) as sink:
        relay = open_relay(f"smtp+starttls://ann%40example.org:sword%2Ffish@localhost:{sink.port}")
        await relay.deliver(letter())
        await relay.close()
    assert sink.commands[1] == "STARTTLS"
    assert "AUTH PLAIN AGFubkBleGFtcGxlLm9yZwBzd29yZC9maXNo" in sink.commands
    assert len(sink.taken) == 1


@in_loop
async def test_tls_from_the_first_byte_and_a_login_in_two_steps(authority: trustme.CA) -> None:
    async with Sink(tls=server_side(authority, "localhost"), implicit=True, logins="LOGIN") as sink:
        relay = open_relay(f"smtps://ann@example.org:swordfish@localhost:{sink.port}")
        await relay.deliver(letter())
        await relay.close()
    assert sink.commands[1:3] == ["AUTH LOGIN YW5uQGV4YW1wbGUub3Jn", "c3dvcmRmaXNo"]
    assert len(sink.taken) == 1


@in_loop
async def test_starttls_is_required() -> None:
    async with Sink() as sink:
        relay = open_relay(f"smtp+starttls://ann:swordfish@localhost:{sink.port}")
        with pytest.raises(RelayDown, match="STARTTLS"):
            await relay.deliver(letter())
    assert not [command for command in sink.commands if command.startswith(("AUTH", "MAIL"))]


@in_loop
async def test_a_certificate_of_somebody_else(authority: trustme.CA) -> None:
    async with Sink(tls=server_side(authority, "elsewhere.example")) as sink:
        with pytest.raises(RelayDown, match="certificate"):
            await open_relay(f"smtp+starttls://ann:swordfish@localhost:{sink.port}").deliver(letter())
    assert not [command for command in sink.commands if command.startswith(("AUTH", "MAIL"))]


@in_loop
async def test_a_password_appears_nowhere(authority: trustme.CA) -> None:
    """Not even if the server echoes it, and a refused login is the relay's trouble."""
    async with Sink(tls=server_side(authority, "localhost"), replies={"AUTH": "535 5.7.8 swordfish is wrong"}) as sink:
        relay = open_relay(f"smtp+starttls://ann:swordfish@localhost:{sink.port}")
        with pytest.raises(RelayDown, match=r"the relay refuses our login \(535\)") as caught:
            await relay.deliver(letter())
        assert "swordfish" not in "".join(traceback.format_exception(caught.value))
        assert "swordfish" not in repr(relay)
        assert "swordfish" not in repr(Target("smtp+starttls", "localhost", 587, "ann", "swordfish"))
        await relay.close()


class _Given:
    """A login by OAuth2 that gives one token, or none."""

    def __init__(self, token: str) -> None:
        self._token, self.refusals = token, 0

    def access(self) -> str:
        if not self._token:
            raise LoginNeeded("the login is over")
        return self._token

    def refused(self) -> None:
        self.refusals += 1


@in_loop
async def test_a_token_logs_in(authority: trustme.CA) -> None:
    """If the server refuses it, it first says why in a challenge, which gets an empty answer. It may echo the token."""
    tokens = _Given("swordfish")
    async with Sink(tls=server_side(authority, "localhost"), logins="PLAIN XOAUTH2") as sink:
        relay = open_relay(f"smtp+starttls://ann@localhost:{sink.port}", tokens=tokens)
        await relay.deliver(letter())
        await relay.close()
        assert "AUTH XOAUTH2 dXNlcj1hbm4BYXV0aD1CZWFyZXIgc3dvcmRmaXNoAQE=" in sink.commands
        sink.replies["AUTH"] = "535 5.7.139 Sending is disabled for (swordfish)"
        with pytest.raises(NoLogin, match=r"\(535\): 5.7.139 Sending is disabled for …") as caught:
            await relay.deliver(letter(2))
        assert "swordfish" not in "".join(traceback.format_exception(caught.value))
        assert (sink.commands[-1], tokens.refusals) == ("", 1)
        with pytest.raises(NoLogin, match="no login to the relay: the login is over"):
            await open_relay(f"smtp+starttls://ann@localhost:{sink.port}", tokens=_Given("")).deliver(letter(3))
    assert len(sink.taken) == 1
