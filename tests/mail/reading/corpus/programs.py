"""Mail programs: each turns the words that were typed around one of our letters into the bytes of a mail."""

import base64
import quopri
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape

from tests.mail.reading.client_mails import ADDRESS, LETTER, Language, named

NAME = "PBM Server"
BOX = f"{NAME} <{ADDRESS}>"
_WIDTH = 72


@dataclass(frozen=True)
class Typed:
    """What a person typed: words above the quote, in the middle of it, and below it; `tight`: without empty lines."""

    above: str = ""
    middle: str = ""
    below: str = ""
    tight: bool = False
    signature: str = ""

    @property
    def gap(self) -> str:
        """Return the text between words and quote."""
        return "\n" if self.tight else "\n\n"


Program = Callable[[Typed, Language], bytes]


# --- what programs have in common ------------------------------------------------------------------------------------


def head(subject: str, more: str) -> bytes:
    """Return the headers of an answer."""
    return (
        f"From: Alice <alice@example.org>\nTo: {BOX}\nSubject: {subject}\nMessage-ID: <1@example.org>\n{more}".encode()
    )


def plain(text: str, charset: str = "utf-8", transfer: str = "quoted-printable", parameters: str = "") -> bytes:
    """Return a mail with plain text only."""
    data = text.replace("\n", "\r\n").encode(charset, "xmlcharrefreplace" if charset == "utf-8" else "replace")
    encoded = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}.get(transfer, bytes)(data)
    kind = f"Content-Type: text/plain; charset={charset}{parameters}\nContent-Transfer-Encoding: {transfer}\n\n"
    return head("Re: Tumble Board 101 alice", f"MIME-Version: 1.0\n{kind}") + encoded


def page(html: str) -> bytes:
    """Return a mail with HTML only."""
    kind = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    return head("Re: Tumble Board 101 alice", f"MIME-Version: 1.0\n{kind}") + base64.encodebytes(html.encode())


def both(text: str, html: str) -> bytes:
    """Return a mail with two alternatives."""
    parts = "".join(
        f"--=_b\r\nContent-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        f"{quopri.encodestring(words.encode()).decode()}\r\n"
        for kind, words in (("plain", text), ("html", html))
    )
    kind = 'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="=_b"\n\n'
    return head("Re: Tumble Board 101 alice", kind) + f"{parts}--=_b--\r\n".encode()


def quoted(text: str, mark: str = "> ") -> str:
    """Return the text with a quote mark before each line."""
    return "\n".join((mark + line).rstrip() for line in text.split("\n"))


def wrapped(text: str, width: int = _WIDTH) -> str:
    """Return the text with each paragraph wrapped."""
    lines = (textwrap.fill(x, width, break_on_hyphens=False, break_long_words=False) for x in text.split("\n"))
    return "\n".join(lines)


def flowed(text: str) -> str:
    """Return the text in format=flowed."""
    return "\n".join(wrapped(line).replace("\n", " \n") for line in text.split("\n"))


def around(typed: Typed, introduction: str, mark: str = "> ", letter: str = LETTER, *, folds: bool = True) -> str:
    """Return the typed words around a quote with marks."""
    fold = wrapped if folds else str
    first, _, second = letter.partition("\n\nbob writes:")
    quote = quoted(letter, mark)
    if typed.middle:
        quote = f"{quoted(first, mark)}\n\n{fold(typed.middle)}\n\n{quoted('bob writes:' + second, mark)}"
    quote = f"{introduction}\n{quote}" if introduction else quote
    signed = f"\n\n-- \n{typed.signature}" if typed.signature else ""
    if typed.below:
        return f"{quote}\n\n{fold(typed.below)}{signed}"
    return f"{fold(typed.above)}{signed}{typed.gap}{quote}" if typed.above else quote + signed


def over(typed: Typed, block: str) -> str:
    """Return the typed words, then a block of headers and the original without marks."""
    signed = f"\n\n-- \n{typed.signature}" if typed.signature else ""
    return f"{typed.above}{signed}{typed.gap}{block}\n\n{LETTER}\n"


def headers(lang: Language, order: str = "fstj", bold: str = "", sender: str = BOX) -> str:
    """Return a block of headers: `f` sender, `s` date, `t` recipient, `j` subject."""
    values = dict(zip("fstj", (sender, "1 January 2024 12:00", "alice@example.org", "Tumble Board 101"), strict=True))
    labels = dict(zip("fstj", lang.labels, strict=True))
    return "\n".join(f"{bold}{labels[x]}:{bold} {values[x]}" for x in order)


