"""Advertisements of mail programs: from which device or with which program a mail was sent, and where to get that.

No list of sentences would be complete. An advertisement says with a verb that something is sent or to be had, names a
device or a program, and has hardly another word besides, in any of the languages. With a link of its own it may be
longer.
"""

import re

from pbmserv.mail.reading.added.speech import ANYBODY, DOMAIN, ONE, OWN, WORD, hosts, speaks, without_links

_LONGEST = 240  # characters
_MOST_OTHERS, _MOST_BESIDE_A_LINK = 2, 4  # words that are neither names nor of these tables
_SIGNS_OF_A_WORD = 4  # of the scripts that have no spaces

_SENT = re.compile(
    r"(?<!\w)(?:sent|gesendet|versendet|verschickt|envoyée?|enviad[oa]|inviat[oa]|verstuurd|verzonden|skickat|"
    r"skickades|"
    r"sendt|lähetetty|wysłan[aeoy]|отправлено|odesláno|odoslan[éo]|posláno|poslano|trimis|στάλθηκε|εστάλη|надіслано|"
    r"изпратено|küldve|elküldve|gönderildi|dikirim|išsiųsta|saadetud|nosūtīts|послато|enviat|bidalia|provenance|"
    r"poslato|dihantar|anfonwyd|secured|protected|gesichert)(?!\w)|"
    r"送信|发自|發自|发送|傳送|来自|來自|發送|发来|寄件者|寄自|보냄|보냈습니다|발신|전송(?:함|됨)?|נשלח|أ?رسلت|أُرسل\w*|الإرسال|"
    r"نُقِلَ|gửi từ|ส่งจาก|भेजा गया",
    re.I,
)
_GET = re.compile(
    r"(?<!\w)(?:get|download|hol(?:en|e)?|laden|herunterladen|beziehen|abrufen|obten(?:er|ez|ir|ga|ha|iu)|obtén|obter|"
    r"téléchargez?|télécharger|consig[ua]e|descarg\w{1,5}|scarica\w{0,3}|ottieni|otten\w{1,4}|ophalen|downloaden|haal|"
    r"hämta|ladda ned|ladda ner|last ned|uzyskaj|skaffa?|hent|få|hanki|hankige|lataa|pobierz|baixe|baixar|"
    r"скача\w{1,5}|загруз\w{1,5}|получ\w{1,5}|завантаж\w{1,5}|"
    r"отрима\w{1,4}|stáhn\w{1,4}|získ\w{1,4}|let[öo]lt\w{1,5}|descărc\w{1,5}|obțin\w{1,5}|λήψη|κατεβάστε|αποκτήστε|"
    r"indir\w{0,5}|edin\w{0,4}|preuzm\w{1,4}|prenes\w{1,4}|изтегл\w{1,5}|dapatkan|tải|beszerz\w{1,4}|nabavi\w{0,3}|"
    r"hangi|"
    r"gaukite|iegūstiet)(?!\w)|下载|下載|获取|取得|獲取|ダウンロード|入手|다운로드|받기|קבל|הורד|الحصول|احصل|تنزيل|"
    r"ดาวน์โหลด|รับ",
    re.I,
)
# Names that nobody takes for a word. Other letters follow them in languages with many cases.
_BRAND = re.compile(
    r"(?<![A-Za-z])(?:(?:iphon|ipad|ipod|android|windows|outlook|gmail|yahoo|proton|tutanota|thunderbird|samsung|"
    r"galaxy|"
    r"huawei|xiaomi|redmi|oneplus|nokia|motorola|blackberry|oppo|vivo|realme|htc|asus|lenovo|kindle|fairphone|"
    r"chromebook|macbook|k-9|bluemail|fairemail|gmx|hotmail|icloud|zoho|mailbird|"
    r"em client|zimbra|roundcube|foxmail|fastmail|naver|netease|seznam|yandex|verizon|vodafone|freenet|t-mobile)"
    r"[\w'\u2019-]{0,12}|(?:ios(?:ille|ista|-\w{1,8})?|ipados|macos|aol|web\.de|mail\.ru|t-online|xperia|pixel|o2|"
    r"uol|bol)(?![A-Za-z]))|"
    r"яндекс\w{0,4}|рамблер|小米|华为|華為|网易|新浪|微信|네이버|갤럭시|삼성|手机|手機|スマートフォン|スマホ|携帯|스마트폰",
    re.I,
)
# Words that are names only with a capital letter, or by their form: `BlueMail`, `TypeApp`, `E-Mail`.
_PROGRAM = re.compile(
    r"(?<!\w)(?:Spark|Orange|Free|Libero|Edison|Canary|Newton|Airmail|QQ|Interia|Onet|WP|Telekom|Tuta|Missive|Front|"
    r"Nine|"
    r"Shortwave|Superhuman|Mimestream|Polymail|HEY|"
    r"[A-Z][a-z0-9]{0,15}[Mm]ail\w{0,10}|my[A-Z]\w{1,15}|[A-Z]\w{0,15}App|[A-Z][a-z]{2,12}[A-Z][a-z]\w{0,12}|"
    r"Mail\w{0,10}|"
    r"E-?[Mm]ail|E-post|Pošt\w{0,3}|Poșt\w{0,3}|Posta\w{0,4}|Correo|Correio|Courrier|Bericht|Poczt\w{0,3}|Почт\w{0,2}|"
    r"Пошт\w{0,2}|Posti?|Αλληλογραφία|Sähköposti\w{0,4})(?!\w)|メール|邮箱|邮件|郵件|메일"
)
# Words for devices that people use of other things, too: with one of these there must be no other word.
_DEVICE = re.compile(
    r"(?<!\w)(?:smartphone|handy|phone|tablet|mobil\w{0,10}|móvil|cellulare|teléfono|téléphone|telefon\w{0,4}|gerät|"
    r"device|"
    r"appareil|dispositivo|apparaat|enhet|urządzenia|устройств\w{1,3}|пристро\w{1,4}|smart\w{0,4}telefon\w{0,6}|"
    r"okostelefon\w{0,4}|unterwegs|webmail)(?!\w)",
    re.I,
)
_MOVE = re.compile(r"(?!o2 |[^ ]*&)[^ ]*\d[^ ]* ", re.I)  #: d4, with which no advertisement begins
# An apology for what is short or spelled wrongly, up to the end of its sentence.
_APOLOGY = re.compile(
    r"[.,;!\u2013-] ?(?:[^\s.]{1,20} ){0,5}?(?:excuse\w{0,2}|apolog\w{1,4}|typos?|entschuldig\w{1,4}|kürze|"
    r"excus\w{1,3}|"
    r"veuillez|disculp\w{1,3}|brevedad|brevit[yà]|perdon\w{1,3}|excuseer|beknopt\w{0,4}|desculp\w{1,3}|brevidade|"
    r"wybacz\w{1,3}|"
    r"zwięzł\w{1,4}|извини\w{0,3}|краткост\w|ursäkta|fåordighet|undskyld\w{0,2}|beklager|omluv\w{1,4}|"
    r"вибач\w{1,4})[^.!?]{0,80}",
    re.I,
)
# Small words between the names, in lower case.
_SMALL = {
    "English": "this message was has been please the a an all new app apps application client mail email e-mail mobile "
    "secure free version for on with from via using of by and it network capable my and enjoy emails ad-free com",
    "German": "diese nachricht wurde bitte mein meinem meiner dem der die das den sie sich vom von auf für aus mobilen "
    "mobiler über mit jetzt und",
    "French": "ce a été mon ma mes un une le la les l l' de du des d' d pour sur à avec depuis partir et "
    "l'application l'app "
    "messagerie sécurisée",
    "Spanish": "este fue ha sido mi mis el los las su tu para en desde del con mediante aplicación correo",
    "Italian": "questo messaggio è stato il lo dal dalla dell' della per tramite mio mia l'applicazione da l'email",
    "Portuguese": "meu minha um uma o os do da dos no na nos pelo pela através aplicativo aplicação",
    "Dutch": "dit bericht is werd mijn het een van vanaf vanuit voor op met",
    "Swedish, Danish, Norwegian": "min mitt mit den det et fra från frå med för på til till appen deg",
    "Polish": "mojego moja z ze za przez dla systemu aplikacji aplikację usługi programu program w telefonu pomocą "
    "przy",
    "Russian": "мой моя моего моей с со из от для на в приложения приложение почты помощью",
    "Ukrainian, Bulgarian": "мій мого моєї з із додатка від моят за",
    "Czech, Slovak": "mého mé pro pre pomocí zabezpečeného bezpečného aplikace aplikaci aplikacije môjho "
    "aplikácie ze zařízení zariadenia si",
    "Croatian, Slovenian, Serbian": "s sa mog moje уређаја moj iz mojega са мог",
    "Hungarian, Romanian, Turkish": "az én készülékemről alkalmazásból egy ről ról pe din pentru aplicația de "
    "dispozitivul meu için ile",
    "Greek": "το του τη την από μου για εφαρμογή",
    "Arabic, Hebrew": "تم من جهاز هاتف الذكي الخاص بي الـ لـ على את עבור שלי",
    "Vietnamese, Indonesian": "đã được của tôi từ cho dành saya dari untuk aplikasi di daripada trên xuống",
    "Estonian, Lithuanian, Latvian": "minu jaoks mano iš no mana uz skirtą darbam ar",
    "Basque, Catalan, Welsh, Hindi": "nire des per i o fy से मेरे สำหรับ บน",
}
_FILLERS = frozenset(" ".join(_SMALL.values()).split())
_SMALL_EAST = re.compile(
    "通过|安全|보안|이메일로|から|より|する|[のでをし版用自我的从從]|나의|내|에서|용|智能|应用|アプリ|客户端|大师|モバイル|앱"
)
_TABLES = (_SMALL_EAST, _SENT, _GET, _BRAND, _PROGRAM, _DEVICE)
_WITH = re.compile(r"(?:with|via|using|through|mit|über|avec|con|tramite|met|com|pelo|med|za pomocą|с помощью)\b", re.I)
# `my` in languages that write no capital before a desk: there a capital behind it is that of a name.
_OF_MINE = "my mon ma mi mio mia mijn meu minha min mitt mojego моего мого mého môjho mojega mog minu mano"
_MINE = frozenset(_OF_MINE.split())
# Words of people who thank, apologise or greet. No program does that.
_PERSON = re.compile(
    r"(?<!\w)(?:love|hugs?|kiss(?:es)?|greetings|wishes|regards|thanks|thank|liebe|grüßen?|grüssen|danke|amour|bises|"
    r"hurr?ah?|hurray|hooray|yay|at last|finally|again|here|endlich|wieder|hier|enfin|ici|por fin|aquí|finalmente|"
    r"evviva|eindelijk|äntligen|wreszcie|наконец|ура|konečně|"
    r"merci|amor|cariño|besos|gracias|saludos|amore|baci|grazie|liefs|groeten|kärlek|hälsningar|любовью|приветом)(?!\w)|"
    r"ありがと|ごめん|すみません|谢|謝|感谢|抱歉|감사|고마|미안",
    re.I,
)
_POSTS = re.compile(r"mail|messag|post|inbox|почт", re.I)


