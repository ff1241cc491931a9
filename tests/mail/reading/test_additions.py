"""What programs add to a text goes, and what people write with the same words stays."""

import pytest

from pbmserv.mail.inbound import read
from pbmserv.mail.reading.quotes import own_words

OWN = "h4-f6\n\nGood game so far"
QUOTE = "On Wed, 25 Nov 2026 at 08:01, PBM <pbm@example.org> wrote:\n\n> It is your turn."

ADVERTS = """\
Von Yahoo Mail auf Android gesendet
Gesendet von Mail für Windows
Gesendet mit der mobilen Mail App
Von meinem Galaxy gesendet
Envoyé à partir de Yahoo Mail pour iPhone
Envoyé depuis l\N{RIGHT SINGLE QUOTATION MARK}application Mail Orange
Envoyé depuis l'application Yahoo Mail pour Android
Télécharger Outlook pour Android<https://aka.ms/AAb9ysg>
Pobierz aplikację Outlook dla systemu iOS<https://aka.ms/o0ukef>
Obtener Outlook para iOS<https://aka.ms/o0ukef>
Scarica Outlook per iOS
Get Outlook for Mac <https://aka.ms/o0ukef>
Sent from the all new AOL app for iOS
Sent from Yahoo Mail for iPhone
Sent from my Android device with K-9 Mail. Please excuse my brevity.
Sent with Proton Mail secure email.
Enviado desde Correo para Windows
Enviado desde Yahoo Mail con Android
Enviado do Yahoo Mail no Android
Inviato da Posta per Windows
Inviato da Libero Mail per Android
Skickat från Yahoo Mail för iPhone
Sendt fra Mail for Windows
Verzonden vanuit Mail voor Windows
Wysłane z aplikacji Poczta dla systemu Windows
Отправлено из мобильного приложения Яндекс Почты
Отправлено с iPhone
Yahoo!メール for iPhone から送信
Sent from TypeApp
Sent with Mailspring
Von meinem/meiner Galaxy gesendet
Provenance : Courrier pour Windows 10
Odesláno z iPhonu
Lähetetty Outlook for iOSista
iOS için Outlook'u edinin
Hangi Outlook iOS-i jaoks
來自我的 iPhone
发自我的手机
获取Outlook for Android
Надіслано з мобільного пристрою Samsung""".splitlines()

SCANS = [
    "Virus-free.www.avast.com<https://www.avast.com/sig-email>",
    "Virenfrei. www.avast.com",
    "Garanti sans virus. www.avast.com",
    "Libre de virus.www.avast.com",
    "Privo di virus.www.avg.com",
    "Без вирусов. www.avast.ru",
    "Χωρίς ιούς. www.avast.com",
    "Não contém vírus. www.avast.com",
    "Nem tartalmaz vírust. www.avast.com",
    "Scanned by McAfee",
    "Scanned by iCritical",
    "Scanned by MailScanner, and is believed to be clean.",
    "This message has been scanned for viruses and\ndangerous content by MailScanner, and is\nbelieved to be clean.",
    "No virus found in this message.\nChecked by AVG - www.avg.com\nVersion: 2016.0.7497 / Virus Database: 4604",
    "---\nThis email has been checked for viruses by Avast antivirus software.\nhttps://www.avast.com/antivirus",
    "---\nDiese E-Mail wurde von Avast Antivirus-Software auf Viren geprüft.\nhttps://www.avast.com/antivirus",
    "L'absence de virus dans ce courrier électronique a été vérifiée par le logiciel antivirus Avast.\nwww.avast.com",
    "__________ Information from ESET Mail Security, version 1 (20261125) __________\n\n"
    "The message was checked by ESET Mail Security.\nhttp://www.eset.com",
    "__________ Informace od ESET NOD32 Antivirus, verze databáze 1 (20261125) __________\n\n"
    "Tuto zpravu proveril ESET NOD32 Antivirus.\nhttp://www.eset.cz",
]

