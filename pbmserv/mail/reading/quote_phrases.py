"""The phrases that mailers write around a quoted mail, by language. No phrase decides alone, see quotes.py."""

import re
from functools import lru_cache

_WROTE = {
    "English": "wrote writes",
    "German": "schrieb geschrieben",
    "French": "écrit ecrit écrivait",
    "Spanish": "escribió escribio",
    "Italian": "scritto scrive",
    "Dutch": "schreef geschreven",
    "Swedish, Danish, Norwegian": "skrev skriver",
    "Portuguese": "escreveu",
    "Polish": "pisze napisał napisała napisał(a) napisana napisane napisano",
    "Russian": "пишет написал написала написал(а) писал писала",
    "Finnish": "kirjoitti",
    "Turkish": "yazdı",
    "Czech, Slovak": "napsal napsal(a) napsala napísal napísal(a) napísala",
    "Hungarian": "írta",
    "Romanian": "scris",
    "Greek": "έγραψε",
    "Ukrainian, Bulgarian": "пише написав написала написа",
    "Croatian, Slovenian": "napisao napisala napisao/la napisal napisal/-a",
    "Arabic": "كتب كتبت كتابة",
    "Hebrew": "כתב כתבה מאת",
    "Vietnamese, Indonesian": "viết menulis",
    "Estonian, Lithuanian, Latvian": "kirjutas rašė rakstīja",
}
_WROTE_UNSPACED = "のメール|書きました|書き込み|写道|寫道|写到|작성(?=:)|쓴 글|เขียน"  # Japanese, Chinese, Korean, Thai
_WROTE_PATTERN = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, ' '.join(_WROTE.values()).split()))})(?!\w)|{_WROTE_UNSPACED}", re.I
)
# Words before the date at the start of an attribution. A capital letter marks the start inside a line.
_LEADS = (
    "On|At|Am|Le|El|Il|Op|Den|Em|Dnia|W dniu|Dne|Dňa|En|Pe|În|La|På|Στις|Vào|Vào lúc|На|Dana|V V|Pada|"
    "Pada tanggal|Kuupäev|في|בתאריך|ב|เมื่อ|เมื่อวันที่|ในวันที่"
)
# Days of the week before a date, without a comma between them: Finnish, Czech, Slovak, Scandinavian.
_DAYS = (
    "ma|ti|ke|to|pe|la|su|po|út|ut|st|čt|št|pá|pi|so|ne|m[åa]ndag|tis?r?dag|onsdag|tor?sdag|fredag|l[öø]rdag|s[öø]ndag|"
    "(?:maanan|tiis|tors|perjan|lauan|sunnun)tai|keskiviikko|pond[ěe]l(?:í|ok)|[úu]t(?:erý|orok)|středa|streda|[čš]tvrt(?:ek|ok)|"
    "p[áa](?:tek|tok)|piatok|sobota|neděle|nedeľa"
)
_LED = re.compile(rf"(?<!\S)(?:{_LEADS}) (?:\S{{1,20}} ){{0,3}}?(?=\S{{0,20}}\d)[^\s\d]{{0,20}}\d+")

