"""Notices of virus scanners and of lawyers, and what the law wants below the mails of a company.

Each is known by words of several groups together, in any of the languages. So a sentence with one of these words stays.
"""

import re

from pbmserv.mail.reading.added.speech import DOMAIN, ONE, OWN, hosts, speaks, without_links

_LEAST, _LEAST_TO_NOBODY = 60, 90  # bytes of a notice of a lawyer, and of one that names no recipient
_MOST_BUTTONS = 2  # links of a scanner's notice that are buttons: spam, no spam
_NOT_OF_A_NOTICE = ONE | OWN

_VIRUS = re.compile(
    r"virus|viren|virüs|wirus|virov|вирус|вірус|ιούς|ιός|malware|spam\b|mailscanner|antivir|phishing|trojan|ウイルス|"
    r"ウィルス|"
    r"病毒|바이러스|\bvir[yů]\b|וירוס|فيروس|ไวรัส|vírus",
)
_CHECKED = re.compile(
    r"scann|check|free\b|clean\b|certif|found|protect|geprüft|überprüft|frei\b|gefunden|geschützt|vérifi|analys|sans\b|"
    r"aucun|protég|analiz|comprob|escane|libre\b|verific|controll|priv[oa]\b|protett|gecontroleerd|gescand|vrij\b|"
    r"kontroll|skann|sökt|"
    r"fri\b|sprawdz|przeskan|woln[ya]\b|провер|содерж|нет\b|свобод|без\b|zkontrol|prost[áý]|bez\b|ellenőriz|mentes|"
    r"tartalmaz|livre\b|sem\b|fără\b|"
    r"tarafından|yok\b|elleniőr|tark[ai]st|έλεγχ|ελέγχθ|χωρίς|ελεγχ|検査|検出|含まれて|无|检测|检查|掃描|검사|נבדק|"
    r"סרוק|فحص",
)
_MAIL = re.compile(
    r"e-?mail|\bmail|message|nachricht|courriel|courrier|mensaje|correo|messaggio|bericht|mensagem|meddeland|wiadomoś|"
    r"сообщени|письм|zpráv|správ|levél|üzenet|mesaj|μήνυμα|viesti|besked|melding|post\b|posta|メール|邮件|郵件|메일|"
    r"信件|"
    r"אימייל|הודעה|رسالة|poruk|sporočil|повідомлен|съобщени",
)
_PRODUCT = re.compile(
    r"mailscanner|\b(?:avast|avg|eset|nod32|norton|symantec|mcafee|kaspersky|bitdefender|sophos|trend ?micro|clamav|"
    r"f-secure|g ?data|avira|barracuda|mimecast|proofpoint|messagelabs|fortinet|dr\.?web|spamassassin|spamexperts|"
    r"icritical)\b",
)
_PASSIVE = re.compile(  # what people do not write of their own mail
    rf"(?:^|[:.] )(?:(?:this|the|diese|ce|cet|est[ae]?|quest[oa]|dit|deze|den?n[ae]|detta|de[nt] här|ta|tato|данное|"
    rf"это|tämä) )?(?:{_MAIL.pattern})\w* (?:(?:electrónico|électronique) )?(?:was|has been|is|wurde|ist|a été|ha sido|"
    rf"fue|foi|è stat[oa]|werd|har|blev|został[ao]?|byl[ao]?|был[ао]?|on) .{{0,60}}?"
    rf"(?:untersuch|sauber|{_CHECKED.pattern})"
    r"|(?:report|mark)\b.{0,40}\bas spam"
)
_BY = re.compile(
    rf"(?:message|mail) (?:(?:was|has been|is) )?scanned by|"
    rf"(?:scanned by|gescannt durch) [^.]{{0,40}}(?:secur|gateway|filter|guard)|"
    rf"(?:{_PRODUCT.pattern}) (?:[^\s.]{{1,20}} )?scanned this (?:message|e-?mail)|"
    rf"\b(?:(?:scanned|checked) for (?:virus\w{{0,2}}|spam|malware) by|"
    rf"(?:(?:scanned|checked|protected|secured|verified) (?:by|with)|(?:gescannt|geprüft) (?:von|mit|durch)|"
    rf"(?:vérifié|analysé) par|(?:scansionat|controllat|verificat)\w da|"
    rf"(?:analizado|comprobado|escanead\w|verificado|analisado|protegido) (?:y \w{{1,20}} )?por|"
    rf"ge(?:scand|controleerd) door|(?:skannad|kontrollerad) av|(?:skannet|kontrolleret) a[fv]|проверено|перевірено|"
    rf"(?:przeskanowan|sprawdzon)\w przez|zkontrolován\w) (?:[^\s.]{{1,20}} ){{0,2}}(?:{_PRODUCT.pattern}))"
)
_BANNER = re.compile(r"_{5,} ?[^_\n]{4,300}?(?: ?_{5,})?$")  # the title of ESET's notices in all languages