LEGAL = [
    "This e-mail and any attachments are confidential and may also be privileged. If you are not the named "
    "recipient, please notify the sender immediately.",
    "CONFIDENTIALITY NOTICE: This message is for the intended recipient\nonly. Any disclosure is prohibited.",
    "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat sind, informieren Sie "
    "bitte sofort den Absender und vernichten Sie diese Mail.",
    "Ce message est confidentiel et à l'intention exclusive de ses destinataires. Toute diffusion est interdite.\n\n"
    "Si vous l'avez reçu par erreur, merci d'en avertir l'expéditeur et de le supprimer.",
    "Este mensaje es confidencial. Si no es usted el destinatario, le rogamos que lo notifique y lo elimine.",
    "Le informazioni contenute in questo messaggio sono riservate. Chi non è il destinatario è pregato di "
    "avvisare il mittente e di cancellarlo.",
    "Эта электронная почта и сообщение конфиденциальны. Если вы не получатель, уведомите отправителя и удалите письмо.",
    "Please consider the environment before printing this e-mail.",
]

PICTURES = [
    "[cid:image001.png@01D9.ABC]",
    "<image001.png>",
    "\ufffc",
    "[image: logo.png]",
    "[Image]",
    "[Bild: a b.jpg]",
    "[Inline image OLE Object]",
    "[signature_12345]",
    "<<image001.gif>>",
    "[Une image contenant texte]",
    "[A picture containing text\n\nDescription automatically generated]",
]


@pytest.mark.parametrize("below", ["", f"\n\n{QUOTE}"])
@pytest.mark.parametrize("added", [*ADVERTS, *SCANS, *LEGAL, *PICTURES])
def test_what_a_program_adds_goes(added: str, below: str) -> None:
    mail = f"From: alice@example.org\nContent-Type: text/plain; charset=utf-8\n\n{OWN}\n\n{added}{below}\n"
    assert read(mail.encode(), is_ours=lambda left: False).body == OWN


def test_several_additions_go() -> None:
    assert own_words(f"{OWN}\n\n{PICTURES[0]}\n\n{ADVERTS[0]}\n\n{LEGAL[0]}\n\n{SCANS[0]}") == OWN


@pytest.mark.parametrize(
    "words",
    [
        "Sent my rook from the north",
        "Sent from my desk",
        "Sent from Paris, with love",
        "I sent it from my phone while driving home",
        "You can get Outlook for nothing at work, I hear",
        "I had a virus last week and lay in bed.",
        "My computer is free of viruses at last!",
        "This message is confidential, do not tell carol :-)",
        "You are the intended recipient of my next attack, please notify your king",
        "[I mean the knight]",
        "[image of a winner!]",
        "<b3 was better>",
        "Think of the environment: I print nothing.",
        "Write to bob <bob@example.org> if you like",
        "my signature move",
        "The game has been checked by my engine",
        "Check the virus article in the newspaper.",
        "Clean hands keep the virus away!",
        "Found the virus, sorry that it took so long.",
        "I found the mail about the virus funny.",
        "Check out Barracuda by Heart!",
        "Is your Norton mail checked by now?",
        "I print each mail, bad for the environment, I know.",
        "I sent it from my phone.",
        "I sent an email from Gmail.",
        "Try Thunderbird on Windows",
        "Gefunden: das Virus hat mich im Bett gehalten.",
        "Mein Virus ist frei erfunden, danke f\xfcr die Nachricht.",
    ],
)
@pytest.mark.parametrize("below", ["", f"\n\n{QUOTE}"])
def test_what_a_person_writes_stays(words: str, below: str) -> None:
    assert own_words(f"h4-f6\n\n{words}{below}") == f"h4-f6\n\n{words}"


