"""`pbmserv settings`: every setting, its value and the place it comes from, but no secrets."""

from pathlib import Path

import pytest

from pbmserv.cli.manage.configuration import shown
from pbmserv.config import Config
from tests.cli.conftest import Desk
from tests.world import KEY


def test_each_setting_with_its_source(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("pbmserv.toml").write_text('log_level = "warning"\naddress = "other@example.org"\nroles = ["clock"]\n')
    monkeypatch.setenv("pbmserv_vacation_days", "12")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(secrets := Path("secrets").absolute()))
    secrets.mkdir()
    (secrets / "pbmserv_operator").write_text("me@elsewhere.example\n")
    monkeypatch.setenv("PBMSERV_RELAY", "smtps://me:word@smtp.gmail.com")
    found = {row["setting"]: row for row in desk.json("settings")}
    assert found.keys() == {f"PBMSERV_{name.upper()}" for name in Config.model_fields}
    file = f"{Path.cwd()}/pbmserv.toml"
    sources = {name: (row["value"], row["from"]) for name, row in found.items()}
    assert sources["PBMSERV_LOG_LEVEL"] == ("warning", file)
    assert sources["PBMSERV_ROLES"] == ("clock", file)
    assert sources["PBMSERV_ADDRESS"] == ("pbmserv@games.example", "variable PBMSERV_ADDRESS")
    assert sources["PBMSERV_VACATION_DAYS"] == ("12.0", "variable pbmserv_vacation_days")
    assert sources["PBMSERV_OPERATOR"] == ("me@elsewhere.example", f"{secrets}/pbmserv_operator")
    assert sources["PBMSERV_LETTERS_A_DAY"] == ("500", "default")
    assert sources["PBMSERV_LETTERS_DAYS"] == ("30.0", "default")
    assert sources["PBMSERV_SECRET_KEY"] == ("set", "variable PBMSERV_SECRET_KEY")
    assert KEY.decode() not in desk.run("settings").output


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("secret_key", None, "not set"),
        ("secret_key", "swordfish", "set"),
        ("database_url", "postgresql://u:swordfish@host/db", "postgresql://***@host/db"),
        (
            "database_url",
            "postgresql://host/db?user=u&password=swordfish&x=1",
            "postgresql://host/db?user=u&password=***&x=1",
        ),
        ("relay", "smtp+starttls://u@e:sword@fish@host:25", "smtp+starttls://***@host:25"),
        ("listen", ["smtp://[::1]:25", "lmtp+unix:///x"], "smtp://[::1]:25,lmtp+unix:///x"),
        ("templates", None, ""),
    ],
)
def test_no_secret_is_shown(name: str, value: object, text: str) -> None:
    assert shown(name, value) == text
