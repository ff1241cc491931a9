"""What a well-behaved client sees."""

import asyncio
import logging
import socket
import ssl

import pytest
from structlog.typing import EventDict

from pbmserv.mail.envelope import ACCEPTED, BARE_LINE_END, NO_SUCH_LETTERS, TOO_LARGE, TRY_AGAIN
from pbmserv.mail.smtp import listener as listeners
from pbmserv.mail.smtp.listener import SessionLimits
from tests.mail.smtp.conftest import Desk, listening
from tests.mail.smtp.raw_client import Client, until_served
from tests.tools.aio import in_loop, until

LMTP = "lmtp://127.0.0.1:0"


@in_loop
async def test_a_mail_is_handed_in_as_it_came(desk: Desk) -> None:
    data = "Subject: tumble move\r\n\r\nÜber 8 bits\r\n".encode("latin-1")
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        assert await client.mail(data + b".\r\n", "<pbmserv@example.org>", "<PostMaster>") == ACCEPTED
    mail = desk.came[0]
    assert mail.data == data
    assert (mail.mail_from, mail.rcpts) == ("ann@example.org", ("pbmserv@example.org", "PostMaster"))
    assert mail.peer == "127.0.0.1"


@in_loop
async def test_the_banner_is_neutral(desk: Desk) -> None:
    async with listening(desk, "smtp://127.0.0.1:0", LMTP) as listener:
        for address, protocol in zip(listener.addresses, ("ESMTP", "LMTP"), strict=True):
            async with Client(address) as client:
                assert client.banner == f"220 host.example {protocol} pbmserv"


@in_loop
async def test_ehlo_offers_what_we_do(desk: Desk) -> None:
    async with listening(desk, "smtp://127.0.0.1:0", LMTP) as listener:
        for address, greeting in zip(listener.addresses, ("EHLO", "LHLO"), strict=True):
            async with Client(address) as client:
                words = [line[4:] for line in (await client.say(f"{greeting} x")).split("\n")]
                assert words == [
                    "host.example",
                    "PIPELINING",
                    "ENHANCEDSTATUSCODES",
                    *(["XFORWARD ADDR"] if greeting == "LHLO" else []),
                    "SIZE 262144",
                    "8BITMIME",
                    "SMTPUTF8",
                ]


@in_loop
async def test_helo_will_do(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        assert await client.say("HELO x") == "250 host.example"
        assert await client.say("MAIL FROM:<ann@example.org>") == "250 2.1.0 Sender ok"


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("VRFY ann@example.org", "252 2.5.0 Cannot verify, but mail to our addresses is taken"),
        ("VRFY \udcff<", "252 2.5.0 Cannot verify, but mail to our addresses is taken"),
        ("EXPN staff", "502 5.5.1 EXPN not implemented"),
        ("AUTH PLAIN AGFubgBzd29yZGZpc2g=", "500 5.5.2 Error: command not recognized"),
        ("SWORDFISH", "500 5.5.2 Error: command not recognized"),
        ("STARTTLS", "454 4.7.0 TLS not available"),
        ("NOOP", "250 2.0.0 OK"),
        ("RSET", "250 2.0.0 OK"),
        ("QUIT", "221 2.0.0 Bye"),
        ("DATA", "503 5.5.1 Error: need RCPT command"),
        ("RCPT TO:<pbmserv@example.org>", "503 5.5.1 Error: need MAIL command"),
        ("MAIL FROM:<ann@example.org> SIZE=262145", "552 5.3.4 Error: message size exceeds fixed maximum message size"),
        ("MAIL FROM:<ann@example.org> BODY=9BIT", "501 5.5.4 Error: BODY can only be one of 7BIT, 8BITMIME"),
        ("MAIL FROM:<ann@example.org> COLOUR=RED", "555 5.5.4 MAIL FROM parameters not recognized or not implemented"),
    ],
)
@in_loop
async def test_other_commands(desk: Desk, command: str, reply: str) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        client.send(command.encode("utf-8", "surrogateescape") + b"\r\n")
        assert await client.reply() == reply