# The first label, then the others; `_` means a space. The order of the others does not matter.
_LABELS = {
    "English": "from sent date to cc bcc subject reply-to importance",
    "German": "von gesendet datum an kopie betreff antwort_an",
    "French": "de envoyé envoyé_le le date à objet répondre_à",
    "French (Apple)": "expéditeur date destinataire objet",
    "Spanish": "de enviado enviado_el fecha para asunto",
    "Spanish (Android)": "remitente fecha destinatario asunto",
    "Italian": "da inviato data a oggetto",
    "Italian (web)": "mittente data destinatario oggetto",
    "Dutch": "van verzonden datum aan onderwerp",
    "Dutch (web)": "afzender verzonden aan onderwerp",
    "Swedish": "från skickat datum till kopia ämne",
    "Portuguese": "de enviada enviado enviada_em enviado_em data para assunto",
    "Portuguese (web)": "remetente data destinatário assunto",
    "Polish": "od wysłano wysłane data do dw temat",
    "Polish (web)": "nadawca wysłano data adresat temat",
    "Russian": "от отправлено дата кому копия тема",
    "Russian (web)": "отправитель дата получатель тема",
    "Japanese": "差出人 送信日時 日付 日時 宛先 件名",
    "Japanese (Gmail)": "送信者 送信日時 日付 to 宛先 件名",
    "Chinese": "发件人 发送时间 发送日期 日期 时间 收件人 抄送 主题",
    "Chinese (QQ)": "发信人 发送时间 日期 收信人 主题",
    "Chinese (traditional)": "寄件者 寄件日期 日期 收件者 副本 主旨 寄件時間 傳送時間",
    "Chinese (Apple, traditional)": "寄件人 日期 收件人 主旨 主題",
    "Danish, Norwegian": "fra sendt dato til emne",
    "Finnish": "lähettäjä lähetetty päivämäärä vastaanottaja aihe",
    "Norwegian (Apple)": "fra dato til emne kopi",
    "French (Orange)": "de message_du a copie_à objet",
    "Hungarian": "feladó elküldve dátum címzett másolatot_kap tárgy",
    "Slovak": "od odoslané dátum komu predmet kópia",
    "Czech": "od odesláno datum komu předmět kopie",
    "Romanian": "de_la trimis data către subiect",
    "Arabic": "من تم_الإرسال التاريخ إلى الموضوع",
    "Turkish": "kimden gönderildi tarih kime konu",
    "Greek": "από στάλθηκε ημερομηνία προς θέμα κοιν.",
    "Ukrainian": "від надіслано відправлено дата кому тема",
    "Bulgarian": "от изпратено дата до относно",
    "Croatian": "šalje poslano datum prima predmet",
    "Slovenian": "od poslano datum za zadeva",
    "Serbian": "šalje poslato datum za naslov",
    "Korean": "보낸_사람 보낸_날짜 날짜 받는_사람 참조 제목",
    "Hebrew": "מאת נשלח תאריך אל נושא",
    "Vietnamese": "từ đã_gửi ngày đến chủ_đề tiêu_đề",
    "Indonesian": "dari dikirim terkirim tanggal kepada ke subjek perihal",
    "Thai": "จาก ส่ง วันที่ ถึง เรื่อง หัวเรื่อง",
    "Lithuanian": "nuo išsiųsta data kam tema",
    "Latvian": "no nosūtīts datums kam temats",
    "Estonian": "saatja saadetud kuupäev adressaat teema",
}
FROM = frozenset(labels.split()[0].replace("_", " ") for labels in _LABELS.values())
OTHERS = frozenset(label.replace("_", " ") for labels in _LABELS.values() for label in labels.split()[1:])

MESSAGE_OF = "Message du "  #: Orange begins the headers of an original like this, without a colon

#: Phrases between two rows of dashes. Other phrases there count only if headers follow.
ORIGINAL = frozenset(
    (
        "original message",
        "ursprüngliche nachricht",
        "message d'origine",
        "mensaje original",
        "messaggio originale",
        "oorspronkelijk bericht",
        "ursprungligt meddelande",
        "mensagem original",
        "oryginalna wiadomość",
        "wiadomość oryginalna",
        "исходное сообщение",
        "元のメッセージ",
        "邮件原件",
        "原始邮件",
        "原始郵件",
    )
)
# A separate line above the headers of the original (Apple Mail).
_FORWARDED = re.compile(
    r"forwarded|weitergeleitet|transféré|réexpédié|reenviado|inoltrato|doorgestuurd|vidarebefordra|reencaminhad|"
    r"encaminhad|przekazywan|переадресованн|пересланн|転送|转发|轉寄|轉發",
    re.I,
)

