"""What programs add to a text without its sender: advertisements, notices of scanners and lawyers, signs for pictures.

Each is a paragraph of its own at the end of the sender's words, and is known by what it is made of, not by its
sentence: words of several groups together, in any of the languages. So a sentence with one of these words stays.
"""

import itertools
import re

_LONGEST_ADVERT, _LONGEST_NOTICE = 100, 2000  # characters
_MOST = 6  # times that something is added to one text
_SHORT = 12  # lines of a scanner's notice below its title
_RULE = frozenset("-_=*~ ")

_LINK = re.compile(r"[<(\[]?\b(?:https?://|mailto:|www\.)[^\s<>()\[\]]{1,500}[>)\]]?", re.I)
_DOMAIN = re.compile(
    r"\b(?:https?://|www\.)|\b[\w-]{2,40}\.(?:com|net|org|eu|de|at|ch|fr|es|it|nl|pl|ru|se|cz|jp)\b", re.I
)
# Words with which people speak of themselves. No notice has them; an advertisement has `my`.
_SELF = "i i'm i'll i've ich mich mir je j'ai yo io ik ja я jag jeg eu én ben sorry"
_OWN = "my mine mein meine meinen meinem mon ma mes mi mis mio mia mijn mój мой min mitt"
_ME, _MINE = frozenset(_SELF.split()), frozenset(_OWN.split())
_WORD = re.compile(r"[^\s,;:.!?()\[\]<>\"/\u201e\u201c]+")

# --- advertisements: a verb, a program or a device, and nothing but names and small words besides ---------------------

