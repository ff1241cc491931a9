"""The signs that programs put where a picture was: `[cid:1.png@2]`, `<image001.png>`."""

import re
from itertools import islice

_OPEN = ("[", "<", "(", "!", "I", "i")
_MOST = 500  # lines that may be such a sign and are looked at, each in some microseconds
_CID = re.compile(r"[\[<]cid:[^\s\[\]<>]{1,200}[\]>](?:<https?://[^\s<>]{1,1000}>)?", re.I)
_PICTURE = re.compile(
    r"[\[<(]{1,2}(?:(?:(?:an?|une?|eine?|una) )?(?:inline |embedded )?"
    r"(?:image|picture|logo|description|icon|graphic|photo|img|bild\w*|imagen|immagine|afbeelding|obraz|изображение|"
    r"图片|画像)\b ?"
    r"(?:\d{0,3}|(?:ole object|removed by sender|containing|contenant|mit|que contiene|contenente)[^\[\]<>]{0,200})\.?"
    r"(?:: ?[^\[\]<>]{0,200})?|signature_\d{1,20}|\.\.\.ole_obj\.\.\."
    r"|[^\[\]<>()@]{1,200}\.(?:png|jpe?g|gif|bmp|svg|webp|heic|tiff?|emz|"
    r"wmz)(?:@[\w.]{1,60})?)[\])>]{1,2}(?:<https?://[^\s<>]{1,1000}>)?"
    r"|\[[^\[\]\n]{1,500}\]<https?://[^\s<>]{1,1000}>|\[https?://[^\s\[\]]{1,500}\](?:<https?://[^\s<>]{1,1000}>)?|![\w.-]{1,80}\.(?:png|jpe?g|gif)(?:\|"
    r"[\w=,]{1,40})?!"
    r"|inline[- ](?:image|bild|afbeelding|imagen) ?\d{1,3}",
    re.I,
)
_BETWEEN, _MOST_SIGNS = re.compile(r"(?<=[>\])]) +(?=[<\[(])"), 9  # signs side by side: links to several sites
_DESCRIBED = re.compile(  # by Outlook, on one line or over two
    r"^\[[^\[\]\n]{1,200}(?:\n{1,2}[^\[\]\n]{0,80})?"
    r"(?:automati[^\[\]\n]{0,40}gener|gener[^\[\]\n]{0,40}automati|généré)[^\[\]\n]{0,40}\]$",
    re.M | re.I,
)


def without_pictures(text: str) -> str:
    """Return `text` without the signs that stand for pictures: `[cid:1.png@2]`, a line `<image001.png>`."""
    if "cid:" in text:
        text = _CID.sub("", text)
    if "]" in text:
        text = _DESCRIBED.sub("", text)
    if not any(sign in text for sign in (*_OPEN[:4], "nline")):
        return text
    lines = text.split("\n")
    maybe = (at for at, line in enumerate(lines) if line.lstrip()[:1] in _OPEN)
    for at in islice(maybe, _MOST):
        signs = _BETWEEN.split(lines[at].strip(), _MOST_SIGNS)
        lines[at] = "" if all(map(_PICTURE.fullmatch, signs)) else lines[at]
    return "\n".join(lines)
