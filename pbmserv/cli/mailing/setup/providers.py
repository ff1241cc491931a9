"""What is known of providers of mailboxes: where programs log in, and with which password."""

from dataclasses import dataclass

_APP = "It wants an app password, which you make there:"


@dataclass(frozen=True)
class MailProvider:
    """A provider. `imap` and `submission`: URLs without a user. `login`: which password it takes from programs."""

    name: str
    domains: tuple[str, ...]
    imap: str
    submission: str
    login: str
    is_short: bool = False  #: by IMAP, the user is only what stands before the @
    takes_passwords: bool = True  #: else only OAuth2


PROVIDERS = (
    MailProvider(
        "Gmail",
        ("gmail.com", "googlemail.com"),
        "imaps://imap.gmail.com",
        "smtps://smtp.gmail.com",
        f"{_APP} https://myaccount.google.com/apppasswords (first turn on the verification in two steps)",
    ),
    MailProvider(
        "Outlook",
        ("outlook.com", "outlook.de", "hotmail.com", "hotmail.de", "live.com", "live.de", "msn.com"),
        "imaps://outlook.office365.com",
        "smtp+starttls://smtp-mail.outlook.com",
        "It takes no passwords from programs any more, so a person logs in by OAuth2",
        takes_passwords=False,
    ),
    MailProvider(
        "GMX",
        ("gmx.de", "gmx.net", "gmx.at", "gmx.ch"),
        "imaps://imap.gmx.net",
        "smtps://mail.gmx.net",
        "Allow programs to fetch mails first (E-Mail, Einstellungen, POP3/IMAP Abruf). With the verification in two "
        "steps, it wants a password for applications",
    ),
    MailProvider(
        "GMX",
        ("gmx.com", "gmx.us", "gmx.co.uk", "gmx.fr"),
        "imaps://imap.gmx.com",
        "smtps://mail.gmx.com",
        "Allow programs to fetch mails first (E-mail, Settings, POP3 & IMAP)",
    ),
    MailProvider(
        "WEB.DE",
        ("web.de",),
        "imaps://imap.web.de",
        "smtp+starttls://smtp.web.de",
        "Allow programs to fetch mails first (E-Mail, Einstellungen, POP3/IMAP Abruf). With the verification in two "
        "steps, it wants a password for applications",
    ),
    MailProvider(
        "Fastmail",
        ("fastmail.com", "fastmail.fm"),
        "imaps://imap.fastmail.com",
        "smtps://smtp.fastmail.com",
        f"{_APP} Settings, Privacy & Security, App passwords",
    ),
    MailProvider(
        "Posteo",
        ("posteo.de", "posteo.net", "posteo.org", "posteo.eu", "posteo.at", "posteo.ch"),
        "imaps://posteo.de",
        "smtps://posteo.de",
        "It takes the password of the mailbox, unless you have turned that off in its settings",
    ),
    MailProvider(
        "mailbox.org",
        ("mailbox.org",),
        "imaps://imap.mailbox.org",
        "smtps://smtp.mailbox.org",
        "It takes the password of the mailbox, or an application password, if you have turned on two factors",
    ),
    MailProvider(
        "Yahoo",
        ("yahoo.com", "yahoo.de", "yahoo.co.uk", "yahoo.fr", "ymail.com", "rocketmail.com"),
        "imaps://imap.mail.yahoo.com",
        "smtps://smtp.mail.yahoo.com",
        f"{_APP} Account security, Generate app password",
    ),
    MailProvider(
        "iCloud",
        ("icloud.com", "me.com", "mac.com"),
        "imaps://imap.mail.me.com",
        "smtp+starttls://smtp.mail.me.com",
        f"{_APP} https://account.apple.com, Sign-In and Security",
        is_short=True,
    ),
)


def provider_of(address: str) -> MailProvider | None:
    """Return the provider of an address; None if its domain is none of a known provider."""
    domain = address.rpartition("@")[2].lower()
    return next((provider for provider in PROVIDERS if domain in provider.domains), None)