@pytest.mark.parametrize(
    ("path", "reply"),
    [
        ("<pbmserv@example.org>", "250 2.1.5 Recipient ok"),
        ("<pbmserv+b101.0.12.abcdefghijklmnop@example.org>", "250 2.1.5 Recipient ok"),
        ("<@relay.example:pbmserv@example.org>", "250 2.1.5 Recipient ok"),
        ("<pbmserv@bücher.example>", "250 2.1.5 Recipient ok"),
        ("<pbmserv@[127.0.0.1]>", "250 2.1.5 Recipient ok"),
        ("<postmaster>", "250 2.1.5 Recipient ok"),
        ("<somebody@elsewhere.example>", "550 5.1.1 No such address here"),
        ('<"@elsewhere.example:pbmserv"@example.org>', "550 5.1.1 No such address here"),
        ("<somebody%elsewhere.example@example.org>", "550 5.1.1 No such address here"),
        ("<>", "501 5.1.3 A recipient cannot be empty"),
        ("<", "553 5.1.3 Error: malformed address"),
        ("<pbmserv>", "553 5.1.3 Error: malformed address"),
        ("<pbmserv@>", "553 5.1.3 Error: malformed address"),
        ("<@example.org>", "553 5.1.3 Error: malformed address"),
        ("<pbmserv@example.org", "553 5.1.3 Error: malformed address"),
        ("<pbmserv@example.org>>", "553 5.1.3 Error: malformed address"),
        ("<pbmserv@exa mple.org>", "553 5.1.3 Error: malformed address"),
        ("<pbmserv(x)@example.org>", "553 5.1.3 Error: malformed address"),
        ("<pbmserv@a@example.org>", "553 5.1.3 Error: malformed address"),
        ("<pbmserv\x00@example.org>", "553 5.1.3 Error: malformed address"),
        ("<pbmserv\udcff@example.org>", "553 5.1.3 Error: malformed address"),
        ("<pbmserv\r@example.org>", "553 5.1.3 Error: malformed address"),
        ("<pbmserv@example.org> NOTIFY=NEVER", "555 5.5.4 RCPT TO parameters not recognized or not implemented"),
    ],
)
@in_loop
async def test_recipients(desk: Desk, path: str, reply: str) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        await client.say("MAIL FROM:<ann@example.org>")
        client.send(b"RCPT TO:" + path.encode("utf-8", "surrogateescape") + b"\r\n")
        assert await client.reply() == reply