def rows(typed: Typed, tag: str = "div") -> str:
    """Return the words above the quote as lines of HTML."""
    lines = typed.above.split("\n")
    return "".join(f"<{tag}>{escape(x) or '<br>'}</{tag}>" for x in lines)


def letter_html() -> str:
    """Return the letter as its HTML part is quoted."""
    return f'<div style="font-family:sans-serif"><pre>{escape(LETTER)}</pre></div>'


# --- Google ----------------------------------------------------------------------------------------------------------


def gmail_web(typed: Typed, lang: Language) -> bytes:
    """Two alternatives. The plain part is wrapped, the introduction even inside the address."""
    introduction = wrapped(named(lang.gmail), 76)
    text = around(typed, f"{introduction}\n")
    attribution = f'<div dir="ltr" class="gmail_attr">{escape(named(lang.gmail))}<br></div>'
    quote = f'<blockquote class="gmail_quote" style="margin:0">{letter_html()}</blockquote>'
    html = f'<div dir="ltr">{rows(typed)}</div><br><div class="gmail_quote gmail_quote_container">{attribution}{quote}'
    return both(text, f"{html}</div>\r\n")


def gmail_cut(typed: Typed, lang: Language) -> bytes:
    """The app on Android: the introduction is broken behind the bracket."""
    return plain(around(typed, named(lang.gmail).replace("<", "<\n") + "\n"), transfer="base64")


def gmail_html(typed: Typed, lang: Language) -> bytes:
    """Only the HTML part arrived."""
    attribution = f'<div dir="ltr" class="gmail_attr">{escape(named(lang.gmail))}<br></div>'
    quote = f'<blockquote class="gmail_quote">{letter_html()}</blockquote>'
    return page(f'<div dir="auto">{rows(typed)}</div><div class="gmail_quote">{attribution}{quote}</div>')


# --- Apple -----------------------------------------------------------------------------------------------------------


def apple_mail(typed: Typed, lang: Language) -> bytes:
    """The introduction is quoted, too."""
    return plain(around(typed, "", letter=f"{named(lang.apple)}\n\n{LETTER}", folds=False))


def apple_html(typed: Typed, lang: Language) -> bytes:
    """Rich text: only HTML."""
    quote = f'<blockquote type="cite"><div>{escape(named(lang.apple))}</div><br><div>{letter_html()}</div></blockquote>'
    return page(f'<html><body style="overflow-wrap: break-word;">{rows(typed)}<div><br>{quote}</div></body></html>')


def ios_mail(typed: Typed, lang: Language) -> bytes:
    """An advertisement between words and quote, and a byte order mark before the original."""
    letter = f"{named(lang.apple)}\n\n\ufeff{LETTER}"
    advertised = Typed(typed.above and f"{typed.above}\n\n{lang.phone}", typed.middle, typed.below, typed.tight)
    text = around(advertised, "", letter=letter, folds=False)
    return plain(f"{text}\n\n{lang.phone}" if typed.below else text, transfer="base64")


# --- Microsoft -------------------------------------------------------------------------------------------------------


def outlook_desktop(typed: Typed, lang: Language) -> bytes:
    """Plain text, with the original below a block of headers."""
    return plain(over(typed, headers(lang)), transfer="base64")


def outlook_original(typed: Typed, lang: Language) -> bytes:
    """The format before 2007."""
    return plain(over(typed, f"-----{lang.original}-----\n{headers(lang)}"))


def outlook_desktop_html(typed: Typed, lang: Language) -> bytes:
    """Only HTML, made by Word."""
    block = "".join(f"<b>{line.partition(':')[0]}:</b>{escape(line.partition(':')[2])}<br>" for line in
                    headers(lang).split("\n"))  # fmt: skip
    border = '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
    words = "".join(f'<p class="MsoNormal">{escape(x) or "&nbsp;"}<o:p></o:p></p>' for x in typed.above.split("\n"))
    gap = "" if typed.tight else '<p class="MsoNormal"><o:p>&nbsp;</o:p></p>'
    body = f'<div class="WordSection1">{words}{gap}<div>{border}<p class="MsoNormal">{block}</p></div></div>'
    style = "<style>p.MsoNormal { margin: 0cm; font-size: 11pt }</style>"
    return page(f"<html><head>{style}</head><body>{body}{letter_html()}</div></body></html>")


