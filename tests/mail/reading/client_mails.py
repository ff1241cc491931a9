"""Mails of eight clients in twelve languages, made from small tables: what each client writes around a reply."""

import base64
import quopri
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

ADDRESS = "pbmserv+b101.0.2.abcdefghijklmnop@example.org"
LETTER = """\
It is your turn, alice: ply 3.

Tumbling Down board 101 (-c, rated, reminder after 7 days, time limit 21 days)

    Black            White
    alice            bob
 1  h4-f6t           a5-c3t

      A    B    C
  +----+----+----+
1 |  x |    |  o |
  +----+----+----+

bob writes:
    your move!

To move, answer this letter with your move on the first line, as here: h3-g4
or send the subject: tumble move 101 alice PASSWORD h3-g4"""


@dataclass(frozen=True)
class Language:
    """The words that clients print in one language. `@` stands for name and address, `%` for the name alone.

    `labels` are those of sender, date, recipient and subject in a block of headers.
    """

    reply: str
    gmail: str
    apple: str
    thunderbird: str
    k9: str
    labels: tuple[str, str, str, str]
    original: str
    phone: str
    charset: str = "utf-8"  # the charset that mutt is set to


LANGUAGES = {
    "English": Language(
        "Re",
        "On Mon, Jan 1, 2024 at 12:00 PM @ wrote:",
        "On Jan 1, 2024, at 12:00 PM, @ wrote:",
        "On 1/1/24 12:00, % wrote:",
        "On January 1, 2024 12:00:00 PM GMT+01:00, @ wrote:",
        ("From", "Sent", "To", "Subject"),
        "Original Message",
        "Sent from my iPhone",
    ),
    "German": Language(
        "AW",
        "Am Mo., 1. Jan. 2024 um 12:00 Uhr schrieb @:",
        "Am 01.01.2024 um 12:00 schrieb @:",
        "Am 01.01.24 um 12:00 schrieb %:",
        "Am 1. Januar 2024 12:00:00 MEZ schrieb @:",
        ("Von", "Gesendet", "An", "Betreff"),
        "Ursprüngliche Nachricht",
        "Von meinem iPhone gesendet",
        "iso-8859-1",
    ),
    "French": Language(
        "RE ",
        "Le lun. 1 janv. 2024 à 12:00, @ a écrit :",
        "Le 1 janv. 2024 à 12:00, @ a écrit :",
        "Le 01/01/2024 à 12:00, % a écrit\xa0:",
        "Le 1 janvier 2024 12:00:00 GMT+01:00, @ a écrit :",
        ("De ", "Envoyé ", "À ", "Objet "),
        "Message d'origine",
        "Envoyé de mon iPhone",
        "iso-8859-15",
    ),
    "Spanish": Language(
        "RV",
        "El lun, 1 ene 2024 a las 12:00, % (<@>) escribió:",
        "El 1 ene 2024, a las 12:00, @ escribió:",
        "El 1/1/24 a las 12:00, % escribió:",
        "El 1 de enero de 2024 12:00:00 CET, @ escribió:",
        ("De", "Enviado", "Para", "Asunto"),
        "Mensaje original",
        "Enviado desde mi iPhone",
        "windows-1252",
    ),
    "Italian": Language(
        "R",
        "Il giorno lun 1 gen 2024 alle ore 12:00 @ ha scritto:",
        "Il giorno 1 gen 2024, alle ore 12:00, @ ha scritto:",
        "Il 01/01/24 12:00, % ha scritto:",
        "Il 1 gennaio 2024 12:00:00 CET, @ ha scritto:",
        ("Da", "Inviato", "A", "Oggetto"),
        "Messaggio originale",
        "Inviato da iPhone",
    ),
    "Dutch": Language(
        "Antw",
        "Op ma 1 jan 2024 om 12:00 schreef @:",
        "Op 1 jan 2024, om 12:00 heeft @ het volgende geschreven:",
        "Op 01-01-2024 om 12:00 schreef %:",
        "Op 1 januari 2024 12:00:00 CET schreef @:",
        ("Van", "Verzonden", "Aan", "Onderwerp"),
        "Oorspronkelijk bericht",
        "Verstuurd vanaf mijn iPhone",
    ),
    "Swedish": Language(
        "SV",
        "Den mån 1 jan. 2024 kl 12:00 skrev @:",
        "1 jan. 2024 kl. 12:00 skrev @:",
        "Den 2024-01-01 kl. 12:00, skrev %:",
        "Den 1 januari 2024 12:00:00 CET, @ skrev:",
        ("Från", "Skickat", "Till", "Ämne"),
        "Ursprungligt meddelande",
        "Skickat från min iPhone",
        "iso-8859-1",
    ),
    "Portuguese": Language(
        "RES",
        "Em seg., 1 de jan. de 2024 às 12:00, @ escreveu:",
        "Em 1 de jan. de 2024, à(s) 12:00, @ escreveu:",
        "Em 01/01/2024 12:00, % escreveu:",
        "Em 1 de janeiro de 2024 12:00:00 WET, @ escreveu:",
        ("De", "Enviada em", "Para", "Assunto"),
        "Mensagem original",
        "Enviado do meu iPhone",
        "iso-8859-1",
    ),
    "Polish": Language(
        "Odp",
        "pon., 1 sty 2024 o 12:00 @ napisał(a):",
        "Wiadomość napisana przez @ w dniu 1 sty 2024, o godz. 12:00:",
        "W dniu 1.01.2024 o 12:00, % pisze:",
        "Dnia 1 stycznia 2024 12:00:00 CET, @ napisał/a:",
        ("Od", "Wysłano", "Do", "Temat"),
        "Oryginalna wiadomość",
        "Wysłane z iPhone’a",
        "iso-8859-2",
    ),
    "Russian": Language(
        "HA",
        "пн, 1 янв. 2024 г. в 12:00, @:",
        "1 янв. 2024 г., в 12:00, @ написал(а):",
        "01.01.2024 12:00, % пишет:",
        "1 января 2024 г. 12:00:00 GMT+03:00, @ пишет:",
        ("От", "Отправлено", "Кому", "Тема"),
        "Исходное сообщение",
        "Отправлено с iPhone",
        "koi8-r",
    ),
    "Japanese": Language(
        "返信",
        "2024年1月1日(月) 12:00 @:",
        "2024/01/01 12:00、@のメール:",
        "2024/01/01 12:00, % さんは書きました:",
        "2024年1月1日 12:00:00 JST、@ さんは書きました:",
        ("差出人", "送信日時", "宛先", "件名"),
        "元のメッセージ",
        "iPhoneから送信",
        "iso-2022-jp",
    ),
    "Chinese": Language(
        "回复",
        "% <@> 于2024年1月1日周一 12:00写道：",
        "2024年1月1日 12:00，@ 写道：",
        "在 2024/1/1 12:00, % 写道:",
        "2024年1月1日 GMT+08:00 12:00:00，@ 写道：",
        ("发件人", "发送时间", "收件人", "主题"),
        "邮件原件",
        "发自我的iPhone",
        "gb2312",
    ),
}


