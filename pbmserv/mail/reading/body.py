"""The text of a mail: which parts hold it."""

from pbmserv.mail.reading import bounds, markup
from pbmserv.mail.reading.mime import Part

_CLOSED = (
    "multipart/encrypted",
    "application/pkcs7-mime",
    "application/x-pkcs7-mime",
    "application/ms-tnef",
    "application/vnd.ms-tnef",
)


def text(root: Part) -> str:
    """What the sender's mailer sent as text, quotes included. Raises Unreadable and TooLarge.

    The first text part decides. If it is plain, so are the others that belong to it (Apple Mail divides a text around
    a picture); if it is HTML, what follows is what a list or a virus scanner added.
    """
    leaves = [leaf for leaf in _leaves(root) if not _is_blank(leaf)]
    if leaves and leaves[0].kind == "text/plain":
        leaves = [leaf for leaf in leaves if leaf.kind == "text/plain"]
    joined = "\n\n".join(_words(leaf).strip("\n") for leaf in leaves)
    bounds.check("bytes of text", len(joined.encode()), bounds.TEXT)
    return joined


def is_closed(root: Part) -> bool:
    """Whether a part is encrypted, opaque S/MIME or Microsoft's winmail.dat."""
    return root.kind in _CLOSED or root.param("name").lower() == "winmail.dat" or any(map(is_closed, root.children))


def _leaves(root: Part) -> list[Part]:
    """The text parts that a mailer would show, in order; of alternatives the plain one if it says anything."""
    if root.kind == "multipart/signed":
        return _shown(root.children[:1])  # RFC 1847: the signed part comes first
    if root.kind != "multipart/alternative":
        return _shown(root.children) or ([root] if root.kind in ("text/plain", "text/html") else [])
    found = _shown(root.children)
    plain = [leaf for leaf in found if leaf.kind == "text/plain"]
    return plain if any(not _is_blank(leaf) for leaf in plain) else [leaf for leaf in found if leaf not in plain]


def _shown(parts: tuple[Part, ...]) -> list[Part]:
    return [leaf for part in parts if not part.is_file for leaf in _leaves(part)]


def _words(leaf: Part) -> str:
    return markup.text(leaf.text) if leaf.kind == "text/html" else leaf.text


def _is_blank(leaf: Part) -> bool:
    return leaf.kind == "text/plain" and not leaf.text.strip()