def is_advert(text: str) -> bool:
    """Return whether a paragraph, on one line, is the advertisement of a program or a device."""
    words = without_links(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"), " ").strip()
    verb = _SENT.search(words) or _GET.search(words)
    sites = hosts(text)
    if len(words) > _LONGEST or "?" in words or _MOVE.match(words) or not (verb or sites):
        return False
    if any(_names(words, host) for host in sites) and (verb or _POSTS.search(words)):
        return not speaks(words, ONE | OWN)
    words, has_link = _APOLOGY.sub("", words), bool(sites or DOMAIN.search(words.lower()))
    return (
        bool(verb and not _PERSON.search(words))
        and (has_link or not speaks(words, ANYBODY))
        and _says_so(words, has_link)
    )


def _names(words: str, host: str) -> bool:
    """Return whether words name the site of a link: `mailbox.org`, `La Poste` beside `www.laposte.net`."""
    site = max(host.removeprefix("www.").split(".")[:-1], key=len, default="")
    return len(site) >= _SIGNS_OF_A_WORD and site in words.lower().replace(" ", "")


def _says_so(words: str, has_link: bool) -> bool:
    """Return whether these words say that something was sent, or is to be had, and hardly anything else."""
    sent, most = _SENT.search(words), _MOST_BESIDE_A_LINK if has_link else _MOST_OTHERS
    verb = sent or _GET.search(words)
    names = len(_BRAND.findall(words)) + len(_PROGRAM.findall(words))
    others, below = _others(words), words[verb.end() :] if verb else ""
    if verb and names > (not sent and not has_link):
        is_first = not below.strip(" .!。") or not _others(words[: verb.start()])
        return others <= most and is_first
    if not sent or others:  # by a device, or with a program that nobody has heard of
        return False
    if has_link and _WITH.fullmatch(below.strip(" .:")):
        return True
    is_unknown = has_link or bool(_WITH.match(below.lstrip()))
    is_unknown = is_unknown or not _MINE.isdisjoint(WORD.findall(words))
    return bool(_DEVICE.search(words) or DOMAIN.search(below)) or (is_unknown and _has_name(below))


def _others(words: str) -> int:
    """Return how many words are neither names nor of these tables. A few signs of a script without spaces are one."""
    for table in _TABLES:
        words = table.sub(" ", words)
    bare = filter(None, (word.strip("-'&+") for word in WORD.findall(words)))
    left = [word.lower() if n == 0 else word for n, word in enumerate(bare)]
    others = [word for word in left if word.lower() not in _FILLERS and not (word[0].isupper() or word[0].isdigit())]
    return sum(1 if word[0].islower() else -(-len(word) // _SIGNS_OF_A_WORD) for word in others)


def _has_name(words: str) -> bool:
    return any(word[0].isupper() and word.lower() not in _FILLERS for word in WORD.findall(words))
