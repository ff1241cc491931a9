"""Finds mails that must not be answered because no person wrote them to us, so that machines do not talk (RFC 3834)."""

import re
from collections.abc import Callable

from authres import AuthenticationResultsHeader

from pbmserv.mail.reading import headers
from pbmserv.mail.reading.encoding import UnreadableMail, header_text
from pbmserv.mail.reading.mime import MimePart

MOST_RECEIVED = 50  #: Received headers; a mail with more of them is in a loop (RFC 5321 §6.3)

_KEYWORD = re.compile(r"[^a-z-]")
OURS = "sent by our own server"
LOOP = "in a loop"
_MACHINE = re.compile(r"(mailer-?daemon|postmaster|no[-._]?reply|do[-._]?not[-._]?reply)([-+._].*)?@", re.I)
_MAILER = re.compile(r"(mailer-?daemon|postmaster)([-+._].*)?@", re.I)
# Subjects of out-of-office notices, and of bounces. Both are often marked only as "auto-generated".
_AWAY = re.compile(
    r"auto(?:matic|mated|matische?)?[ -]?(?:reply|response|antwort)|auto:|out of (?:the )?office|on vacation|"
    r"on holiday|abwesen|nicht im büro|absence|réponse automatique|respuesta automática|fuera de la oficina|"
    r"risposta automatica|fuori sede|"
    r"resposta automática|automatisch antwoord|afwezig|autosvar|frånvaro|automatyczna odpowiedź|автоответ",
    re.I,
)
_RETURNED = re.compile(
    r"undeliver|delivery (?:status|failure|delayed|has failed)|mail delivery failed|failure notice|returned mail|"
    r"delayed|non remis|unzustellbar|warning: message",
    re.I,
)
# What calendars and mail programs put before a subject when their user has clicked: answers to invitations, receipts.
_CLICKED = {
    "English": "accepted|declined|tentative|tentatively accepted|new time proposed|cancell?ed|read|not read|delivered",
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
_BY_CLICK = re.compile(rf"(?:{'|'.join(_CLICKED.values())}) ?[:：]|.{{0,60}}\[[^\[\]#]{{0,20}}#[ \w-]{{1,30}}\]", re.I)
# Headers of systems that hand mails on to several people, and answer by themselves.
_TICKETS = (
    "x-otrs",
    "rt-ticket",
    "x-rt-",
    "x-zammad",
    "x-zendesk",
    "x-freshdesk",
    "x-jira",
    "x-redmine",
    "x-helpscout",
)
_COMPLAINT = re.compile(r"complaint about message from ", re.I)
_STAFF = re.compile(r"staff@hotmail\.com|feedback@", re.I)
_BULK = ("bulk", "junk", "list")
_ANSWERS = ("x-autoreply", "x-autorespond", "x-autoreply-from")  # headers that only automatic answers have
_LONGEST_RESULT = 2048  # characters of one of these headers
_MOST_RESULTS = 5  # how many Authentication-Results headers of a mail are read


def automatic(root: MimePart) -> str:
    """Return the value of Auto-Submitted (RFC 3834 §5); "" if a person sent the mail."""
    values = [_KEYWORD.split(value.strip().lower(), maxsplit=1)[0] for value in root.values("auto-submitted")]
    if "auto_reply" in _precedence(root) or any(map(root.values, _ANSWERS)) or _is_marked_as_answer(root):
        values.append("auto-replied")  # headers of mailers that do not know RFC 3834
    return next((value or "unclear" for value in values if value != "no"), "")


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
    return any(name.startswith(_TICKETS) for name in root.headers) or bool(_BY_CLICK.match(_subject(root)))


def _is_of_calendar(root: MimePart) -> bool:
    """Return whether a mail says, as those of Microsoft's programs do, that it is of a calendar."""
    return any("calendarmessage" in value.lower() for value in root.values("content-class"))


def _has_invitation(part: MimePart) -> bool:
    """Return whether a part is an invitation of a calendar or the answer to one (RFC 5546), and no file of dates."""
    is_calendar = part.kind in ("text/calendar", "application/ics")
    method = part.param("method").lower() if is_calendar else ""
    return (
        method not in ("", "publish") or (is_calendar and not part.is_file) or any(map(_has_invitation, part.children))
    )


def is_vacation(root: MimePart, sender: str, reason: str) -> bool:
    """Return whether a mail that is silent for `reason` is an out-of-office notice, and no report or letter of ours.

    A mark alone is not enough: Exim, for example, marks bounces as "auto-replied".
    """
    if root.kind == "multipart/report" or reason == OURS or root.values("x-failed-recipients"):
        return False
    subject = _subject(root)
    if _RETURNED.search(subject) or (_MAILER.match(sender) and not _AWAY.search(subject)):
        return False
    machine = automatic(root)
    return machine == "auto-replied" or (machine == "auto-generated" and bool(_AWAY.search(subject)))


def _subject(root: MimePart) -> str:
    try:
        return header_text("".join(root.values("subject")[:1]))
    except UnreadableMail:
        return ""


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
    found = [result for value in own[:_MOST_RESULTS] for result in _dmarc_results(value)]
    return bool(found) and all(result == ("pass", [sender.rpartition("@")[2]]) for result in found)


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
