"""Finds mails that must not be answered because no person wrote them to us, so that machines do not talk (RFC 3834)."""

import re
from collections.abc import Callable

from authres import AuthenticationResultsHeader

from pbmserv.mail.reading import headers
from pbmserv.mail.reading.mime import MimePart
from pbmserv.mail.signed_addresses import without_words

MOST_RECEIVED = 50  #: Received headers; a mail with more of them is in a loop (RFC 5321 §6.3)

_KEYWORD = re.compile(r"[^a-z-]")
OURS = "sent by our own server"
LOOP = "in a loop"
_MACHINE = re.compile(r"(mailer-?daemon|postmaster|no[-._]?reply|do[-._]?not[-._]?reply)([-+._].*)?@", re.I)
_MAILER = re.compile(r"(mailer-?daemon|postmaster)([-+._].*)?@", re.I)
# Subjects of out-of-office notices, and of bounces. Both are often marked only as "auto-generated".
_AWAY = re.compile(
    r"auto(?:matic|mated|matische?)?[ -]?(?:reply|response|antwort)|auto:|(?:i am )?out of (?:the )?office|on vacation|"
    r"on holiday|(?:vacation|away|urlaub) ?:|abwesen|nicht im büro|absence|réponse automatique|respuesta automática|"
    r"fuera de la oficina|risposta automatica|fuori sede|"
    r"resposta automática|automatisch antwoord|afwezig|autosvar|automatisk svar|frånvaro|fravær|"
    r"automatyczna odpowiedź|automatická odpověď|răspuns automat|αυτόματη απάντηση|автоответ|автоматическ|автоматичн|"
    r"automaattinen vastaus|poissa|otomatik yanıt|automatikus válasz|自动回复|自動回覆|自動応答|自動返信|"
    r"不在通知|자동 ?회신|부재",
    re.I,
)
# What Exchange puts before the subject of a mail that it answers by itself, marked or not.
_BY_EXCHANGE = re.compile(
    r"(?:\[[^\[\]]{1,60}\] ?)*(?:automatic reply|out of (?:the )?office(?: autoreply)?|abwesend|"
    r"abwesenheitsnotiz|auto(?:matische antwort|matisch antwoord|matiskt? svar|svar|matyczna odpowiedź|"
    r"matická odpoveď|matická odpověď|maattinen vastaus|matikus válasz|matski odgovor|matne vastus|matinis atsakymas)|"
    r"réponse automatique|respuesta automática|risposta automatica|resposta automática|răspuns automat|"
    r"αυτόματη απάντηση|автоматический ответ|автоматична відповідь|автоматичен отговор|otomatik yanıt|trả lời tự động|"
    r"balasan otomatis|samodejni odgovor|automātiska atbilde|resposta automàtica|自动答复|自动回复|自動回覆|"
    r"自動応答|自動返信|자동 회신|מענה אוטומטי|رد تلقائي|ตอบกลับอัตโนมัติ) ?[:：]",
    re.I,
)
_RETURNED = re.compile(
    r"undeliver|delivery (?:status|failure|delayed|has failed)|mail delivery failed|failure notice|returned mail|"
    r"delayed|non remis|unzustellbar|warning: message",
    re.I,
)
# What calendars and mail programs put before a subject when their user has clicked: answers to invitations, receipts.
_CLICKED = {
    "English": "accepted|declined|tentative|tentatively accepted|new time proposed|cancell?ed|read|not read|delivered|"
    "relayed|accepted invitation|invitation accepted|delivery receipt",
    "German": "zugesagt|angenommen|abgelehnt|abgesagt|(?:mit|unter) vorbehalt(?: zugesagt)?|vorläufig(?: zugesagt)?|"
    "gelesen|ungelesen gelöscht|zugestellt",
    "French": "accepté|refusé|provisoire|annulé|lu",
    "Spanish, Portuguese": "aceptad[oa]|rechazad[oa]|provisional|cancelad[oa]|leído|aceit[oe]|recusado|provisório|lida",
    "Italian": "accettat[oa]|rifiutat[oa]|provvisorio|annullat[oa]|letto",
    "Dutch": "geaccepteerd|afgewezen|geweigerd|voorlopig|geannuleerd|gelezen",
    "Polish, Czech": "zaakceptowan[oey]|odrzucon[oey]|wstępnie|odwołano|przeczytano|přijato|odmítnuto|přečteno",
    "Russian, Ukrainian": "принято|отклонено|под вопросом|отменено|прочитано|прийнято|відхилено",
    "Swedish, Danish, Norwegian": "accepterat|avböjt|preliminärt|accepteret|afvist|afslået|godtatt|avslått|läst|"
    "læst|lest",
    "Finnish, Turkish": "hyväksytty|hylätty|luettu|kabul edildi|reddedildi|okundu",
    "Japanese, Chinese": "承諾|辞退|仮承諾|開封済み|已接受|已拒绝|已讀|已读",
}
_RECEIPT = "read receipt|return receipt|delivery status notification|lesebestätigung|empfangsbestätigung"
_BY_CLICK = re.compile(
    rf"(?:{_RECEIPT})\b|(?:{'|'.join(_CLICKED.values())}) ?[:：]|.{{0,60}}\[[^\[\]#]{{0,20}}#[ \w-]{{1,30}}\]", re.I
)
# Systems that hand mails on to several people, and answer by themselves: their headers, and names in X-Mailer.
_TICKETS = {
    "freshdesk": "x-freshdesk",
    "glpi": "x-glpi",
    "help ?scout": "x-helpscout",
    "jira": "x-jira",
    "kayako": "x-kayako",
    "osticket": "x-osticket",
    "otrs": "x-otrs",
    "redmine": "x-redmine",
    "request tracker": "x-rt-",
    "rt ticket": "rt-ticket",
    "service-?now": "x-servicenow",
    "zammad": "x-zammad",
    "zendesk": "x-zendesk",
}
_OF_TICKETS = tuple(_TICKETS.values())
_SYSTEMS = re.compile("|".join(_TICKETS), re.I)
# Headers with which programs say that they have written a mail, and subjects with a number of their own.
_OF_PROGRAMS = ("x-auto-response-suppress", "feedback-id", "x-campaign-id", "x-csa-complaints")
_COUNTED = re.compile(
    r"#|[\[({][^\])}]{0,30}\d|(?:ticket|case|request|incident|vorgang|anfrage)s?\W{0,3}\w{0,4}\d", re.I
)
_COMPLAINT = re.compile(r"complaint about message from ", re.I)
_STAFF = re.compile(r"staff@hotmail\.com|feedback@", re.I)
_BULK = ("bulk", "junk", "list")
# Headers that only automatic answers have.
_ANSWERS = (
    "x-autoreply",
    "x-autorespond",
    "x-autoreply-from",
    "x-auto-reply",
    "x-mail-autoreply",
    "x-autogenerated",
    "x-vacation",
    "x-fc-machinegenerated",
    "x-ms-exchange-generated-message-source",
    "x-ms-exchange-inbox-rules-loop",
)
# The first word of these headers in a mail that a person wrote.
_NO = frozenset(("", "no", "n", "false", "0", "none", "off", "never", "disabled"))
_REPORTS = ("message/disposition-notification", "message/delivery-status")
_METHOD = re.compile(rb"^METHOD:[ \t]*(\w{1,20})", re.M | re.I)  # of a calendar
_MOST_CALENDAR = 4096  # bytes of a calendar in which its method is looked for
_LONGEST_RESULT = 2048  # characters of one of these headers
_MOST_RESULTS = 5  # how many Authentication-Results headers of a mail are read