def outlook_web(typed: Typed, lang: Language) -> bytes:
    """Two alternatives: the plain text has a rule of 32 underscores, the HTML has an element with an id."""
    text = over(typed, f"{'_' * 32}\n{headers(lang, bold='')}")
    block = "<br>".join(escape(line) for line in headers(lang).split("\n"))
    html = f'{rows(typed)}<hr tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">{block}</div><div>{letter_html()}</div>'
    return both(text, html)


def outlook_new(typed: Typed, lang: Language) -> bytes:
    """Only HTML, with a marker where the answer begins."""
    block = "<br>".join(escape(line) for line in headers(lang).split("\n"))
    html = f'{rows(typed)}<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">{block}</div>{letter_html()}'
    return page(f"<html><head></head><body>{html}</body></html>")


def outlook_mobile(typed: Typed, lang: Language) -> bytes:
    """An advertisement, a rule, bold labels."""
    rule = f"Get Outlook for iOS<https://aka.ms/o0ukef>\n{'_' * 32}\n{headers(lang, bold='')}"
    return plain(over(Typed(typed.above, signature=typed.signature), rule))


def hotmail(typed: Typed, lang: Language) -> bytes:
    """A rule, and headers that do not begin with From."""
    return plain(over(typed, f"Date: Mon, 1 Jan 2024 12:00:00 +0000\nFrom: {BOX}\nSubject: x\nTo: alice@example.org"))


# --- Yahoo, AOL ------------------------------------------------------------------------------------------------------


def yahoo(typed: Typed, lang: Language) -> bytes:
    """The introduction stands directly below the words, and the original has no marks."""
    when = "On Monday, January 1, 2024 at 12:00:00 PM GMT+1"
    text = f"{typed.above}\n    {when}, {BOX} wrote:  \n \n {LETTER}\n  "
    quote = (
        f'<div id="yahoo_quoted_1" class="yahoo_quoted"><div>{when}, {escape(BOX)} wrote:</div>{letter_html()}</div>'
    )
    return both(text, f'<div class="yahoo-style-wrap">{rows(typed)}</div>{quote}')


def yahoo_app(typed: Typed, lang: Language) -> bytes:
    """The app puts its advertisement between words and introduction."""
    when = "On Mon, Jan 1, 2024 at 12:00 PM"
    return plain(f"{typed.above}\n\nSent from Yahoo Mail on Android \n \n  {when}, {BOX} wrote:   {LETTER}\n")


def aol(typed: Typed, lang: Language) -> bytes:
    """An old-fashioned block."""
    block = (
        f"-----Original Message-----\nFrom: {BOX}\nTo: alice@example.org\nSent: Mon, Jan 1, 2024 12:00 pm\nSubject: x"
    )
    return plain(over(typed, block), "us-ascii" if typed.above.isascii() else "utf-8", "8bit")


# --- programs for everybody's computer -------------------------------------------------------------------------------


def thunderbird(typed: Typed, lang: Language) -> bytes:
    """format=flowed."""
    above, middle, below = map(flowed, (typed.above, typed.middle, typed.below))
    words = replace(typed, above=above, middle=middle, below=below)
    text = around(words, named(lang.thunderbird), folds=False)
    return plain(text, "utf-8", "8bit", "; format=flowed")


def thunderbird_html(typed: Typed, lang: Language) -> bytes:
    """The same program when it sends HTML."""
    prefix = f'<div class="moz-cite-prefix">{escape(named(lang.thunderbird))}<br></div>'
    words = "".join(f"<p>{'<br>'.join(map(escape, x.split(chr(10))))}</p>" for x in typed.above.split("\n\n"))
    return page(f'<body>{words}{prefix}<blockquote type="cite" cite="mid:1">{letter_html()}</blockquote>')


def claws(typed: Typed, lang: Language) -> bytes:
    """Two lines of introduction and an empty one."""
    return plain(around(typed, f"On Mon, 1 Jan 2024 12:00:00 +0100\n{BOX} wrote:\n"), "utf-8", "8bit")