@in_loop
async def test_a_malformed_sender(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        for path in ("<ann>", "ann@example.org", "<ann@example.org", "<ann@example.org\udcff>"):
            client.send(b"MAIL FROM:" + path.encode("utf-8", "surrogateescape") + b"\r\n")
            assert await client.reply() == "553 5.1.3 Error: malformed address"


@in_loop
async def test_the_null_sender(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.begin(sender="<>")
        client.send("x\r\n.\r\n")
        assert await client.reply() == ACCEPTED
    assert desk.came[0].mail_from == ""


@in_loop
async def test_pipelining(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        client.send(
            "MAIL FROM:<ann@example.org>\r\nRCPT TO:<no@example.org>\r\nRCPT TO:<pbmserv@a.example>\r\nDATA\r\n"
        )
        assert [(await client.reply())[:3] for _ in range(4)] == ["250", "550", "250", "354"]
        client.send("one\r\n.\r\nMAIL FROM:<bob@example.org>\r\nRCPT TO:<pbmserv@b.example>\r\nDATA\r\n")
        assert [(await client.reply())[:3] for _ in range(4)] == ["250", "250", "250", "354"]
        client.send("two\r\n.\r\nQUIT\r\n")
        assert [(await client.reply())[:3] for _ in range(2)] == ["250", "221"]
    assert [(mail.data, mail.rcpts) for mail in desk.came] == [
        (b"one\r\n", ("pbmserv@a.example",)),
        (b"two\r\n", ("pbmserv@b.example",)),
    ]


@in_loop
async def test_replies_to_a_group_of_commands_go_out_together(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    write = asyncio.StreamWriter.write

    def look(self: asyncio.StreamWriter, data: bytes) -> None:
        written.append(data)
        write(self, data)

    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        monkeypatch.setattr(asyncio.StreamWriter, "write", look)
        commands = "MAIL FROM:<ann@example.org>\r\nRCPT TO:<pbmserv@example.org>\r\nDATA\r\n"
        client.send(commands)
        assert [(await client.reply())[:3] for _ in range(3)] == ["250", "250", "354"]
    assert written[0] == commands.encode()
    assert [data.count(b"\r\n") for data in written[1:]] == [3]


@in_loop
async def test_a_command_whose_end_has_not_come_holds_no_reply_back(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        client.send("MAIL FROM:<ann@example.org>\r\nRCPT TO:")
        assert await client.reply() == "250 2.1.0 Sender ok"
        client.send("<pbmserv@example.org>\r\n")
        assert await client.reply() == "250 2.1.5 Recipient ok"


@pytest.mark.parametrize(
    ("sent", "data"),
    [
        (b".\r\n", b""),
        (b"\r\n.\r\n", b"\r\n"),
        (b"..\r\n.\r\n", b".\r\n"),
        (b"..hidden\r\n...\r\nend.\r\n.\r\n", b".hidden\r\n..\r\nend.\r\n"),
        (b"a\x00b\r\n.\r\n", b"a\x00b\r\n"),
    ],
)
@in_loop
async def test_transparency(desk: Desk, sent: bytes, data: bytes) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.begin()
        for byte in sent:
            client.send(bytes([byte]))
            await asyncio.sleep(0.001)
        assert await client.reply() == ACCEPTED
    assert desk.came[0].data == data


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r.\r\n", b"\r\n.\r", b"\r\r\n.\r\r\n"])
@in_loop
async def test_smuggling(desk: Desk, end: bytes) -> None:
    """Only CRLF.CRLF ends a message. A message is refused as a whole if another server could see its end earlier."""
    smuggled = b"MAIL FROM:<mallory@example.org>\r\nRCPT TO:<pbmserv@example.org>\r\nDATA\r\nresign\r\n.\r\n"
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        assert await client.mail(b"x" + end + smuggled) == BARE_LINE_END
        assert await client.say("NOOP") == "250 2.0.0 OK"
    assert desk.came == []


@in_loop
async def test_lmtp_answers_for_every_recipient(desk: Desk) -> None:
    async with listening(desk, LMTP) as listener, Client(listener.addresses[0]) as client:
        assert await client.say("MAIL FROM:<ann@example.org>") == "503 5.5.1 Error: send LHLO first"
        assert await client.say("EHLO x") == "500 5.5.2 Error: command not recognized"
        recipients = ["<pbmserv@a.example>", "<pbmserv@b.example>", "<pbmserv@a.example>"]
        await client.begin(*recipients, greeting="LHLO")
        client.send("one\r\n.\r\n")
        assert [await client.reply() for _ in recipients] == [ACCEPTED] * 3
        await client.begin(*recipients[:2], greeting="LHLO")
        client.send("bare\nline\r\n.\r\n")
        assert [await client.reply() for _ in range(2)] == [BARE_LINE_END] * 2
        await client.begin(*recipients[:2], greeting="LHLO")
        client.send("x" * 262144 + "\r\n.\r\n")
        assert [await client.reply() for _ in range(2)] == [TOO_LARGE] * 2
        desk.error = OSError("disk full")
        await client.begin(*recipients[:2], greeting="LHLO")
        client.send("two\r\n.\r\n")
        assert [await client.reply() for _ in range(2)] == [TRY_AGAIN] * 2
        assert await client.say("NOOP") == "250 2.0.0 OK"
    assert [mail.data for mail in desk.done] == [b"one\r\n"]
    assert desk.came[0].rcpts == ("pbmserv@a.example", "pbmserv@b.example", "pbmserv@a.example")


@in_loop
async def test_our_own_mta_says_which_client_a_message_came_from(desk: Desk) -> None:
    forwarded = ("ADDR=192.0.2.7", "NAME=x ADDR=IPV6:2001:db8::1", "addr=[UNAVAILABLE]", "ADDR=1.2.3", "")
    async with listening(desk, LMTP) as listener, Client(listener.addresses[0]) as client:
        assert "XFORWARD ADDR" in await client.say("LHLO x")
        for n, words in enumerate(forwarded):
            assert await client.say(f"XFORWARD {words}") == "250 2.0.0 Ok"
            await client.begin("<pbmserv@a.example>", greeting="NOOP")
            client.send(f"{n}\r\n.\r\n")
            assert await client.reply() == ACCEPTED
        assert await client.say("XFORWARD ADDR=192.0.2.7") == "250 2.0.0 Ok"
        assert await client.say("MAIL FROM:<ann@example.org>") == "250 2.1.0 Sender ok"
        assert (await client.say("XFORWARD ADDR=192.0.2.8"))[:3] == "503"
        for n in range(2):  # the second message has no XFORWARD of its own
            if n:
                assert (await client.say("MAIL FROM:<ann@example.org>"))[:3] == "250"
            assert (await client.say("RCPT TO:<pbmserv@a.example>"))[:3] == "250"
            assert (await client.say("DATA"))[:3] == "354"
            client.send("last\r\n.\r\n")
            assert await client.reply() == ACCEPTED
    assert [mail.peer for mail in desk.done] == ["192.0.2.7", "2001:db8::1", "", "", "", "192.0.2.7", ""]


@in_loop
async def test_nobody_else_may_say_so(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        assert "XFORWARD" not in await client.say("EHLO x")
        assert (await client.say("XFORWARD ADDR=192.0.2.7"))[:3] == "500"


@in_loop
async def test_starttls(desk: Desk, server_tls: ssl.SSLContext, client_tls: ssl.SSLContext) -> None:
    async with listening(desk, tls=server_tls) as listener, Client(listener.addresses[0]) as client:
        assert "250 STARTTLS" in await client.say("EHLO x")
        await client.say("MAIL FROM:<mallory@example.org>")
        client.send("STARTTLS\r\nMAIL FROM:<mallory@example.org>\r\n")  # the second line could be an attacker's
        assert await client.reply() == "220 Ready to start TLS"
        await client.starttls(client_tls)
        assert await client.say("MAIL FROM:<ann@example.org>") == "503 5.5.1 Error: send HELO first"
        offer = await client.say("EHLO x")
        assert "STARTTLS" not in offer
        assert "AUTH" not in offer
        assert await client.say("STARTTLS") == "503 5.5.1 TLS is active already"
        assert await client.mail(b"secret\r\n.\r\n") == ACCEPTED
    assert desk.came[0].mail_from == "ann@example.org"
    assert desk.came[0].peer == "127.0.0.1"


@in_loop
async def test_a_failed_handshake_ends_one_connection(
    desk: Desk, lines: list[EventDict], server_tls: ssl.SSLContext
) -> None:
    async with listening(desk, tls=server_tls, limits=SessionLimits(connections=1)) as listener:
        async with Client(listener.addresses[0]) as client:
            assert await client.say("STARTTLS") == "220 Ready to start TLS"
            client.send("this is not TLS\r\n")
            await client.reader.read()
        await until_served(listener.addresses[0])
    assert not [line for line in lines if line["log_level"] == "error"]


@in_loop
async def test_nagle_is_off(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, found = listeners.Smtp, list[int]()
    hang_up = kind.hang_up

    def look(self: listeners.Smtp, reply: str) -> None:
        assert self.transport is not None
        found.append(self.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        hang_up(self, reply)

    monkeypatch.setattr(kind, "hang_up", look)
    async with listening(desk) as listener, Client(listener.addresses[0]):
        await listener.drain(1)
    assert found
    assert all(found)


@in_loop
async def test_nothing_of_a_message_is_logged(
    desk: Desk, lines: list[EventDict], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert logging.getLogger("mail.log").level == logging.WARNING
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        assert await client.mail(b"Subject: swordfish\r\n\r\nswordfish\r\n.\r\n") == ACCEPTED
        await client.say("swordfish swordfish")
        desk.error = ValueError("swordfish")
        assert await client.mail(b"swordfish\r\n.\r\n") == TRY_AGAIN
        await until(lambda: len(desk.came) == 2)
    assert "swordfish" not in caplog.text.lower()
    assert "swordfish" not in str(lines)
    assert [(line["peer"], line["reply"], line["size"]) for line in lines if line["event"] == "mail"] == [
        ("127.0.0.1", "250", 33),
        ("127.0.0.1", "451", 11),
    ]
    bug = next(line for line in lines if line["event"] == "listener_error")
    assert bug["error"] == "ValueError"
    assert "in submit" in bug["where"]


@pytest.mark.parametrize("protocol", ["smtp://127.0.0.1:0", LMTP])
@pytest.mark.parametrize(
    ("author", "reply"),
    [
        ("jörg@example.org", NO_SUCH_LETTERS),
        ("Jörg <jörg@example.org>", NO_SUCH_LETTERS),
        ("Jörg\r\n <jörg@example.org>", NO_SUCH_LETTERS),
        ("Jörg <joerg@example.org>", ACCEPTED),
        ("joerg@bücher.example", ACCEPTED),
        ('"jörg@home" <joerg@example.org>', ACCEPTED),
        ("=?utf-8?q?j=C3=B6rg?=@example.org", NO_SUCH_LETTERS),
        ("=?utf-8?q?J=C3=B6rg?= <=?utf-8?b?asO2cmc=?=@example.org>", NO_SUCH_LETTERS),
        ("<jörg@example.org> (mail me <here@example.org>)", NO_SUCH_LETTERS),
        ("joerg@example.org (jörg@home)", ACCEPTED),
    ],
)
@in_loop
async def test_whom_nobody_could_answer_is_told_so(desk: Desk, protocol: str, author: str, reply: str) -> None:
    async with listening(desk, protocol) as listener, Client(listener.addresses[0]) as client:
        await client.begin("<pbmserv@a.example>", greeting="LHLO" if protocol == LMTP else "EHLO")
        client.send(f"Subject: list\r\nFrom: {author}\r\n\r\nFrom: jörg@example.org\r\n.\r\n")
        assert await client.reply() == reply
    assert len(desk.came) == (reply == ACCEPTED)


@pytest.mark.parametrize(
    ("author", "sender", "reply"),
    [
        ("joerg@example.org", "jörg@example.org", ACCEPTED),  # the answer goes to From
        ("Joerg", "jörg@example.org", NO_SUCH_LETTERS),
        ("a@example.org, b@example.org", "jörg@example.org", NO_SUCH_LETTERS),
        ("jörg@example.org, b@example.org", "joerg@example.org", ACCEPTED),  # told by a letter: one sender, please
        ("Joerg", "joerg@example.org", ACCEPTED),
        ("Joerg", "joerg@[192.0.2.1]", NO_SUCH_LETTERS),
        ("a@example.org, b@example.org", "joerg@[192.0.2.1]", NO_SUCH_LETTERS),
        ("joerg@example.org", "joerg@[192.0.2.1]", ACCEPTED),
    ],
)
@in_loop
async def test_the_smtp_sender_counts_only_if_from_names_nobody(
    desk: Desk, author: str, sender: str, reply: str
) -> None:
    async with listening(desk, "smtp://127.0.0.1:0") as listener, Client(listener.addresses[0]) as client:
        await client.begin("<pbmserv@a.example>", sender=f"<{sender}> SMTPUTF8")
        client.send(f"Subject: list\r\nFrom: {author}\r\n\r\nHello\r\n.\r\n")
        assert await client.reply() == reply
