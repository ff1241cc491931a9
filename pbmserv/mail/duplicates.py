"""When two mails are the same: mail servers send one twice, and a message comes on several ways.

Two mails with the same fingerprint count once, for ever; those without Message-ID and Date, only within SAME_WITHIN.
"""

from datetime import timedelta
from hashlib import blake2b

from pbmserv.mail.reading.mime import MimePart

#: For this long, two identical mails without Message-ID and Date count as one. Mail servers try again sooner.
SAME_WITHIN = timedelta(minutes=45)
#: The header on top of a mail that a provider posted, with the words by which it proved itself, signed by us. A second
#: mail with them counts as the first, because the provider's signature says nothing of the mail.
POSTED = "X-Pbmserv-Posted"
POSTED_WITHIN = 9 * 3600  #: seconds in which a signature of Mailgun is good; it tries for eight hours


def is_dated(root: MimePart) -> bool:
    """Return whether the mail has a Message-ID or a Date, which tell it from another mail with the same text."""
    return any(map(root.values, ("message-id", "date")))


def fingerprint(root: MimePart) -> str:
    """Return 32 hex digits for one message: the same for each recipient, route and delivery.

    Without a Message-ID the subject counts, too. Otherwise two short commands without a body would be the same message.
    """
    names = ["message-id", "from", "date"] if root.values("message-id") else ["from", "date", "subject"]
    fields = "".join(f"{name}:{' '.join(value.split())}\n" for name in names for value in root.values(name))
    return blake2b(f"{fields}\n".encode() + root.body.rstrip(b"\n"), digest_size=16).hexdigest()