def evolution(typed: Typed, lang: Language) -> bytes:
    """A short introduction."""
    return plain(around(typed, f"On Mon, 2024-01-01 at 12:00 +0100, {NAME} wrote:"), "utf-8", "8bit")


def kmail(typed: Typed, lang: Language) -> bytes:
    """The introduction has the name of the time zone."""
    return plain(around(typed, f"On Monday, 1 January 2024 12:00:00 CET {NAME} wrote:"), "utf-8", "quoted-printable")


def em_client(typed: Typed, lang: Language) -> bytes:
    """A title between dashes and a block."""
    block = (
        f'------ Original Message ------\nFrom "{NAME}" <{ADDRESS}>\nTo alice@example.org\nDate 1/1/2024 12:00:00 PM'
    )
    return plain(over(typed, f"{block}\nSubject Tumble Board 101"))


def postbox(typed: Typed, lang: Language) -> bytes:
    """Name first."""
    return plain(around(typed, f"{NAME} wrote on 1/1/24 12:00:"), "utf-8", "8bit")


# --- the terminal ----------------------------------------------------------------------------------------------------


def mutt(typed: Typed, lang: Language) -> bytes:
    """The charset is the usual one of the language."""
    introduction = f"On Mon, Jan 01, 2024 at 12:00:00PM +0100, {NAME} wrote:"
    return plain(around(typed, introduction), lang.charset, "8bit")


def aerc(typed: Typed, lang: Language) -> bytes:
    """The introduction has the time zone."""
    return plain(
        around(typed, f"On Mon Jan 1, 2024 at 12:00 PM CET, {NAME} wrote:"), "utf-8", "8bit", "; format=flowed"
    )


def s_nail(typed: Typed, lang: Language) -> bytes:
    """The introduction has neither date nor time."""
    return plain(around(typed, f"{BOX} wrote:\n"), "utf-8", "8bit")


def s_nail_title(typed: Typed, lang: Language) -> bytes:
    """A title above the quote."""
    return plain(around(typed, "-------- Original Message --------"), "utf-8", "8bit")


def s_nail_bars(typed: Typed, lang: Language) -> bytes:
    """Settings as its author uses them."""
    return plain(around(typed, f"{NAME} wrote in\n <m1.abcdefghijklmnop@example.org>:", " |"), "utf-8", "8bit")


def alpine(typed: Typed, lang: Language) -> bytes:
    """The introduction has only a date."""
    return plain(around(typed, f"On Mon, 1 Jan 2024, {NAME} wrote:\n"), "utf-8", "8bit", "; format=flowed")


def gnus(typed: Typed, lang: Language) -> bytes:
    """The verb of the introduction is in the present tense."""
    return plain(around(typed, f"{BOX} writes:\n"), "utf-8", "8bit")


# --- the web ---------------------------------------------------------------------------------------------------------


def zoho(typed: Typed, lang: Language) -> bytes:
    """Dashes around the introduction."""
    introduction = f"---- On Mon, 01 Jan 2024 12:00:00 +0100 {BOX} wrote ---\n"
    html = f'{rows(typed)}<div class="zmail_extra">{escape(introduction)}<blockquote>{letter_html()}</blockquote></div>'
    return both(around(typed, introduction), html)


def proton(typed: Typed, lang: Language) -> bytes:
    """An advertisement, ordinal numbers."""
    sent = "Sent with Proton Mail secure email."
    words = Typed(typed.above and f"{typed.above}\n\n{sent}", typed.middle, typed.below, typed.tight, typed.signature)
    return plain(around(words, f"On Monday, January 1st, 2024 at 12:00 PM, {BOX} wrote:\n", folds=False))


def proton_html(typed: Typed, lang: Language) -> bytes:
    """The same program when it sends HTML. People write into the element that it marks as the quote."""
    sent = '<div class="protonmail_signature_block"><div>Sent with Proton Mail secure email.</div></div>'
    middle = f"</pre></div></blockquote>{rows(Typed(typed.middle))}<blockquote><div><pre>" if typed.middle else ""
    letter = letter_html().replace("bob writes:", f"{middle}bob writes:")
    quote = f"On Monday, {escape(BOX)} wrote:<br><blockquote>{letter}</blockquote>{rows(Typed(typed.below))}"
    return page(f'{rows(typed)}<div><br></div>{sent}<div><br></div><div class="protonmail_quote">{quote}</div>')


