"""`pbmserv settings`: which settings are in force, and where each comes from."""

from __future__ import annotations

import re

from pbmserv.cli.terminal.console import AsJson, listing, load_config

_SECRET = ("secret_key", "relay_password", "mailbox_password", "inbound_key", "oauth_secret", "relay_oauth")
_LOGIN = re.compile(r"//.*@")  #: user and password in a URL; a password may have an @ in it
_QUERY = re.compile(r"(password=)[^&\s]*", re.IGNORECASE)


def settings(as_json: AsJson = False) -> None:
    """List the settings in force, and where each comes from: a variable, a secret, pbmserv.toml, or the default.

    Secrets are shown as set or not set.

    For example: pbmserv settings --json
    """
    config = load_config()
    sources = _sources()
    rows = [
        {"setting": f"PBMSERV_{name.upper()}", "value": shown(name, value), "from": sources.get(name, "default")}
        for name, value in sorted((config.model_dump() | {"letters_a_day": config.policy.letters_a_day}).items())
    ]
    listing(rows, {key: key for key in ("setting", "value", "from")}, as_json)


def shown(name: str, value: object) -> str:
    """Return a value as it may be read by others: without passwords and keys."""
    if name in _SECRET:
        return "set" if value else "not set"
    text = ",".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
    return _QUERY.sub(r"\1***", _LOGIN.sub("//***@", text))


def _sources() -> dict[str, str]:
    """Where the settings that are no defaults come from. A variable comes before the files."""
    import tomllib

    from pbmserv.config import PREFIX, secret_files, settings_file, variables

    file = settings_file()
    sources = {name.lower(): str(file) for name in tomllib.loads(file.read_text())} if file else {}
    others = {file.name: str(file) for file in secret_files()} | {name: f"variable {name}" for name in variables()}
    return sources | {name.upper().removeprefix(PREFIX).lower(): source for name, source in others.items()}
