"""A certificate authority asks below /.well-known/acme-challenge/, and gets what certbot wrote there."""

from pathlib import Path

import pytest

from tests.web.browser import browse
from tests.world import World

ASKED = "/.well-known/acme-challenge/"


@pytest.mark.parametrize(
    ("token", "status"),
    [("abc_-9", 200), ("missing", 404), ("..%2f..%2fsecret", 404), ("%2e%2e", 404), ("a" * 300, 404)],
)
def test_only_answers_of_the_folder_are_given(world: World, tmp_path: Path, token: str, status: int) -> None:
    folder = tmp_path / ASKED.strip("/")
    folder.mkdir(parents=True)
    (folder / "abc_-9").write_text("abc_-9.thumbprint")
    (tmp_path / "secret").write_text("secret")
    world.allow(acme_folder=str(tmp_path))
    with browse(world) as pages:
        page = pages.get(f"{ASKED}{token}")
    assert page.status_code == status
    assert (page.text == "abc_-9.thumbprint") == (status == 200)
    assert "secret" not in page.text


def test_without_a_folder_there_is_no_answer(world: World) -> None:
    with browse(world) as pages:
        assert pages.get(f"{ASKED}abc").status_code == 404
