"""What mailers write around a quoted mail, by language. No phrase decides alone: see quotes.py."""

import re

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
    "Croatian, Slovenian": "napisao napisala napisao/la",
    "Arabic": "كتب كتبت كتابة",
    "Hebrew": "כתב כתבה מאת",
    "Vietnamese, Indonesian": "viết menulis",
    "Estonian, Lithuanian": "kirjutas rašė",
}
_WROTE_UNSPACED = "のメール|書きました|書き込み|写道|寫道|写到|님이 작성"  # Japanese, Chinese, Korean
_WROTE_PATTERN = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, ' '.join(_WROTE.values()).split()))})(?!\w)|{_WROTE_UNSPACED}", re.I
)
# What stands in front of the date where an attribution begins. A capital tells it from other words within a line.
_LEADS = "On|At|Am|Le|El|Il|Op|Den|Em|Dnia|W dniu|Dne|Dňa|En|Pe|În|La|På|Στις|Vào"
_LED = re.compile(rf"(?<!\S)(?:{_LEADS}) (?:\S{{1,20}} ){{0,3}}?(?=\S{{0,20}}\d)[^\s\d]{{0,20}}\d+")

# First label; the others, `_` for a space. Their order within a language does not matter.
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
}
FROM = frozenset(labels.split()[0].replace("_", " ") for labels in _LABELS.values())
OTHERS = frozenset(label.replace("_", " ") for labels in _LABELS.values() for label in labels.split()[1:])

MESSAGE_OF = "Message du "  #: how Orange begins the headers of an original, without a colon

#: Between two rows of dashes; other phrases there count when headers follow.
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
# A line of its own above the headers of the original (Apple Mail).
_FORWARDED = re.compile(
    r"forwarded|weitergeleitet|transféré|réexpédié|reenviado|inoltrato|doorgestuurd|vidarebefordra|reencaminhad|"
    r"encaminhad|przekazywan|переадресованн|пересланн|転送|转发|轉寄|轉發",
    re.I,
)
_SENT = re.compile(
    r"(?:sent (?:from|via|with|using)|gesendet (?:von|mit|aus|über)|(?:von meinem|diese nachricht wurde) .* gesendet|"
    r"envoyé (?:depuis|de|à partir|avec|via)|enviad[oa] (?:desde|do|de|con|com|a partir|via|pelo)|"
    r"inviat[oa] (?:dal|da|con|tramite)|(?:verstuurd|verzonden) (?:vanaf|vanuit|met|via)|skickat från|"
    r"wysłan[aeoy] (?:za|z|przy|przez)|отправлено (?:с|из|от)|发自|發自|发送自|傳送自|从我的|.{1,20}から送信)",
    re.I,
)
_OUTLOOK = re.compile(r"\boutlook (?:for|für|pour|para|per|voor|för|dla|для) (?:ios|android)", re.I)
_DEVICE = re.compile(
    r"\b(?:iphone|ipad|ipod|phone|smartphone|handy|mobiltelefon|mobile|mobil|móvil|cellulare|telefon\w*|teléfono|téléphone|"
    r"tablet|galaxy|samsung|android|pixel|blackberry|huawei|xiaomi|redmi|oneplus|nokia|motorola|xperia|windows|outlook|"
    r"mail|e-mail app|gmail|proton|thunderbird|k-9|bluemail|fairemail|spark|yahoo|gmx|web\.de|device|gerät|appareil|"
    r"dispositivo|apparaat|enhet|urządzenia|устройств\w*)|iphone|ipad|outlook|手机|手機",
    re.I,
)

# What stands in lower case between such words and the name of the device.
_ARTICLES = re.compile(
    "my|the|an?|mobile|secure|mon|ma|une?|mi|meu|minha|uno|mi[oa]|il|la|mein(?:e[mr]?)?|de[mr]|einem|mijn|een|min|mitt|mojego|"
    "мой|моего|мобильного|мобильной"
)

_ADDRESS = re.compile(r"[^\s<>()@]{1,80}@[^\s<>()@]{1,80}")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2}")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.]\d\d(?!\d)|\d{1,2} ?[ap]m\b|\d{1,2} ?h ?\d\d|\d时|\d時", re.I)
# A whole date, as attributions have it that begin with one: "pon., 1 sty 2024", "1 janv. 2024", "2024/01/01", "2024年".
_DATE_FIRST = re.compile(
    r"(?<!\S)(?:(?:في )?[^\W\d_]{2,12}\.?[,،] ?|[^\W\d_]{2,4}\. )?"
    r"(?:\d{1,2}\.? [^\W\d_]{2,12}\.?,? (?:19|20)\d\d|\d{1,4}([./-])\d{1,2}\1\d{2,4}|(?:19|20)\d\d ?年)"
)
_BRACKETED = re.compile(rf"<{_ADDRESS.pattern}>$")
_BRACKETED_SIGN = re.compile(r"<@>|\(@\)")  # where addresses have become signs
_DATED = re.compile(  # a whole date, or a time and a date, then a time zone and a word, then name and address
    rf"(?:\d{{1,2}}:\d\d, )?(?:{_DATE_FIRST.pattern})"
    r"(?: ?(?:г|р)\.)?(?:,? (?:в )?\d{1,2}:\d\d(?::\d\d)?)?(?: [+-]\d\d:?\d\d)?,? (?:[^\s<>]{1,40} ){0,6}<@>:?$"
)
_CUT_BEHIND = re.compile(rf"<\n(?={_ADDRESS.pattern}>)")
_CUT_BEFORE = re.compile(rf"(<{_ADDRESS.pattern})\n(>[^<>\n]{{0,30}}:)$", re.M)
_IN_DASHES = re.compile(rf"^-{{3,4}} ?((?:{_LEADS}) [^\n]{{1,250}}?(?:\n[^\n]{{1,200}}?){{0,2}}?) ?-{{3,4}}$", re.M)
_COLONS = (":", "：")


