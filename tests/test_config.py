"""Settings that are refused, and the secret key that is made at the first start."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pydantic import ValidationError

from pbmserv.cli.checking import checks
from pbmserv.config import Config
from pbmserv.mail.smtp.client import Target
from pbmserv.mail.smtp.relay import read_target


@pytest.mark.parametrize("url", ["sqlite:///", "sqlite:///:memory:", "sqlite:///var/pbmserv.db?mode=ro"])
def test_a_database_must_be_a_file(url: str) -> None:
    with pytest.raises(ValidationError, match="must be sqlite:///folder/file"):
        Config(database_url=url)


@pytest.mark.parametrize("days", [-1, 0.5, float("inf"), float("nan")])
@pytest.mark.parametrize("name", ["retention_days", "letters_days"])
def test_nothing_is_forgotten_at_once(name: str, days: float) -> None:
    with pytest.raises(ValidationError, match=name):
        Config(**{name: days})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "address",
    ["pbmserv", "@games.example", "pbm+serv@games.example", "PBM <p@games.example>", "p q@example", "a" * 21 + "@b"],
)
def test_the_service_address_is_an_address_alone(address: str) -> None:
    with pytest.raises(ValidationError, match="must be name@domain"):
        Config(address=address)


@pytest.mark.parametrize("operator", ["", "owner@elsewhere.example", "owner@games.example"])
def test_the_operator_has_an_address_elsewhere(operator: str) -> None:
    config = Config(address="pbm@games.example", operator=operator)  # type: ignore[call-arg]  # of Policy
    assert config.policy.operator == operator


@pytest.mark.parametrize(
    "operator", ["owner", "a@b.example, c@d.example", "PBM@games.example", "pbm+x@games.example", "abuse@games.example"]
)
def test_an_operator_to_whom_mail_would_come_back_is_refused(operator: str) -> None:
    with pytest.raises(ValidationError, match="PBMSERV_OPERATOR must be"):
        Config(address="pbm@games.example", operator=operator)  # type: ignore[call-arg]  # of Policy


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("", ""),
        ("https://pbm.example.org", "https://pbm.example.org"),
        ("https://pbm.example.org/", "https://pbm.example.org"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
    ],
)
def test_web_pages_are_at_the_root_of_a_site(url: str, kept: str) -> None:
    assert Config(web_url=url).policy.web_url == kept  # type: ignore[call-arg]  # of Policy


@pytest.mark.parametrize(
    "url",
    [
        "pbm.example.org",
        "/boards",
        "ftp://pbm.example.org",
        "https://",
        "https://pbm.example.org/games",
        "https://pbm.example.org?x=1",
        "https://pbm.example.org#top",
        "https://me:secret@pbm.example.org",
        "https://pbm.example.org:port",
        "https://pbm.example.org:99999",
        "https://[::1",
        "https://pbm.example.org\nX: y",
        "https://p\u00f6m.example",
    ],
)
def test_other_places_of_web_pages_are_refused(url: str) -> None:
    with pytest.raises(ValidationError, match="a host and nothing behind it"):
        Config(web_url=url)  # type: ignore[call-arg]  # of Policy


@pytest.mark.parametrize(
    ("value", "keys"),
    [
        ("", ()),
        ("chess", ("chess",)),
        (" Go, reversi ,othello,", ("go", "othello")),
        ("chess,tripletown", ("chess", "town")),
    ],
)
def test_games_are_chosen_by_keys_and_aliases(
    value: str, keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBMSERV_GAMES", value)
    assert Config().policy.games == keys


def test_a_game_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValidationError, match=r"there is no game whist, 3town; the games are tumble, .*chess"):
        Config(games=("chess", "whist", "3town"))


class TestTheSecretKey:
    @pytest.fixture
    def config(self, tmp_path: Path) -> Config:
        return Config(database_url=f"sqlite:///{tmp_path}/new/pbmserv.db")

    def test_is_made_once_for_its_owner_only(self, config: Config) -> None:
        key = config.key()
        assert len(key) == 64
        assert config.key() == key
        assert config.key_file
        assert config.key_file.stat().st_mode & 0o777 == 0o600
        assert os.listdir(config.key_file.parent) == ["pbmserv.key"]

    def test_is_never_there_without_its_content(self, config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
        file, sync, looks = config.key_file, os.fsync, list[bool]()
        assert file

        def look(handle: int) -> None:
            looks.append(file.exists())
            sync(handle)

        monkeypatch.setattr(os, "fsync", look)
        config.key()
        assert looks[0] is False

    def test_of_another_process_that_was_faster_counts(self, config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
        file, sync = config.key_file, os.fsync
        assert file

        def overtake(handle: int) -> None:
            sync(handle)
            file.write_text("of the other\n")

        monkeypatch.setattr(os, "fsync", overtake)
        assert config.key() == b"of the other"
        assert os.listdir(file.parent) == [file.name]

    def test_that_is_empty_is_none(self, config: Config) -> None:
        assert config.key_file
        config.key_file.parent.mkdir()
        config.key_file.touch()
        with pytest.raises(ValueError, match="is empty: put"):
            config.key()


@pytest.mark.parametrize(
    "listener", ["lmtp://127.0.0.1:2424", "smtp://mail.local:25", "lmtp+unix:///run/pbmserv/lmtp.sock"]
)
def test_what_is_posted_is_handed_to_a_listener(listener: str) -> None:
    config = Config(web_url="https://pbm.example.org", web_listener=listener)  # type: ignore[call-arg]  # of Policy
    assert config.policy.web_listener == listener


def test_an_old_name_of_a_setting_is_read_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBMSERV_WEB_URL", "https://pbm.example.org")
    monkeypatch.setenv("PBMSERV_ONE_CLICK", "lmtp://127.0.0.1:2424")
    config = Config()
    assert config.policy.web_listener == "lmtp://127.0.0.1:2424"
    told = [(f.said, f.advice) for f in checks.exposed(config)]
    assert ("PBMSERV_ONE_CLICK has another name now", "write PBMSERV_WEB_LISTENER") in told
    monkeypatch.setenv("PBMSERV_WEB_LISTENER", "lmtp://127.0.0.1:2525")
    assert Config().policy.web_listener == "lmtp://127.0.0.1:2525"


@pytest.mark.parametrize(
    ("web_url", "listener", "said"),
    [
        ("", "lmtp://127.0.0.1:2424", "PBMSERV_WEB_LISTENER needs PBMSERV_WEB_URL=https://"),
        ("http://pbm.example.org", "lmtp://127.0.0.1:2424", "PBMSERV_WEB_LISTENER needs PBMSERV_WEB_URL=https://"),
        ("https://pbm.example.org", "yes", "write smtp://host:port"),
        ("https://pbm.example.org", "https://elsewhere.example/", "write smtp://host:port"),
    ],
)
def test_posts_need_safe_pages_and_a_listener(web_url: str, listener: str, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Config(web_url=web_url, web_listener=listener)  # type: ignore[call-arg]  # of Policy


def test_a_password_comes_from_a_file_of_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    (tmp_path / "pbmserv_relay_password").write_text("sword/fish@home\n")
    config = Config(relay="smtps://club@example.org@smtp.gmail.com")
    target = read_target(config.relay)
    assert target == Target("smtps", "smtp.gmail.com", 465, "club@example.org", "sword/fish@home")
    assert config.policy.letters_a_day == 500
    chosen = Config(relay="smtps://x@smtp.gmail.com", letters_a_day=0)  # type: ignore[call-arg]  # of Policy
    assert chosen.policy.letters_a_day == 0


def test_a_variable_goes_before_a_credential_and_this_before_our_own_secret_and_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own, credential = (tmp_path / folder / "pbmserv_mailbox_password" for folder in ("pbmserv.secrets", "credentials"))
    (tmp_path / "pbmserv.toml").write_text('mailbox_password = "of the file"\n')
    assert Config().mailbox_password == "of the file"
    own.parent.mkdir()
    own.write_text("our own\n")
    assert Config().mailbox_password == "our own"
    (finding,) = checks.files(Config())
    assert (finding.status, finding.advice) == ("failed", f"chmod 600 {own}")
    credential.parent.mkdir()
    credential.write_text("of systemd\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(credential.parent))
    assert Config().mailbox_password == "of systemd"
    monkeypatch.setenv("PBMSERV_MAILBOX_PASSWORD", "of the variable")
    assert Config().mailbox_password == "of the variable"


@pytest.mark.parametrize("relay", ["smtp://127.0.0.1:25", "smtps://me:mine@smtp.example.org", "maildir:letters"])
def test_a_password_for_a_relay_without_a_login(relay: str) -> None:
    with pytest.raises(ValidationError, match="is for a relay such as smtps://me") as caught:
        Config(relay=relay, relay_password="swordfish")
    assert "swordfish" not in str(caught.value)


def test_a_secret_with_an_unknown_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    (tmp_path / "pbmserv_relay_pasword").write_text("swordfish")
    (tmp_path / "of-another-service").write_text("x")
    with pytest.raises(ValidationError, match=r"Did you mean PBMSERV_RELAY_PASSWORD\?"):
        Config()


@pytest.mark.parametrize(
    ("settings", "logins"),
    [
        ({"mailbox": "imaps://club@x.example@imap.gmail.com"}, ["club@x.example program oauth2.googleapis.com"]),
        ({"relay": "smtps://a%40x.example@smtp.office365.com"}, ["a@x.example program login.microsoftonline.com"]),
        (
            {"mailbox": "imaps://a@imap.gmail.com", "relay": "smtps://b:word@mx.example"},
            ["a program oauth2.googleapis.com"],
        ),
        (
            {"mailbox": "imaps://a@imap.gmail.com", "relay": "smtps://a@smtp.gmail.com"},
            ["a program oauth2.googleapis.com"],
        ),
        (
            {"mailbox": "imaps://a@imap.gmail.com", "relay": "smtps://b@smtp.gmail.com"},
            ["a program oauth2.googleapis.com", "b program oauth2.googleapis.com"],
        ),
        (
            {
                "mailbox": "imaps://a@imap.gmail.com",
                "relay": "smtps://b@smtp.office365.com",
                "relay_oauth": {"client": "other", "token_url": "https://l.example/t"},
            },
            ["a program oauth2.googleapis.com", "b other l.example"],
        ),
        ({"mailbox": "imaps://a@imap.gmail.com", "mailbox_password": "word"}, []),
        ({"relay": "smtps://b:word@smtp.gmail.com"}, []),
        ({"relay": "smtp://b@smtp.gmail.com"}, []),
    ],
)
def test_who_logs_in_without_a_password(settings: dict[str, Any], logins: list[str]) -> None:
    config = Config(oauth_client="program", oauth_secret="word", **settings)
    told = [f"{one.user} {one.client} {urlsplit(one.provider.token_url).hostname}" for one in config.logins]
    assert told == logins
    assert "word" not in repr(config.logins)


def test_one_user_has_one_login() -> None:
    with pytest.raises(ValidationError, match="PBMSERV_RELAY_OAUTH is for a user of the relay"):
        Config(
            oauth_client="program",
            mailbox="imaps://a@imap.gmail.com",
            relay="smtps://a@smtp.office365.com",
            relay_oauth={"client": "other"},
        )


def test_a_login_at_a_provider_that_is_not_known() -> None:
    with pytest.raises(ValidationError, match="in PBMSERV_RELAY_OAUTH, the same there"):
        Config(relay="smtps://club@mail.example", relay_oauth={"client": "program"})
    with pytest.raises(ValidationError, match="PBMSERV_OAUTH_TOKEN_URL, PBMSERV_OAUTH_SCOPES"):
        Config(oauth_client="program", mailbox="imaps://club@mail.example")
    urls = {"oauth_token_url": "https://l.example/t", "oauth_login_url": "https://l.example/l", "oauth_scopes": "mail"}
    assert Config(oauth_client="program", mailbox="imaps://club@mail.example", **urls).logins  # type: ignore[arg-type]
