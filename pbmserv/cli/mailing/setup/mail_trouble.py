"""What went wrong with a mail server, in words, and what to try."""

import re

from pbmserv.cli.mailing.setup.providers import MailProvider

_LOGIN = r"login|log in|authenticat|password|\(53[0-9]\)"
#: What stands in the words of the system or of a server -> what to try.
_ADVICE = {
    _LOGIN: (
        "Check user and password. Many providers want an app password, which you make on their pages, and some must be "
        "told first to let programs in."
    ),
    r"name or service|not known|nodename|no address|name resolution": (
        "There is no such host, or this machine has no DNS. Check how it is written."
    ),
    r"nonexistent|no such mailbox|mailbox (?:does not|doesn't) exist|unknown mailbox": (
        "There is no such folder. Write it as the provider calls it: at some, all folders begin with INBOX."
    ),
    r"certificate|hostname": (
        "The certificate is not valid for this host. Write the name that the provider gives, and no number. "
        "SSL_CERT_FILE adds a certificate of your own."
    ),
    r"wrong version|ssl|tls|eof|record layer": (
        "This port does not begin with TLS. Leave the port away, or take 993 for IMAP, and 465 or 587 for submission."
    ),
    r"refused|reset|connect call failed": (
        "Nothing takes connections there. Check host and port: 993 for IMAP, 465 or 587 for submission."
    ),
    r"timed out|timeout|unreachable|no route": (
        "No answer comes. A firewall, or the provider of this machine, may close this port: most cloud machines cannot "
        "use port 25. Take the submission of a provider (465 or 587)."
    ),
}


def with_advice(trouble: str, known: MailProvider | None = None) -> str:
    """Return what went wrong, with what to try."""
    trouble = trouble.rstrip(".")
    words = next((words for words in _ADVICE if re.search(words, trouble, re.IGNORECASE)), None)
    if words is None:
        return f"{trouble}."
    return f"{trouble}.\n   {f'{known.name}: {known.login}.' if known and words is _LOGIN else _ADVICE[words]}"