_ADDRESS = re.compile(r"[^\s<>()@]{1,80}@[^\s<>()@]{1,80}")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2}")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.]\d\d(?!\d)|\d{1,2} ?[ap]m\b|\d{1,2} ?h ?\d\d|\d时|\d時", re.I)
# A whole date, in the forms with which attributions begin: "pon., 1 sty 2024", "1 janv. 2024", "2024/01/01", "2024年".
_DATE_FIRST = re.compile(
    rf"(?<!\S)(?:(?:في )?[^\W\d_]{{2,12}}\.?[,،] ?|[^\W\d_]{{2,4}}\. |^(?:{_DAYS}) )?"
    r"(?:\d{1,2}\.? [^\W\d_]{2,12}\.?,? (?:19|20)\d\d|\d{1,4}([./-])\d{1,2}\1\d{2,4}|(?:19|20)\d\d ?年)"
)
_BRACKETED = re.compile(rf"<{_ADDRESS.pattern}>$")
_SERVICE = "PBM Server"  # who wrote our letters
_NAMED = re.compile(rf"[<(\[]{_ADDRESS.pattern}[>)\]] ?[:：]?$")
_DATED_END = re.compile(r"[(\[][^()\[\]]{8,60}[)\]] ?[:：]?$")
_FEW = 8  # words of an attribution that ends without a sign
_BRACKETED_SIGN = re.compile(r"<@>|\(@\)")  # addresses that were replaced by signs
_LIKE_A_LEAD = re.compile(r"[^\Wa-z\d_][^\W\d_]{0,2} ")  # "On", in a language that is not known
_TIME_FIRST = re.compile(r"\d{1,2}:\d\d, ")
_DATED = re.compile(  # a whole date with or without a time, a time zone, at most six words, the address
    rf"(?:\d{{1,2}}:\d\d, )?(?:{_DATE_FIRST.pattern})"
    r"(?: ?(?:г|р)\.)?(?:,? (?:в )?\d{1,2}:\d\d(?::\d\d)?)?(?: [+-]\d\d:?\d\d)?,? (?:[^\s<>]{1,40} ){0,6}<@>:?$"
)
_CUT_BEHIND = re.compile(rf"<\n(?={_ADDRESS.pattern}>)")
_CUT_BEFORE = re.compile(rf"(<{_ADDRESS.pattern})\n(>[^<>\n]{{0,30}}:)$", re.M)
# Yahoo's app writes the original on the same line as the attribution.
_BEFORE_ORIGINAL = re.compile(rf"(<{_ADDRESS.pattern}> {{1,3}}(?:{'|'.join(_WROTE['English'].split())}):) {{2,}}(?=\S)")
# s-nail with the settings of its author: bars before the quoted lines.
_BARS = re.compile(r"^[^\n<>]{1,200} wrote in\n ?<[^\s<>]{1,250}>:\n+(?= ?\|)", re.M)
_BAR = re.compile(r"^ ?\|", re.M)
_IN_DASHES = re.compile(rf"^-{{3,4}} ?((?:{_LEADS}) [^\n]{{1,250}}?(?:\n[^\n]{{1,200}}?){{0,2}}?) ?-{{3,4}}$", re.M)
_COLONS = (":", "：")
_LONGEST = 120  # characters of an attribution without a verb


def ends_attribution(line: str) -> bool:
    """Return whether an attribution may end with this line.

    It ends with a colon after a verb, an address or a time, or is only a colon, or ends with an address in brackets.
    """
    end = line[-200:]
    if _SERVICE in end:
        return True
    if not end.endswith(_COLONS):
        return end.endswith((">", ")", "]")) and bool(_NAMED.search(end) or _DATED_END.search(end))
    return end in _COLONS or any(pattern.search(end) for pattern in (_WROTE_PATTERN, _ADDRESS, _DATE, _TIME))


def is_attribution(text: str) -> bool:
    """Return whether `text` says who wrote the quote, and when: a date or time, with a verb or an address."""
    plain = _ADDRESS.sub("@", text)
    if text.endswith(">"):
        return is_full_attribution(text) or bool(_DATED.match(plain) and len(plain) <= _LONGEST)
    when = _DATE.search(plain) or _TIME.search(plain)
    return bool(when) and ("@" in plain or bool(_WROTE_PATTERN.search(plain)))


def begin_of_attribution(text: str) -> int:
    """Return where the attribution at the end of `text` begins; -1 if nothing in the text shows this."""
    led = [match.start() for match in _LED.finditer(text) if is_attribution(text[match.start() :])]
    if led:
        dated = [start for start in led if _DATE.search(text, start)]  # some repeat this word before the time
        return (dated or led)[-1]
    match = _DATE_FIRST.search(text)
    if match and is_attribution(text[match.start() :]) and not _ADDRESS.search(text, 0, match.start()):
        is_part = _TIME_FIRST.fullmatch(text, 0, match.start()) or _LIKE_A_LEAD.fullmatch(text, 0, match.start())
        return 0 if is_part else match.start()
    return -1


def is_led(text: str) -> bool:
    """Return whether `text` begins like an attribution with a word before its date: "On Mon, Jan 1"."""
    return bool(_LED.match(text))