@dataclass(frozen=True)
class Draft:
    """What the player types: a subject, and words `above` or `below` the quoted letter (neither: a new mail)."""

    subject: str
    above: str = ""
    below: str = ""
    is_reply: bool = True


def gmail(draft: Draft, lang: Language) -> bytes:
    """Two alternatives, plain text and HTML. The plain text is wrapped even inside the attribution."""
    attribution = textwrap.fill(named(lang.gmail), 72, break_on_hyphens=False)
    plain = _around(draft, f"{attribution}\n\n{marked(LETTER)}")
    quote = f'<div dir="ltr" class="gmail_attr">{escape(named(lang.gmail))}<br></div><blockquote class="gmail_quote">'
    html = f'<div dir="ltr">{draft.above}</div><br><div class="gmail_quote">{quote}{_pre()}</blockquote></div>'
    return _alternatives(draft.subject, plain, html + f"<div>{draft.below}</div>" if draft.is_reply else draft.above)


def outlook(draft: Draft, lang: Language) -> bytes:
    """The original stands under a block of headers: without quote marks, or with them for an answer below it."""
    block = "\n".join(
        f"{label}: {value}"
        for label, value in zip(lang.labels, (named("@"), "2024-01-01 12:00", "Alice", "x"), strict=True)
    )
    if draft.below:
        plain = _around(draft, marked(f"-----{lang.original}-----\n{block}\n\n{LETTER}"))
    else:
        plain = _around(draft, f"{'_' * 32}\n{block}\n\n{LETTER}")
    return _mail(draft.subject, plain.replace("\n", "\r\n"), "utf-8", "base64")


