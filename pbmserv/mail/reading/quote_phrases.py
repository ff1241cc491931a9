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
    "Czech, Slovak": "napsal napsal(a) napísal",
    "Hungarian": "írta",
    "Romanian": "scris",
    "Greek": "έγραψε",
}
_WROTE_UNSPACED = "のメール|書きました|書き込み|写道|寫道|写到|님이 작성"  # Japanese, Chinese, Korean
_WROTE_PATTERN = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, ' '.join(_WROTE.values()).split()))})(?!\w)|{_WROTE_UNSPACED}", re.I
)
_BEGINS = re.compile(r"(?:on|am|le|el|il|op|den|em|w dniu|dnia|w|в|在|wiadomość|dne)\s", re.I)

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
    "Turkish": "kimden gönderildi tarih kime konu",
}
FROM = frozenset(labels.split()[0] for labels in _LABELS.values())
OTHERS = frozenset(label.replace("_", " ") for labels in _LABELS.values() for label in labels.split()[1:])

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
    r"envoyé (?:de|depuis|à partir|avec|via)|enviad[oa] (?:desde|do|de|con|com|a partir|via|pelo)|"
    r"inviat[oa] (?:da|dal|con|tramite)|(?:verstuurd|verzonden) (?:vanaf|vanuit|met|via)|skickat från|"
    r"wysłan[aeoy] (?:z|za|przy|przez)|отправлено (?:с|из|от)|发自|發自|发送自|傳送自|从我的|.{1,20}から送信)",
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

_ADDRESS = re.compile(r"[^\s<>()@]{1,80}@[^\s<>()@]{1,80}")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2}")
_TIME = re.compile(r"(?<!\d)\d{1,2}[:.]\d\d(?!\d)|\d{1,2} ?[ap]m\b|\d{1,2} ?h ?\d\d|\d时|\d時", re.I)
_COLONS = (":", "：")


def ends_attribution(line: str) -> bool:
    """Whether an attribution may end with this line: a colon behind a verb, an address or a time, or alone."""
    end = line[-200:]
    if not end.endswith(_COLONS):
        return False
    return end in _COLONS or any(pattern.search(end) for pattern in (_WROTE_PATTERN, _ADDRESS, _DATE, _TIME))


def is_attribution(text: str) -> bool:
    """Whether `text` tells who wrote what follows, and when: a date or time, with a verb or an address."""
    plain = _ADDRESS.sub("@", text)
    when = _DATE.search(plain) or _TIME.search(plain)
    return bool(when) and ("@" in plain or bool(_WROTE_PATTERN.search(plain)))


def begins_attribution(line: str) -> bool:
    """Whether a mailer may have broken an attribution after `line`: "On Monday, 1", "Bob <bob@example.org> 2024"."""
    plain = _ADDRESS.sub("@", line)
    named = "<@>" in plain and _DATE.search(plain)
    return bool(named or (_BEGINS.match(line) and any(char.isdigit() for char in line)))


def is_full_attribution(text: str) -> bool:
    """Whether only a mailer can have written this: date, time, verb and an address in angle brackets."""
    plain = _ADDRESS.sub("@", text)
    return "<@>" in plain and all(pattern.search(plain) for pattern in (_DATE, _TIME, _WROTE_PATTERN))


def is_short_attribution(line: str) -> bool:
    """Whether the line is a name and a verb: "bob wrote:"."""
    return len(line.split()) <= 4 and bool(_WROTE_PATTERN.search(line))


def label(line: str) -> str:
    """The label of a header line as mailers print it ("*From:* alice", "Von : alice"), "" for every other line."""
    head, colon, _ = line[:60].replace("：", ":").partition(":")
    return head.strip(" *").lower() if colon else ""


def is_sent_from(line: str) -> bool:
    """Whether the line may be the advertisement of a phone or program: "Sent from my iPhone"."""
    return len(line) <= 100 and bool((_SENT.match(line) and _DEVICE.search(line)) or _OUTLOOK.search(line))


def is_forward(line: str) -> bool:
    """Whether the line may be the title above a forwarded mail: "Begin forwarded message:"."""
    return len(line) <= 60 and line.endswith(_COLONS) and bool(_FORWARDED.search(line))