def begin_above(above: str, text: str) -> int:
    """Return where the attribution that continues in `text` begins in the line `above`; -1 if it does not.

    A line that ends in a day ("on Friday 12.") is part of it only if `text` lacks the day.
    """
    if _LED.match(text):
        return -1
    led = [match for match in _LED.finditer(f"{above} {text}") if match.start() < len(above)]
    if led and (led[-1].end() > len(above) or not _DATE_FIRST.search(text)):
        return led[-1].start()
    plain, rest = _ADDRESS.sub("@", above), _ADDRESS.sub("@", text)
    is_named = "<@>" in plain and (plain.endswith("<@>") or _DATE.search(plain)) and "@" not in rest
    is_cut_at_address = rest.startswith("<@>") and _WROTE_PATTERN.search(above)
    return 0 if is_named or is_cut_at_address else -1


@lru_cache(maxsize=1024)  # a mail that answers a letter is read twice
def is_full_attribution(text: str) -> bool:
    """Return whether only a mailer can have written this: date, time and an address in brackets, with verb and colon.

    Without a verb and a colon, it must begin with the date or the time, and contain only a name besides.
    """
    plain = _ADDRESS.sub("@", text)
    if not _BRACKETED_SIGN.search(plain) or not (_DATE.search(plain) and _TIME.search(plain)):
        return False
    is_introduction = plain.endswith(_COLONS) and _WROTE_PATTERN.search(plain)
    return bool(is_introduction or (_DATED.match(plain) and len(plain) <= _LONGEST))


def mended(text: str) -> str:
    """Return `text` with unusual quotes in the usual form.

    Gmail wraps attributions at brackets, Zoho puts them between dashes, s-nail marks quoted lines with bars.
    """
    if " wrote in\n" in text and _BARS.search(text):
        text = _BAR.sub(">", _BARS.sub("", text))
    text = _BEFORE_ORIGINAL.sub("\\1\n\n", text) if "@" in text else text
    text = _CUT_BEFORE.sub(r"\1\2", _CUT_BEHIND.sub("<", text)) if "@" in text else text
    return _IN_DASHES.sub(lambda match: f"{match[1]}:" if is_attribution(match[1]) else match[0], text)


def is_short_attribution(line: str) -> bool:
    """Return whether the line, directly above a quote, names its writer: "bob wrote:", "Quoting Bob <b@example.org>:".

    In place of the address, it can have the date and time in brackets.
    """
    if len(line.split()) <= 4 and _WROTE_PATTERN.search(line):
        return True
    if _SERVICE in line and (len(line.split()) <= _FEW or (line.endswith(_COLONS) and is_moment(line))):
        return True
    is_named = line.endswith(_COLONS) and len(line.split()) <= _FEW and bool(_ADDRESS.search(line))
    return is_named or (len(line) <= _LONGEST and _ends_in_name_or_time(line))


def _ends_in_name_or_time(line: str) -> bool:
    return bool(_NAMED.search(line) or (is_moment(line) and _DATED_END.search(line)))


def introduces(text: str, *, is_one_line: bool = True) -> bool:
    """Return whether `text`, above lines that are a quote for certain, can introduce them, in any language.

    It ends with a colon and says who wrote or when, or has an address or a time in brackets, or is a line of these.
    """
    plain = text.rstrip(" -")
    ends = plain.endswith((*_COLONS, ">", ")", "]"))
    if not ends:
        return is_one_line and len(text.split()) <= _FEW and (is_moment(plain) or "@" in plain)
    return "@" in plain or is_moment(plain) or (plain.endswith(_COLONS) and is_original(plain))


def label(line: str) -> str:
    """Return the label of a header line as mailers print it ("*From:* alice", "Von : alice"); "" for other lines."""
    head, colon, _ = line[:60].replace("：", ":").partition(":")
    return head.strip(" *").lower() if colon else ""


def is_box(line: str) -> bool:
    """Return whether a header line has a name and an address in brackets."""
    return line.endswith(">") and bool(_BRACKETED.search(line[-200:]))


def is_moment(line: str) -> bool:
    """Return whether a line has a date and a time."""
    return bool(_DATE.search(line[:200]) and _TIME.search(line[:200]))


def is_original(words: str) -> bool:
    """Return whether these words, between two rows of dashes, say that the original follows, or who wrote it."""
    return words.lower() in ORIGINAL or bool(_FORWARDED.search(words) or _WROTE_PATTERN.search(words))


def is_forward(line: str) -> bool:
    """Return whether the line may be the title above a forwarded mail: "Begin forwarded message:"."""
    return len(line) <= 60 and line.endswith(_COLONS) and bool(_FORWARDED.search(line))