def outlook_html(draft: Draft, lang: Language) -> bytes:
    """Only HTML. Words below the original could not be told from it, so they stand above."""
    words = draft.above or draft.below
    block = "<br>".join(f"<b>{label}:</b> {escape(named('@'))}" for label in lang.labels)
    original = f'<hr tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">{block}</div><div>{_pre()}</div>'
    html = f"<html><head><style>p {{ margin: 0 }}</style></head><body><p>{words}<o:p></o:p></p>"
    return _mail(draft.subject, html + (original if draft.is_reply else "") + "</body></html>", "utf-8", kind="html")


def apple_mail(draft: Draft, lang: Language) -> bytes:
    """The attribution is quoted as well."""
    return _mail(draft.subject, _around(draft, marked(f"{named(lang.apple)}\n\n{LETTER}")), "utf-8", "quoted-printable")


def thunderbird(draft: Draft, lang: Language) -> bytes:
    """format=flowed."""
    plain = _around(draft, f"{named(lang.thunderbird)}\n{marked(LETTER)}")
    return _mail(draft.subject, plain, "utf-8", parameters="; format=flowed")


def mutt(draft: Draft, lang: Language) -> bytes:
    """Plain text in the charset of the language, and a signature."""
    plain = _around(draft, f"{named(lang.thunderbird)}\n{marked(LETTER)}") + "\n\n-- \nAlice\nhttps://example.org/"
    return _mail(draft.subject, plain, lang.charset)


def k9(draft: Draft, lang: Language) -> bytes:
    """Quote marks without a space."""
    plain = _around(draft, f"{named(lang.k9)}\n" + "\n".join(f">{line}" for line in LETTER.split("\n")))
    return _mail(draft.subject, plain, "utf-8", "quoted-printable")


def phone(draft: Draft, lang: Language) -> bytes:
    """An advertisement below the answer, and a byte order mark before the original."""
    quote = marked(f"{named(lang.apple)}\n\n\ufeff{LETTER}")
    if draft.below:
        return _mail(draft.subject, f"{quote}\n\n{draft.below}\n\n{lang.phone}", "utf-8", "base64")
    plain = f"{draft.above}\n\n{lang.phone}"
    return _mail(draft.subject, f"{plain}\n\n{quote}" if draft.is_reply else plain, "utf-8", "base64")


CLIENTS: tuple[Callable[[Draft, Language], bytes], ...] = (
    gmail,
    outlook,
    outlook_html,
    apple_mail,
    thunderbird,
    mutt,
    k9,
    phone,
)


def named(template: str) -> str:
    """Fill name and address into a template."""
    if "<@>" in template:
        return template.replace("@", ADDRESS).replace("%", "PBM Server")
    return template.replace("@", f"PBM Server <{ADDRESS}>").replace("%", "PBM Server")


def marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _around(draft: Draft, quote: str) -> str:
    """Return the plain text: the words above, the quote, the words below."""
    if not draft.is_reply:
        return draft.above
    return "\n\n".join(text for text in (draft.above, quote, draft.below) if text)


def _pre() -> str:
    return f"<pre>{escape(LETTER)}</pre>"


def _encoded_word(text: str) -> str:
    return text if text.isascii() else f"=?utf-8?B?{base64.b64encode(text.encode()).decode()}?="


def _body(text: str, charset: str, encoding: str) -> bytes:
    data = text.encode(charset)
    if encoding == "base64":
        return base64.encodebytes(data)
    return quopri.encodestring(data) if encoding == "quoted-printable" else data


def _mail(
    subject: str, text: str, charset: str, encoding: str = "8bit", *, parameters: str = "", kind: str = "plain"
) -> bytes:
    head = f"""\
From: Alice <alice@example.org>
To: PBM Server <{ADDRESS}>
Subject: {_encoded_word(subject)}
Message-ID: <1@example.org>
MIME-Version: 1.0
Content-Type: text/{kind}; charset="{charset}"{parameters}
Content-Transfer-Encoding: {encoding}

"""
    return head.encode() + _body(text, charset, encoding)


def _alternatives(subject: str, plain: str, html: str) -> bytes:
    parts = b"".join(
        f'--=_b\nContent-Type: text/{kind}; charset="UTF-8"\nContent-Transfer-Encoding: quoted-printable\n\n'.encode()
        + quopri.encodestring(text.encode())
        + b"\n"
        for kind, text in (("plain", plain), ("html", html))
    )
    head = f"From: Alice <alice@example.org>\nSubject: {_encoded_word(subject)}\nMessage-ID: <1@example.org>\n"
    return head.encode() + b'Content-Type: multipart/alternative; boundary="=_b"\n\n' + parts + b"--=_b--\n"