def tutanota(typed: Typed, lang: Language) -> bytes:
    """Date, time and address."""
    return plain(around(typed, f"1 Jan 2024, 12:00 by {ADDRESS}:\n"), transfer="base64")


def gmx(typed: Typed, lang: Language) -> bytes:
    """A block that begins with the date."""
    return plain(over(typed, f"{headers(lang, 'sftj')}"), transfer="quoted-printable")


def gmx_html(typed: Typed, lang: Language) -> bytes:
    """The same program when it sends HTML."""
    block = "<br>".join(f"<b>{escape(line)}</b>" for line in headers(lang, "sftj").split("\n"))
    return page(f'{rows(typed)}<div name="quote" style="margin:10px 5px">{block}<div>{letter_html()}</div></div>')


def orange(typed: Typed, lang: Language) -> bytes:
    """The block of headers has quote marks, as the original has."""
    block = f"Message du 01/01/24 12:00\nDe : {BOX}\nA : alice@example.org\nCopie à : \nObjet : Tumble Board 101\n\n"
    return plain(around(typed, "", letter=f"{block}{LETTER}"), "iso-8859-1", "8bit")


def mail_ru(typed: Typed, lang: Language) -> bytes:
    """A sentence in Russian."""
    return plain(around(typed, f"Понедельник, 1 января 2024, 12:00 +03:00 от {BOX}:\n ", ">"), transfer="base64")


def yandex(typed: Typed, lang: Language) -> bytes:
    """HTML; the introduction has no verb."""
    attribution = f'<div>01.01.2024, 12:00, "{NAME}" &lt;{ADDRESS}&gt;:</div>'
    return page(
        f"{rows(typed)}{'' if typed.tight else '<div> </div>'}{attribution}<blockquote>{letter_html()}</blockquote>"
    )


def qq(typed: Typed, lang: Language) -> bytes:
    """A title in Chinese and a block with names in quotes."""
    block = f'发件人: "{NAME}" <{ADDRESS}>;\n发送时间: 2024年1月1日(星期一) 中午12:00\n'
    block += '收件人: "Alice"<alice@example.org>;\n'
    title = "------------------ 原始邮件 ------------------"
    return plain(over(typed, f"{title}\n{block}主题: Tumble Board 101"), "gb18030", "base64")


def netease(typed: Typed, lang: Language) -> bytes:
    """An introduction that ends in a Chinese colon, directly above the original."""
    return plain(f'{typed.above}{typed.gap}At 2024-01-01 12:00:00, "{NAME}" <{ADDRESS}> wrote:\n{quoted(LETTER, ">")}')


def naver(typed: Typed, lang: Language) -> bytes:
    """A block with quotes and semicolons."""
    block = f'-----Original Message-----\nFrom: "{NAME}" <{ADDRESS}>\nTo: <alice@example.org>;\nCc:'
    block += "\nSent: 2024-01-01 (월) 12:00:00"
    return plain(over(typed, f"{block} (GMT+09:00)\nSubject: Tumble Board 101"))


def docomo(typed: Typed, lang: Language) -> bytes:
    """A phone's introduction in ISO-2022-JP."""
    return plain(around(typed, f"2024/01/01 12:00、{BOX}のメール:", folds=False), "iso-2022-jp", "7bit")


def samsung(typed: Typed, lang: Language) -> bytes:
    """An advertisement, a title between dashes and a block."""
    block = f"From: {BOX} \nDate: 1/1/24  12:00  (GMT+01:00) \nTo: alice@example.org \nSubject: Tumble Board 101 "
    title = f"Sent from my Galaxy\n\n\n-------- Original message --------\n{block}"
    return plain(over(Typed(typed.above, signature=typed.signature), title), transfer="base64")


def k9(typed: Typed, lang: Language) -> bytes:
    """Marks without a space."""
    return plain(around(typed, named(lang.k9), ">", folds=False))


def fairemail(typed: Typed, lang: Language) -> bytes:
    """The date has only numbers."""
    return plain(around(typed, f"On 1/1/24 12:00 PM, {BOX} wrote:\n", folds=False), transfer="base64")


def hey(typed: Typed, lang: Language) -> bytes:
    """HTML with classes of its own."""
    attribution = f'<div class="trix-content">On January 1, 2024, {escape(BOX)} wrote:<br></div>'
    return page(f'<div class="trix-content">{rows(typed)}</div>{attribution}<blockquote>{letter_html()}</blockquote>')


