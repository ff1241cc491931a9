"""Mails of an attacker who knows the command language: all commands with arguments of all shapes, and odd mails.

The mails have odd headers, deep MIME and HTML, odd digits, surrogates and NUL. The same seed gives the same mails.
"""

import random
from collections.abc import Callable, Iterator, Sequence

from pbmserv.commands import command_language
from pbmserv.inbox.command import Arg, Is, Scope
from pbmserv.inbox.context import Command
from tests.mail.odd_mails import mutants

COMMANDS = command_language().commands
GAMES = ("tumble ", "threes ", "town ", "trippples ", "3io ", "")
SENDERS = ("alice@example.org", "bob@example.org", "ALICE@example.org", "x@y.example", "carol@example.org")


def _words(text: str) -> list[str]:
    return text.split(" ")


DIGITS = _words(
    "\u0663 \uff11\uff10\uff11 \u00b2 \u2167 \u0967\u0966\u0967 \U0001d7d9\U0001d7d8\U0001d7d9 \u2460 \u00bd 101# #1 "
    f"101#\u0663 101#1 101#999999999 101#9999999999 -1 +101 1e3 1_0 0x65 101.0 inf nan 1e999 -0 {'0' * 300} {'9' * 16}"
)
WORDS = _words(
    "alice bob carol alice-secret bob-secret 101 102 103 104 105 106 101#0 new all next active inactive none off on "
    "clear c1-c2 h4-f6 f6-f5 store a1 l r u d draw pass # : ; = -- - --- -c --as=alice:alice-secret --as=: --as= --as "
    "--nagtime=1 --nagtime=nan --nagtime=1e400 --rating=1-2 --rating=2-1 --rating=\u0663-\u0664 --seats=99 "
    "--seats=\u0662 --random --private --unrated name=value mail=html mail=spoken mail= timezone=Europe/Berlin "
    "timezone=../../etc/passwd digest=daily block=bob language=de language=xx own=off x@y a@b.example <a@b> @ until "
    "2026-12-24 99999-99-99 31.02.2026 \u0663\u0661.\u0661\u0662.\u0662\u0660\u0662\u0666 help rules moves show stop "
    "yes decline accept propose c1-c2:f6-f5 \ud83d \udcff \x00 \u202e \u2028 \x85 \x1b[0m \ufb00 \u0130 \u00df \u01c5 "
    "\U0001f600 \u0301 \U0001d4f6lice \ufeff"
)
HEADERS = _words(
    "From Subject To Cc Date Message-ID References In-Reply-To Content-Type Content-Transfer-Encoding "
    "Content-Disposition Auto-Submitted Precedence Return-Path Authentication-Results List-Id "
    "X-Autoreply Received Reply-To Sender"
)
PIECES = _words(
    ': ; ( < , " \\ @ [ =?utf-8?q?=00?= =?utf-8?b?!!!!?= =?utf-8?q?=ED=A0=80?= =?utf-7?q?+2D0-?= =?utf-16?b?2AA=?= '
    "=?punycode?q?a-999999999b?= =?rot13?q?a?= =?hex?q?61?= =?undefined?q?a?= =?unicode_escape?q?=5Cud800?= "
    '=?\x00?q?a?= a:; a:a@b; x@[1.2.3.4] x@xn--\u00e9 ""@b @@ a..b@c .@b x@. x@xn--0 =?utf-8?q?a@b?= boundary= '
    "charset= charset*=utf-8''%ff charset*=x' name*0*=x format=flowed multipart/ text/ text/html message/rfc822 "
    "base64 utf-16 "
    'charset=" idna undefined unicode_escape -1 9999999999999999999999 <a@b> <( mx; dmarc=pass auto-replied \u0663 '
    "\ud800 \x00"
)
CHARSETS = _words(
    "utf-8 utf-16 utf-32 utf-7 hz iso-2022-jp iso-2022-kr gb18030 big5 cp1252 x-unknown idna punycode rot13 "
    "unicode_escape base64 hex zlib undefined mbcs \x00 iso-8859-8-i x-mac-cyrillic"
)
TAGS = _words(
    "<blockquote> <div> <pre> <b> <p> <table> <td> <a\thref='x'> <br> <!-- ]]> <![CDATA[ &#0; &#xD800; &#x110000; "
    "&bogus; </div> </html> <style> <script> <template> <svg> <title> <plaintext> <select> \x00 \x0c"
)
LINES = ("> ", ">", " ", "x \n", "-- \n", "\n", "On 1/1/24 wrote:\n", "c1-c2\n", ">>> \n")
KINDS = ("mixed", "alternative", "signed", "related", "report", "encrypted")
MESSAGES = ("rfc822", "delivery-status", "partial", "global", "external-body", "disposition-notification")