def is_scan(text: str) -> bool:
    """Return whether a paragraph, in lower case, says that a mail was checked for viruses, with a product or a site.

    Without either it must be said as people do not say it, because they have viruses, too, and check their mails.
    """
    sites, text = hosts(text), without_links(text, r" \1 ")
    virus, product = _VIRUS.search(text), _PRODUCT.search(text)
    if not (virus or product or _CHECKED.search(text)) or "?" in text or speaks(text, _NOT_OF_A_NOTICE):
        return False
    is_named = product and any(product[0].replace(" ", "") in host for host in sites)
    if is_named or _BY.search(text) or (virus and len(sites) >= _MOST_BUTTONS):
        return True
    has_site = bool(DOMAIN.search(text)) and bool(_CHECKED.search(text) or (virus and product))
    return bool(virus or product) and (has_site or bool(_PASSIVE.search(text)))


_LEGAL = (
    re.compile(rf"{_MAIL.pattern}|communica|comunica|mitteilung|informa[tzc]i"),
    re.compile(  # it is secret
        r"confiden|privileged|vertraulich|vertrouwelijk|riservat|konfiden|fortrolig|poufn|luottamuksel|důvěrn|dôvern|"
        r"bizalmas|gizli|εμπιστευτικ|секретн|конфиденц|конфіденц|поверит|povjerlj|zaupn|机密|機密|保密|秘密|기밀|"
        r"비밀|סודי|חסוי|"
        r"سري|proprietary|legally protected|disclaimer|sole use|nur für den|ausschließlich für",
    ),
    re.compile(  # it is for somebody
        r"recipient|addressee|intended (?:only|solely|for|exclusively)|empfänger|adress?[aá]t|destinata|destinatá|"
        r"geadresseerde|"
        r"ontvanger|mottaga|mottake|modtager|odbiorc|vastaanottaj|příjemc|príjemc|címzett|alıcı|παραλήπτ|"
        r"получател|адресат|одержувач|primatelj|prejemnik|收件人|收信人|受信者|受取人|宛先|수신인|수신자|נמען|المستلم",
    ),
    re.compile(  # what others must do or not do with it
        r"protegid\w por lei|protected by law|gesetzlich geschützt|renonce|waive|notify|delete|destroy|disclos|"
        r"disseminat|distribut|unauthori[sz]ed|prohibited|proibi|prohíb|forbidden|verboden|verboten|informieren|"
        r"benachrichtig|"
        r"lösch|vernicht|unbefugt|untersagt|avertir|détrui|supprim|interdit|notifi|elimin|borre|prohibi|avvis|cancell|"
        r"distrugg|vietat|verwijder|vernietig|rader|förstör|slet|usun|zniszcz|zawiadom|poist|smaž|vymaž|töröl|"
        r"sil(?:in|iniz)|"
        r"διαγρ|удалит|уничтож|уведом|видал|apag|elimine|obriš|izbriš|删除|刪除|削除|破棄|삭제|מחק|حذف",
    ),
)
_FORBIDS = re.compile(
    r"prohibit|unauthori[sz]ed|untersagt|unbefugt|interdit|prohib|vietat|proibi|verboden|zabron|запрещ|verboten|"
    r"forbidden"
)
_PRINTED = (  # "think of the environment before you print this mail"
    re.compile(
        r"environment|umwelt|environnement|medio ?ambiente|ambiente|milieu|miljö|miljø|środowisk|природ|environ|"
        r"ympäristö|"
        r"životní prostředí|környezet|çevre|περιβάλλον|环境|環境|환경"
    ),
    re.compile(
        r"print|druck|imprim|stamp|afdruk|skriv ut|skriver ut|drukow|печат|распечат|tulost|tisk|nyomtat|yazdır|εκτυπ|"
        r"打印|印刷|인쇄"
    ),
)
_COMPANY = re.compile(  # what is said of a company
    r"\bhrb ?\d|\bgmbh\b|\bltd\b|\bb\.?v\.|s\.?r\.?l\.|sp\. z o|ust-?id|\bvat (?:no|reg|number|id)|registered "
    r"(?:number|office|in\b|address)|company (?:no|number|reg)|"
    r"amtsgericht|registergericht|geschäftsführ|vorsitzende[rn]? des aufsichtsrat|sitz der gesellschaft|siège social|"
    r"\bsiren\b|\bsiret\b|\bkvk\b|p\. ?iva|partita iva|\bnip\b|\bkrs\b|\bregon\b|\bcnpj\b|\bcif\b|\borg\.? ?nr|"
    r"y-tunnus|\bičo\b|\bdič\b|\bинн\b|\bогрн\b",
)
_TITLE = re.compile(
    r"(?:legal )?disclaimer|confidentiality notice|legal notice|irs circular|haftungsausschluss|aviso (?:legal|de "
    r"conf)|"
    r"avis de confidentialité|avvertenza|nota de confidencialidad|免责声明|免責事項|重要声明"
)
_PRIVACY = re.compile(
    r"datenschutz|privacy|gdpr|dsgvo|rgpd|confidentialité|privacidad|protección de datos|données personnelles|"
    r"personvern|"
    r"integritetspolicy|персональн\w{1,4} данн"
)