def fastmail(typed: Typed, lang: Language) -> bytes:
    """The introduction has one more comma."""
    return plain(around(typed, f"On Mon, Jan 1, 2024, at 12:00 PM, {NAME} wrote:"), transfer="quoted-printable")


def bluemail(typed: Typed, lang: Language) -> bytes:
    """Two times, and marks without a space."""
    return plain(around(typed, f"On Jan 1, 2024, 12:00, at 12:00, {BOX} wrote:", ">", folds=False))


def roundcube(typed: Typed, lang: Language) -> bytes:
    """A date in the ISO format."""
    return plain(around(typed, f"On 2024-01-01 12:00, {NAME} wrote:"), "utf-8", "8bit", "; format=flowed")


def spark(typed: Typed, lang: Language) -> bytes:
    """HTML; the element around the quote has a name of its own."""
    attribution = f'<div name="messageReplySection">On 1 Jan 2024 at 12:00 +0100, {escape(BOX)}, wrote:<br>'
    quote = f'<blockquote class="spark_quote">{letter_html()}</blockquote></div>'
    return page(f'<div name="messageBodySection">{rows(typed)}</div><br>{attribution}{quote}')


# --- forwards, and what wraps quoted lines ---------------------------------------------------------------------------


def gmail_forward(typed: Typed, lang: Language) -> bytes:
    """A forward to the service, below the words."""
    block = f"From: {BOX}\nDate: Mon, Jan 1, 2024 at 12:00 PM\nSubject: Tumble Board 101 alice\nTo: <alice@example.org>"
    return plain(over(typed, f"---------- Forwarded message ---------\n{block}\n"))


def apple_forward(typed: Typed, lang: Language) -> bytes:
    """Marked, with a title and labels."""
    block = f"From: {BOX}\nSubject: Tumble Board 101 alice\nDate: 1 January 2024 at 12:00:00 CET\nTo: alice@example.org"
    return plain(
        over(typed, f"Begin forwarded message:\n\n{quoted(block)}\n> \n{quoted(LETTER)}\n").split("\n\nIt is")[0]
    )


def yahoo_forward(typed: Typed, lang: Language) -> bytes:
    """All on one line."""
    block = f"   ----- Forwarded Message ----- From: {BOX} To: alice@example.org Sent: Monday, January 1, 2024"
    return plain(over(typed, block))


def comb(typed: Typed, lang: Language) -> bytes:
    """Add the marks first and wrap afterwards, so that the ends of long lines have no mark."""
    text = around(typed, f"On 1/1/2024 12:00, {NAME} wrote:")
    return plain(
        "\n".join(wrapped(line, 70) if len(line) > 70 and line[0] == ">" else line for line in text.split("\n"))
    )


#: Programs that speak the language of their user.
LOCAL: tuple[Program, ...] = (
    gmail_web, gmail_cut, gmail_html, apple_mail, apple_html, ios_mail, outlook_desktop, outlook_desktop_html,
    outlook_web, outlook_new, outlook_mobile, thunderbird, thunderbird_html, k9, gmx, gmx_html,
)  # fmt: skip
#: Programs that always write the same words, or that are used in one country only.
FIXED: tuple[Program, ...] = (
    outlook_original, hotmail, yahoo, yahoo_app, aol, claws, evolution, kmail, em_client, postbox, mutt, aerc, s_nail,
    s_nail_title, s_nail_bars, alpine, gnus, zoho, proton, proton_html, tutanota, orange, mail_ru, yandex, qq, netease,
    naver, docomo, samsung, fairemail, hey, fastmail, bluemail, roundcube, spark, gmail_forward, apple_forward,
    yahoo_forward, comb,
)  # fmt: skip
#: With these programs people write above the original: it has no marks, or it is HTML that nobody edits.
ABOVE_ONLY = frozenset((
    gmail_html, apple_html, outlook_desktop, outlook_original, outlook_desktop_html, outlook_web, outlook_new,
    outlook_mobile, hotmail, yahoo, yahoo_app, aol, em_client, thunderbird_html, gmx, gmx_html, yandex, qq,
    netease, naver, samsung, hey, spark, gmail_forward, apple_forward, yahoo_forward,
))  # fmt: skip