def ends_attribution(line: str) -> bool:
    """Whether an attribution may end with this line: a colon behind a verb, an address or a time, or alone.

    Some end with the address in angle brackets.
    """
    end = line[-200:]
    if not end.endswith(_COLONS):
        return end.endswith(">") and bool(_BRACKETED.search(end))
    return end in _COLONS or any(pattern.search(end) for pattern in (_WROTE_PATTERN, _ADDRESS, _DATE, _TIME))


def is_attribution(text: str) -> bool:
    """Whether `text` tells who wrote what follows, and when: a date or time, with a verb or an address."""
    if text.endswith(">"):
        return is_full_attribution(text)
    plain = _ADDRESS.sub("@", text)
    when = _DATE.search(plain) or _TIME.search(plain)
    return bool(when) and ("@" in plain or bool(_WROTE_PATTERN.search(plain)))


def begin_of_attribution(text: str) -> int:
    """Where the attribution begins that ends `text`: -1 if nothing in the text tells."""
    led = [found.start() for found in _LED.finditer(text) if is_attribution(text[found.start() :])]
    if led:
        return led[-1]
    found = _DATE_FIRST.search(text)
    if found and is_attribution(text[found.start() :]) and not _ADDRESS.search(text, 0, found.start()):
        return found.start()
    return -1


def is_led(text: str) -> bool:
    """Whether `text` begins as an attribution does that has a word before its date: "On Mon, Jan 1"."""
    return bool(_LED.match(text))


def begin_above(above: str, text: str) -> int:
    """Where in the line `above` the attribution begins that goes on in `text`: -1 if it does not begin there.

    A line that ends in a day ("on Friday 12.") is part of it only if `text` lacks the day.
    """
    if _LED.match(text):
        return -1
    led = [found for found in _LED.finditer(f"{above} {text}") if found.start() < len(above)]
    if led and (led[-1].end() > len(above) or not _DATE_FIRST.search(text)):
        return led[-1].start()
    plain, rest = _ADDRESS.sub("@", above), _ADDRESS.sub("@", text)
    is_named = "<@>" in plain and (plain.endswith("<@>") or _DATE.search(plain)) and "@" not in rest
    is_cut_at_address = rest.startswith("<@>") and _WROTE_PATTERN.search(above)
    return 0 if is_named or is_cut_at_address else -1


def is_full_attribution(text: str) -> bool:
    """Whether only a mailer can have written this: date, time and an address in brackets, with verb and colon.

    Without one of these it begins with the date or the time, and has nothing more than a name.
    """
    plain = _ADDRESS.sub("@", text)
    if not _BRACKETED_SIGN.search(plain) or not (_DATE.search(plain) and _TIME.search(plain)):
        return False
    is_introduction = _WROTE_PATTERN.search(plain) and plain.endswith(_COLONS)
    return bool(is_introduction or (_DATED.match(plain) and len(plain) <= 120))


def mended(text: str) -> str:
    """`text` with some attributions as others write them: Gmail cuts them at the brackets, Zoho puts them in dashes."""
    text = _CUT_BEFORE.sub(r"\1\2", _CUT_BEHIND.sub("<", text)) if "@" in text else text
    return _IN_DASHES.sub(lambda found: f"{found[1]}:" if is_attribution(found[1]) else found[0], text)


def is_short_attribution(line: str) -> bool:
    """Whether the line is a name and a verb: "bob wrote:"."""
    return len(line.split()) <= 4 and bool(_WROTE_PATTERN.search(line))


def label(line: str) -> str:
    """The label of a header line as mailers print it ("*From:* alice", "Von : alice"), "" for every other line."""
    head, colon, _ = line[:60].replace("：", ":").partition(":")
    return head.strip(" *").lower() if colon else ""


def is_sent_from(line: str) -> bool:
    """Whether the line may be the advertisement of a phone or program: "Sent from my iPhone"."""
    if len(line) > 100:
        return False
    begin, device = _SENT.match(line), _DEVICE.search(line)
    return bool(_OUTLOOK.search(line) or (begin and device and _is_name(line[begin.end() : device.start()])))


def _is_name(words: str) -> bool:
    """Whether the words before a device may belong to its name: "my Samsung", not "my desk, the"."""
    return all(_ARTICLES.fullmatch(word) or not word[0].islower() for word in words.split())


def is_original(words: str) -> bool:
    """Whether these words, between two rows of dashes, say that the original follows."""
    return words.lower() in ORIGINAL or bool(_FORWARDED.search(words))


def is_forward(line: str) -> bool:
    """Whether the line may be the title above a forwarded mail: "Begin forwarded message:"."""
    return len(line) <= 60 and line.endswith(_COLONS) and bool(_FORWARDED.search(line))
