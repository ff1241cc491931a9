"""What mailers and lists put around a subject: `Re:` in any language, [tags], `(fwd)`."""

import re

# Reply and forward prefixes; commands have no colon, so none of these can be the beginning of one.
_PREFIXES = {
    "English, and most others": "re fw fwd",
    "German": "aw antwort wg",
    "Dutch": "antw doorst",
    "Swedish, Danish, Norwegian, Finnish, Icelandic": "sv vb vs vl fs",
    "French": "tr rép réf",
    "Spanish": "rv rm",
    "Portuguese": "res enc",
    "Italian": "r rif i",
    "Polish": "odp pd",
    "Russian": "отв ответ на ha пересл",
    "Chinese": "回复 回覆 答复 答覆 转发 轉寄 轉發",
    "Japanese": "返信 転送",
    "Korean": "회신 답장 전달",
    "Croatian, Serbian": "odg",
    "Hungarian": "vá továbbítás",
    "Turkish": "ynt ilt i̇lt",
    "Lithuanian": "ats",
    "Indonesian": "bls trs",
    "Welsh": "atb yml",
    "Greek": "απ πρθ σχετ",
    "Hebrew": "השב הועבר",
}
# Counted forms: Re[2]: Re(2): Re^2: Re*2:
_COUNT = r"(?: ?[\[(]\d{1,3}[\])]|[*^]\d{1,3})?"
_PREFIX = re.compile(rf"(?:{'|'.join(' '.join(_PREFIXES.values()).split())}){_COUNT} ?[:：] ?", re.I)
_TAG = re.compile(r"\[[^\[\]]{1,60}\] ?")
_BRACKETED = re.compile(rf"\[(?={_PREFIX.pattern})(.*)\]", re.I)
_FORWARDED = re.compile(r" ?\(fwd\)$", re.I)


def strip(subject: str) -> str:
    """A decoded, clean subject without what was put before and behind it on its way."""
    if whole := _BRACKETED.fullmatch(subject):  # [Fwd: subject]
        subject = whole[1]
    start = 0
    while match := _PREFIX.match(subject, start) or _TAG.match(subject, start):
        start = match.end()
    subject = subject[start:].rstrip()
    while match := _FORWARDED.search(subject):
        subject = subject[: match.start()]
    return subject