def automatic(root: MimePart) -> str:
    """Return the value of Auto-Submitted (RFC 3834 §5); "" if a person sent the mail."""
    values = [_KEYWORD.split(value.strip().lower(), maxsplit=1)[0] for value in root.values("auto-submitted")]
    if (
        "auto_reply" in _precedence(root)
        or any(_says_yes(value) for name in _ANSWERS for value in root.values(name))
        or _is_marked_as_answer(root)
        or _BY_EXCHANGE.match(_subject(root))
    ):
        values.append("auto-replied")  # headers of mailers that do not know RFC 3834
    return next((value or "unclear" for value in values if value != "no"), "")


def _says_yes(value: str) -> bool:
    first, _, _ = value.strip().lower().replace('"', "").partition(" ")
    return first.strip(";,") not in _NO


def silence(root: MimePart, sender: str, is_ours: Callable[[str], bool], mail_from: str | None) -> str:
    """Return why a mail of `sender` must not be answered, as text for the admin; "" if it may be answered."""
    machine = automatic(root)
    reasons = {
        "null sender": mail_from == "" or root.values("return-path")[:1] == ["<>"],
        OURS: is_ours(headers.message_id(root)[1:-1].rpartition("@")[0]),
        LOOP: len(root.values("received")) > MOST_RECEIVED,
        "a complaint about our letters": is_complaint(root, sender),
        "a report about a delivery": root.kind == "multipart/report",
        "the answer of a calendar": _has_invitation(root) or _is_of_calendar(root),
        f"automatic ({machine})": bool(machine),
        "bulk mail": any(value in _BULK for value in _precedence(root)),
        "from a mailing list": any(name.startswith("list-") for name in root.headers),
        "sent by a machine": bool(_MACHINE.match(sender)),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def is_by_program(root: MimePart) -> bool:
    """Return whether a mail may well be the words of a program, such as `Accepted`, though no mark says so for sure."""
    title = _subject(root)
    by_title = any(_BY_CLICK.match(text) or _AWAY.match(text) for text in (title, headers.bare_subject(title)))
    return by_title or any(name.startswith(_OF_TICKETS) for name in root.headers) or _has_report(root)


def is_generated(root: MimePart) -> bool:
    """Return whether a program may have written a mail.

    Its subject counts mails, it asks programs not to answer, or a system of tickets has sent it.
    """
    senders = (*root.values("x-mailer"), *root.values("user-agent"))
    return (
        bool(_COUNTED.search(_subject(root)))
        or any(map(_SYSTEMS.search, senders))
        or any(name in root.headers for name in _OF_PROGRAMS)
    )


def _has_report(part: MimePart) -> bool:
    """Return whether a part is a receipt or a report, though the mail does not say that it is one as a whole."""
    return part.kind in _REPORTS or any(map(_has_report, part.children))


def _is_of_calendar(root: MimePart) -> bool:
    """Return whether a mail says, as those of Microsoft's programs do, that it is of a calendar, or a receipt."""
    return any(value.lower().endswith(("calendarmessage", ":mdn")) for value in root.values("content-class"))


def _has_invitation(part: MimePart) -> bool:
    """Return whether a part is an invitation of a calendar or the answer to one (RFC 5546), and no file of dates."""
    is_calendar = part.kind in ("text/calendar", "application/ics") or part.has_name(".ics")
    method = (part.param("method") or _method(part)).lower() if is_calendar else ""
    return (
        method not in ("", "publish") or (is_calendar and not part.is_file) or any(map(_has_invitation, part.children))
    )


def _method(part: MimePart) -> str:
    """Return what the content of a calendar says that it is for."""
    match = _METHOD.search(part.beginning(_MOST_CALENDAR))
    return match[1].decode() if match else ""


def is_vacation(root: MimePart, sender: str, reason: str) -> bool:
    """Return whether a mail that is silent for `reason` is an out-of-office notice, and no report or letter of ours.

    A mark alone is not enough: Exim, for example, marks bounces as "auto-replied".
    """
    if root.kind == "multipart/report" or reason == OURS or "x-failed-recipients" in root.headers:
        return False
    title = _subject(root)
    if _RETURNED.search(title) or (_MAILER.match(sender) and not _AWAY.search(title)):
        return False
    machine = automatic(root)
    return machine == "auto-replied" or (machine == "auto-generated" and bool(_AWAY.search(title)))


def _subject(root: MimePart) -> str:
    return without_words(headers.title(root))


def _is_marked_as_answer(root: MimePart) -> bool:
    """Whether the mail is an automatic answer of iCloud, or of a mailer that marks its class."""
    apple = [value.strip().lower() for value in root.values("x-apple-action")]
    return "vacation" in apple or any("autoresponder" in v.lower() for v in root.values("x-post-messageclass"))


def is_complaint(root: MimePart, sender: str) -> bool:
    """Return whether a provider reports that a reader marked our letter as spam: in RFC 5965, or in Hotmail's form."""
    if root.kind == "multipart/report" and root.param("report-type").lower() == "feedback-report":
        return True
    return bool(_STAFF.match(sender) and _COMPLAINT.match(_subject(root)))


def dmarc_pass(root: MimePart, authserv: str, sender: str) -> bool:
    """Whether our own MTA, named `authserv`, says in every result of its own that DMARC passed for the From domain.

    The seals of those who forwarded the mail (ARC, RFC 8617) are that MTA's to judge, and are not read here.
    """
    if not authserv or not sender:
        return False
    own = [value for value in root.values("authentication-results") if _server(value) == authserv.lower()]
    results = [result for value in own[:_MOST_RESULTS] for result in _dmarc_results(value)]
    return bool(results) and all(result == ("pass", [sender.rpartition("@")[2]]) for result in results)


def _dmarc_results(value: str) -> list[tuple[str, list[str]]]:
    """(result, From domains) of each DMARC result in one header (RFC 8601)."""
    if len(value) > _LONGEST_RESULT:  # the parser takes ten milliseconds for 4 kB of comments
        return [("unreadable", [])]
    try:
        header = AuthenticationResultsHeader.parse(f"Authentication-Results: {value}")
    except Exception:  # the parser raises its own errors, and for odd input whatever it stumbles over
        return [("unreadable", [])]
    return [
        (result.result, [str(p.value).lower() for p in result.properties if (p.type, p.name) == ("header", "from")])
        for result in header.results
        if result.method == "dmarc"
    ]


def _server(value: str) -> str:
    return re.split(r"[;\s]", value.strip(), maxsplit=1)[0].lower()


def _precedence(root: MimePart) -> list[str]:
    return [value.strip().lower() for value in root.values("precedence")]