_SENT = re.compile(
    r"(?<!\w)(?:sent|gesendet|verschickt|envoyé|enviad[oa]|inviat[oa]|verstuurd|verzonden|skickat|skickades|sendt|"
    r"lähetetty|wysłan[aeoy]|отправлено|odesláno|odoslané|poslano|trimis|στάλθηκε|надіслано|изпратено|küldve|elküldve|"
    r"gönderildi|dikirim|išsiųsta|saadetud|nosūtīts|послато|enviat|bidalia|"
    r"provenance)(?!\w)|送信|发自|發自|发送|傳送|来自|來自|发来|보냄|발신|נשלח|مُرسل|أرسلت|نُقِلَ|đã gửi|ส่งจาก",
    re.I,
)
_GET = re.compile(
    r"(?<!\w)(?:get|download|hol\w*|laden|herunterladen|beziehen|abrufen|obtene[rz]|obtenir|téléchargez?|télécharger|"
    r"obtén|obtenga|consigue|descarg\w*|scarica\w*|ottieni|otten\w*|ophalen|downloaden|haal|hämta|skaffa|hent|få|hanki|"
    r"lataa|pobierz|obter|obtenha|baixe|baixar|скача\w*|загруз\w*|получ\w*|завантаж\w*|stáhn\w*|získ\w*|let[öo]lt\w*|"
    r"descărc\w*|obțin\w*|λήψη|κατεβάστε|indir\w*|edin\w*|preuzm\w*|prenes\w*|изтегл\w*|dapatkan|tải|"
    r"beszerz\w*|nabavi\w*|αποκτήστε|hangi|gaukite|iegūstiet)(?!\w)|下载|下載|获取|取得|ダウンロード|入手|다운로드|받기|קבל|الحصول|הורד|احصل|تنزيل|ดาวน์โหลด",
    re.I,
)
_PLATFORM = re.compile(
    r"\b(?:smartphone|handy|blackberry|galaxy|samsung|huawei|xiaomi|redmi|oneplus|nokia|motorola|xperia|pixel|android\w*|"
    r"ios|ipados|macos|windows|phone|tablet|mobiltelefon|móvil|cellulare|teléfono|téléphone|telefon\w*|gerät|device|"
    r"appareil|dispositivo|apparaat|enhet|urządzenia|устройств\w*|"
    r"пристро\w*)\b|(?:iphon|ipad|ipod|ios|android)[\w'-]{0,10}|手机|手機",
    re.I,
)
_PROGRAM = re.compile(
    r"(?i:(?:\b|(?<=[\u3040-\u9fff]))(?:outlook[\w'-]{0,10}|gmail|yahoo!?|aol|proton\w*|tutanota|thunderbird|k-9|bluemail|fairemail|gmx|hotmail|icloud|zoho|"
    r"mailbird|em client|zimbra|roundcube|web\.de|mail\.ru|t-online|o2|seznam|яндекс\w*|yandex|foxmail|fastmail)(?!\w))"
    r"|\b(?:Spark|Orange|Free|Libero|Edison|Canary|Newton|Airmail|QQ|Naver|Interia|Onet|WP|Telekom|Tuta)\b|"
    r"\b(?:[A-Z]\w{0,15}[Mm]ail\w{0,10}|my[A-Z]\w{1,15}|[A-Z]\w{0,15}App|Mail\w{0,10}|E-Mail|Pošt\w*|Posta|Correo|Courrier|Bericht|Poczt\w*|Почт\w*|Posti?)\b|メール|邮箱|邮件|郵件|메일"
)
# Small words between the names, in lower case.
_SMALL = {
    "English": "this message was has been please excuse my brevity any typos the a an all new app apps application "
    "client mail email e-mail mobile secure free version for on with from via using of by and it network "
    "capable enjoy ad-free emails com",
    "German": "diese nachricht wurde bitte entschuldigen sie meine kürze mein meinem meiner dem der die das den vom "
    "von auf für aus mobilen mobiler über mit sich jetzt",
    "French": "ce a été mon ma mes un une le la les l' de du des d' pour sur à avec depuis partir l'application l'app "
    "la messagerie sécurisée",
    "Spanish": "este fue ha sido mi mis el los las su tu para en desde del con mediante aplicación",
    "Italian": "questo messaggio è stato il lo dal dalla dell' della per tramite mio mia l'applicazione da",
    "Portuguese": "meu minha um uma o os do da dos no na nos pelo pela através aplicativo aplicação",
    "Dutch": "dit is mijn het een van vanaf vanuit voor op met",
    "Swedish, Danish, Norwegian": "min mitt mit den det et fra från frå med för på til till appen",
    "Polish": "mojego moja z ze za pomocą przez dla systemu aplikacji aplikację usługi programu program w telefonu",
    "Russian": "мой моя моего моей с со из от для на в мобильного мобильной приложения приложение почты помощью",
    "Ukrainian, Bulgarian": "мій мого моєї з із мобільного додатка від моят за",
    "Czech, Slovak": "mého mé pro pre aplikace aplikaci aplikacije môjho aplikácie",
    "Croatian, Slovenian": "s mog moje moj iz mojega",
    "Hungarian, Romanian, Turkish": "alkalmazásból akıllı telefonumdan için az egy ről ról lui pe din pentru aplicația",
    "Greek": "το του τη την από μου για εφαρμογή",
    "Vietnamese, Indonesian": "của tôi từ cho saya dari untuk aplikasi",
    "Estonian, Lithuanian, Latvian": "mano iš minu mana uz no jaoks skirtą darbam ar",
    "Basque, Catalan": "nire des",
}
_FILLERS = frozenset(" ".join(_SMALL.values()).split())