class Fuzz:
    """A maker of mails. Each mail is bytes without a Message-ID."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._mutants = mutants(10**9, seed)

    def mails(self, count: int, addresses: Sequence[str]) -> Iterator[tuple[bytes, str, str]]:
        """Yield so many mails, each with its recipient address and its envelope sender."""
        makers: dict[Callable[[], bytes], int] = {
            self._command: 9, self._reply: 3, self._odd_headers: 3, self._odd_body: 3, lambda: next(self._mutants): 1
        }  # fmt: skip
        for n in range(count):
            (make,) = self._chance.choices(list(makers), list(makers.values()))
            to = self._one(addresses)
            yield f"Message-ID: <{n}@fuzz>\n".encode() + make(), to, self._one(("x@example.org", "", "<>", "\u00e9@x"))

    def _one(self, choices: Sequence[str]) -> str:
        return self._chance.choice(choices)

    def _bytes(self, text: str) -> bytes:
        return text.encode("utf-8", self._one(("surrogatepass", "replace")))

    def _from(self) -> bytes:
        return f"From: {self._one(SENDERS)}\n".encode()

    # --- what is asked -----------------------------------------------------------------------------------------------

    def _command(self) -> bytes:
        """Return one command as the subject, or several commands."""
        lines = [self.line() for _ in range(self._chance.choice((1, 1, 1, 5, 12)))]
        if len(lines) > 1:
            return self._from() + b"Subject: multiple\n\n" + self._bytes("\n".join(lines))
        return self._from() + b"Subject: " + self._bytes(lines[0]) + b"\n\n" + self._bytes(self._one(("", self.line())))

    def _reply(self) -> bytes:
        line = self.line()
        first = self._one((line, line.partition(" ")[2], f"101: {self._word()}\n#102 {self._word()}", self._word()))
        return self._from() + b"Subject: Re: x\n\n" + self._bytes(f"{first}\n{self._one(('', 'propose'))}")

    def line(self) -> str:
        """Return a command with arguments, most of which are right."""
        command = self._chance.choice(COMMANDS)
        game = self._one(GAMES) if command.scope is Scope.GAME else self._one(("", "", "tumble "))
        words = list(self._arguments(command))
        for _ in range(self._chance.choice((0, 0, 0, 1, 2))):
            words.insert(self._chance.randint(0, len(words)), self._word())
        return f"{game}{self._one((*command.names, *command.synonyms))} {' '.join(words)}"

    def _arguments(self, command: Command) -> Iterator[str]:
        for arg in command.args:
            for _ in range(self._chance.randint(1, 4) if arg.many else 1):
                if self._chance.random() < 0.9:
                    yield self._argument(arg)

    def _argument(self, arg: Arg) -> str:
        fitting = {
            Is.USERID: ("alice", "bob", "carol"), Is.PASSWORD: ("alice-secret",), Is.NUMBER: ("1", "2", "0", "999999"),
            Is.BOARD: ("101", "102", "103", "104", "105", "106", "101#1", "999"),
        }.get(arg.is_)  # fmt: skip
        return self._one(fitting) if fitting and self._chance.random() < 0.75 else self._word()

    def _word(self) -> str:
        kind = self._chance.random()
        if kind < 0.2:
            return self._one(DIGITS)
        if kind < 0.25:
            return "".join(chr(self._chance.choice((32, 0x80, 0x660, 0xD800, 0x1D7D8)) + n) for n in range(9))
        if kind < 0.28:
            return self._one("az9-#:=@.\u00e9\u0660") * self._chance.choice((50, 201, 3000))
        return self._one(WORDS) + (self._one(WORDS) if kind > 0.9 else "")

    # --- how it is written -------------------------------------------------------------------------------------------

    def _odd_headers(self) -> bytes:
        author = self._from() if self._chance.random() < 0.6 else b""
        return author + b"\n".join(self._header() for _ in range(self._chance.randint(1, 5))) + b"\n\nhelp\n"

    def _header(self) -> bytes:
        many = self._chance.choice((1, 1, 2, 30, 1000))
        return self._bytes(
            f"{self._one(HEADERS)}: " + self._one(("", " ", ";", ", ", "\n ")).join([self._one(PIECES)] * many)
        )

    def _odd_body(self) -> bytes:
        return self._from() + self._chance.choice((self._deep, self._html, self._charset, self._quotes, self._nested))()

    def _deep(self) -> bytes:
        kinds = (self._one(KINDS) for _ in range(self._chance.randint(2, 14)))
        return "".join(f"Content-Type: multipart/{k}; boundary={n}\n\n--{n}\n" for n, k in enumerate(kinds)).encode()

    def _html(self) -> bytes:
        markup = (
            self._one(TAGS) * self._chance.choice((1, 2, 1000)) + self._one(("", "x", "c1-c2\n")) for _ in range(8)
        )
        return b"Content-Type: text/html; charset=utf-8\n\n" + self._bytes("".join(markup))

    def _charset(self) -> bytes:
        how = self._one(("8bit", "base64", "quoted-printable", "x"))
        head = f"Content-Type: text/plain; charset={self._one(CHARSETS)}\nContent-Transfer-Encoding: {how}\n\n"
        return head.encode() + self._chance.randbytes(self._chance.randint(0, 200))

    def _quotes(self) -> bytes:
        lines = "".join(self._one(LINES) for _ in range(60))
        return f"Content-Type: text/plain; format=flowed; delsp=yes\n\n{lines}".encode()

    def _nested(self) -> bytes:
        head = f"Content-Type: message/{self._one(MESSAGES)}\n\n" * self._chance.randint(1, 9)
        return head.encode() + self._header() + b"\n\nx"
