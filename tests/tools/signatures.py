"""Find the signatures that an attacker could use if they had these bytes, but not the key."""

from pbmserv.mail.signed_addresses import Signer

_FORM = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.")
_SIGNATURE = 17  #: a dot and 16 characters


def signed_words(found: bytes, signer: Signer) -> list[str]:
    """Return every string within these bytes that is signed with our key, wherever it begins."""
    words = []
    for dot in (i for i, byte in enumerate(found) if byte == ord(".")):
        end, begin = dot + _SIGNATURE, dot
        while begin > 0 and dot - begin < 64 and found[begin - 1] in _FORM:
            begin -= 1
            if signer.verify(word := found[begin:end].decode(errors="replace")):
                words.append(word)
    return words