def _is_advert(line: str) -> bool:
    """Return whether a line says from which device or with which program a mail was sent, or where to get it."""
    plain = _LINK.sub(" ", line.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    verbs, get = _SENT.search(plain), _GET.search(plain)
    if not (verbs or get) or _speaks(plain, _ME):
        return False
    program, platform = _PROGRAM.search(plain), _PLATFORM.search(plain)
    is_offer = bool(get and program and (platform or plain.strip() != line.strip()))
    if not is_offer and not (verbs and (program or platform)):
        return False
    rest = _PROGRAM.sub(" ", _PLATFORM.sub(" ", _GET.sub(" ", _SENT.sub(" ", plain))))
    words = _WORD.findall(rest)
    return all(word in _FILLERS or not word[0].islower() for word in words)


def _speaks(text: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(map(str.lower, _WORD.findall(text)))


# --- notices of scanners ----------------------------------------------------------------------------------------------

_VIRUS = re.compile(
    r"virus|viren|virüs|wirus|virov|вирус|вірус|ιούς|ιός|malware|spam\b|mailscanner|antivir|phishing|trojan|ウイルス|ウィルス|"
    r"病毒|바이러스|וירוס|فيروس|ไวรัส|vírus",
)
_CHECKED = re.compile(
    r"scann|check|free\b|clean\b|certif|found|protect|geprüft|überprüft|frei\b|gefunden|geschützt|vérifi|analys|sans\b|"
    r"aucun|protég|analiz|comprob|escane|libre\b|verific|controll|priv[oa]\b|protett|gecontroleerd|gescand|vrij\b|kontroll|skann|sökt|"
    r"fri\b|sprawdz|przeskan|woln[ya]\b|провер|содерж|нет\b|свобод|без\b|zkontrol|prost[áý]|bez\b|ellenőriz|mentes|tartalmaz|livre\b|sem\b|fără\b|"
    r"tarafından|yok\b|elleniőr|tarkist|έλεγχ|ελέγχθ|χωρίς|ελεγχ|検査|検出|含まれて|无|检测|检查|掃描|검사|נבדק|סרוק|فحص",
)
_MAIL = re.compile(
    r"e-?mail|\bmail|message|nachricht|courriel|courrier|mensaje|correo|messaggio|bericht|mensagem|meddeland|wiadomoś|"
    r"сообщени|письм|zpráv|správ|levél|üzenet|mesaj|μήνυμα|viesti|besked|melding|post\b|posta|メール|邮件|郵件|메일|信件|"
    r"אימייל|הודעה|رسالة|poruk|sporočil|повідомлен|съобщени",
)
_PRODUCT = re.compile(
    r"mailscanner|\b(?:avast|avg|eset|nod32|norton|symantec|mcafee|kaspersky|bitdefender|sophos|trend ?micro|clamav|"
    r"f-secure|g ?data|avira|barracuda|mimecast|proofpoint|messagelabs|fortinet|dr\.?web|spamassassin|spamexperts|"
    r"icritical)\b",
)
_BY_PRODUCT = re.compile(rf"(?:scanned|checked|protected|geprüft|vérifié) (?:by|von|par) (?:{_PRODUCT.pattern})")
_BANNER = re.compile(r"_{5,} ?[^_\n]{4,300}?(?: ?_{5,})?$")  # the title of ESET's notices in all languages


def _is_scan(text: str) -> bool:
    """Return whether a paragraph says that a mail was checked for viruses, with a product or a site."""
    virus, product = _VIRUS.search(text), _PRODUCT.search(text)
    if not (virus or product) or "?" in text or _speaks(text, _ME | _MINE):
        return False
    if virus and product and _DOMAIN.search(text):
        return True
    if not _CHECKED.search(text):
        return False
    return bool(
        (virus and product) or _BY_PRODUCT.match(text) or _DOMAIN.search(text) or _MAIL.search(_VIRUS.sub(" ", text))
    )


# --- notices of lawyers -----------------------------------------------------------------------------------------------

_LEGAL = (
    _MAIL,
    re.compile(  # it is secret
        r"confiden|privileged|vertraulich|vertrouwelijk|riservat|konfiden|fortrolig|poufn|luottamuksel|důvěrn|dôvern|"
        r"bizalmas|gizli|εμπιστευτικ|секретн|конфиденц|конфіденц|поверит|povjerlj|zaupn|机密|機密|保密|秘密|기밀|비밀|סודי|חסוי|"
        r"سري|proprietary|legally protected|disclaimer",
    ),
    re.compile(  # it is for somebody
        r"recipient|addressee|intended (?:only|solely|for)|empfänger|adressat|destinata|destinatá|geadresseerde|"
        r"ontvanger|mottaga|mottake|modtager|adresat|odbiorc|vastaanottaj|příjemc|príjemc|címzett|alıcı|παραλήπτ|"
        r"получател|адресат|одержувач|primatelj|prejemnik|收件人|收信人|受信者|受取人|宛先|수신인|수신자|נמען|المستلم",
    ),
    re.compile(  # what others must do or not do with it
        r"notify|delete|destroy|disclos|disseminat|distribut|unauthori[sz]ed|prohibited|informieren|benachrichtig|"
        r"lösch|vernicht|unbefugt|untersagt|avertir|détrui|supprim|interdit|notifi|elimin|borre|prohibi|avvis|cancell|"
        r"distrugg|vietat|verwijder|vernietig|rader|förstör|slet|usun|zniszcz|zawiadom|poist|smaž|vymaž|töröl|sil(?:in|iniz)|"
        r"διαγρ|удалит|уничтож|уведом|видал|apag|elimine|obriš|izbriš|删除|刪除|削除|破棄|삭제|מחק|حذف",
    ),
)
_PRINTED = (  # "think of the environment before you print this mail"
    re.compile(
        r"environment|umwelt|environnement|medio ?ambiente|ambiente|milieu|miljö|miljø|środowisk|природ|environ"
    ),
    re.compile(r"print|druck|imprim|stamp|afdruk|skriv ut|drukow|печат|распечат"),
)


def _is_legal(text: str) -> bool:
    """Return whether a paragraph says that a mail is secret, for whom it is, and what others must do with it."""
    if all(pattern.search(text) for pattern in _PRINTED):
        return bool(_MAIL.search(text)) and not _speaks(text, _ME)
    return len(text) > 60 and sum(bool(pattern.search(text)) for pattern in _LEGAL) == len(_LEGAL)


# --- signs for pictures -----------------------------------------------------------------------------------------------

_OPEN = ("[", "<", "(")
_CID = re.compile(r"[\[<]cid:[^\s\[\]<>]{1,200}[\]>]", re.I)
_PICTURE = re.compile(
    r"[\[<(]{1,2}(?:(?:(?:an?|une?|eine?|una) )?(?:inline |embedded )?"
    r"(?:image|picture|logo|icon|graphic|photo|img|bild\w*|imagen|immagine|afbeelding|obraz|изображение|图片|画像)\b ?"
    r"(?:\d{0,3}|(?:ole object|removed by sender|containing|contenant|mit|que contiene|contenente)[^\[\]<>]{0,200})\.?"
    r"(?:: ?[^\[\]<>]{0,200})?|signature_\d{1,20}|\.\.\.ole_obj\.\.\."
    r"|[^\[\]<>()@]{1,200}\.(?:png|jpe?g|gif|bmp|svg|webp|heic|tiff?|emz|wmz)(?:@[\w.]{1,60})?)[\])>]{1,2}",
    re.I,
)
_DESCRIBED = re.compile(  # by Outlook, over two lines
    r"^\[[^\[\]\n]{1,200}\n{1,2}[^\[\]\n]{0,80}"
    r"(?:automati[^\[\]\n]{0,40}gener|gener[^\[\]\n]{0,40}automati|généré)[^\[\]\n]{0,40}\]$",
    re.M | re.I,
)


def without_pictures(text: str) -> str:
    """Return `text` without the signs that stand for pictures: `[cid:1.png@2]`, a line `<image001.png>`."""
    if "cid:" in text:
        text = _CID.sub("", text)
    if "]" in text:
        text = _DESCRIBED.sub("", text)
    if not any(sign in text for sign in _OPEN):
        return text
    return "\n".join(
        "" if line.lstrip()[:1] in _OPEN and _PICTURE.fullmatch(line.strip()) else line for line in text.split("\n")
    )


# --- the end of a text ------------------------------------------------------------------------------------------------


def without_additions(block: list[str]) -> list[str]:
    """Return the lines of a text without what programs have added in paragraphs at its end. No empty line ends it."""
    titles = (at for at in range(max(0, len(block) - _SHORT), len(block)) if _BANNER.match(block[at]))
    start = next(titles, -1)
    for _ in range(_MOST):
        start = start if start >= 0 else _addition(block, _last_paragraphs(block))
        if start < 0:
            break
        while start and not set(block[start - 1]) - _RULE:  # an empty line, or the rule above a notice
            start -= 1
        block, start = block[:start], -1
    return block


def _last_paragraphs(block: list[str]) -> list[int]:
    """Return where the last three paragraphs begin, the last one first."""
    starts = (at for at in range(len(block) - 1, -1, -1) if block[at] and not (at and block[at - 1]))
    return list(itertools.islice(starts, 3))


def _addition(block: list[str], starts: list[int]) -> int:
    """Return where the addition begins with which a text ends; -1 if it ends in none. A notice can have paragraphs."""
    ends, parts = (len(block), *starts), list[str]()
    for start, end in zip(starts, ends, strict=False):
        text = " ".join(line.strip() for line in block[start:end] if line)
        if not parts and len(text) <= _LONGEST_ADVERT and _is_advert(text):
            return start
        parts.insert(0, text.lower())
        if sum(map(len, parts)) > _LONGEST_NOTICE:
            break
        if len(parts) == 1 and _is_scan(parts[0]):
            return start
        if not any(pattern.search(parts[0]) for pattern in _LEGAL):
            break
        if _is_legal(" ".join(parts)):
            return start
    return -1