def is_legal(text: str) -> bool:
    """Return whether paragraphs, in lower case, are a notice of lawyers or about a company.

    That is: a mail is secret, for whom it is, and what others must do with it, or at least three of these.
    """
    size = len(text.encode())
    if len(set(_COMPANY.findall(text))) > 1 or (size > _LEAST and _TITLE.match(text)):
        return True
    if speaks(text, ONE):
        return size > _LEAST and _groups(text) == len(_LEGAL)
    if all(pattern.search(text) for pattern in _PRINTED):
        return bool(_MAIL.search(text))
    if _PRIVACY.search(text) and hosts(text):
        return True
    is_strict = _LEGAL[1].search(text) or _FORBIDS.search(text)
    enough = len(_LEGAL) - (bool(is_strict) and not speaks(text, OWN))
    return size > (_LEAST if _LEGAL[2].search(text) else _LEAST_TO_NOBODY) and _groups(text) >= enough


def may_be_legal(text: str) -> bool:
    """Return whether a paragraph, in lower case, can be a part of a notice of lawyers."""
    return any(pattern.search(text) for pattern in _LEGAL[1:]) and not speaks(text, _NOT_OF_A_NOTICE)


def may_be_notice(line: str) -> bool:
    """Return whether a line, in lower case, can be one of a notice: it has a word of one, or is a link alone."""
    if speaks(line, _NOT_OF_A_NOTICE):
        return False
    is_part = any(pattern.search(line) for pattern in (_VIRUS, _PRODUCT, _COMPANY))
    return is_part or not without_links(line, "").strip()


def _groups(text: str) -> int:
    return sum(bool(pattern.search(text)) for pattern in _LEGAL)