@pytest.mark.parametrize(
    "attribution",
    [
        "Quoting PBM Server <pbm@example.org>:",
        "Quoting PBM Server (2026-11-25 08:01:12)",
        "Zitat von PBM Server <pbm@example.org>:",
        "Citando PBM Server <pbm@example.org>:",
        "En réponse à PBM Server <pbm@example.org> :",
        "* PBM Server [2026-11-25 08:01]:",
        "PBM Server <pbm@example.org>",
        "In <20261125@example.org>, PBM Server wrote:",
        "PBM Server <pbm@example.org> said:",
        "Am Mittwoch schrieb PBM Server:",
        "Responding to PBM Server:",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_an_attribution_without_verb_or_date_goes(attribution: str, gap: str) -> None:
    assert own_words(f"{OWN}\n\n{attribution}{gap}> It is your turn.") == OWN


@pytest.mark.parametrize(
    "signature",
    [
        '<div class="front-signature">Alice A.</div>',
        '<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Alice A.<br>+1 555 0100</div>',
        '<div class="ydp12ab34signature">Alice A.</div>',
        '<div id="x_Signature"><p>Alice A.</p></div>',
        '<div name="messageSignatureSection">Alice A.</div>',
        '<div id="bloop_sign_1234">Alice A.</div>',
        '<table class="mail-sig"><tr><td>Alice A.</td></tr></table>',
        '<div data-smartmail="gmail_signature">Alice A.</div>',
        '<div id="Zm-_Id_-Sgn">Alice A.</div>',
    ],
)
def test_a_marked_signature_goes(signature: str) -> None:
    html = f"<div>h4-f6</div><div><br></div><div>Good game so far</div>{signature}"
    mail = f"From: alice@example.org\nContent-Type: text/html\n\n{html}"
    assert read(mail.encode(), is_ours=lambda left: False).body == OWN


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/markdown", OWN),
        ("text/x-web-markdown; charset=utf-8", OWN),
        ("text/plain (as typed (by hand)); charset=utf-8", OWN),
        ("(typed) text/plain", OWN),
        ("Text/Plain; charset=us-ascii (Plain text)", OWN),
        (
            "multipart/mixed; boundary=B",
            f"--B\nContent-Type: text/html\n\n<div>h4-f6</div><p>Good game so far</p>\n--B\n\n{OWN}\n--B--",
        ),
        (
            "multipart/mixed; boundary=B",
            "--B\nContent-Type: text/html\n\n<p>h4-f6</p><p>Good game so far</p><i>PBM <a href='//a'>wrote:</a></i>"
            f"<blockquote>It is</blockquote>\n--B\n\n{OWN}\n\nPBM wrote:\n> It\n> is\n--B--",
        ),
        ("multipart/alternative; boundary=B", f"--B\nContent-Type: text/x-markdown\n\n{OWN}\n--B--"),
        ("multipart/mixed; boundary=B", f'--B\nContent-Type: text/plain; name="mail.txt"\n\n{OWN}\n--B--'),
        (
            "multipart/mixed; boundary=B",
            f"--B\nContent-Type: image/png\n\nx\n--B\nContent-Type: text/enriched\n"
            f"Content-Disposition: attachment; filename=a\n\n{OWN}\n--B--",
        ),
    ],
)
def test_the_text_of_any_kind_of_mail_is_read_once(kind: str, body: str) -> None:
    mail = f"From: alice@example.org\nContent-Type: {kind}\n\n{body}"
    assert read(mail.encode(), is_ours=lambda left: False).body.replace("\n\n", "\n") == OWN.replace("\n\n", "\n")


NAMED = "--B\nContent-Type: text/plain; name=a\n\nlist\n"


@pytest.mark.parametrize(
    "parts",
    [
        "Content-Type: text/calendar\n\nBEGIN:VCALENDAR",
        f"Content-Type: multipart/mixed; boundary=B\n\n--B\n\n\n{NAMED}--B--",
        f"Content-Type: multipart/mixed; boundary=B\n\n{NAMED}{NAMED}--B--",
    ],
)
def test_what_may_be_no_text_of_the_sender_is_none(parts: str) -> None:
    assert read(f"From: alice@example.org\n{parts}".encode(), is_ours=lambda left: False).body == ""
