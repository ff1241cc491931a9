"""All data of the database are text on the pages, never markup."""

from html import unescape

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from tests.web.browser import browse, links
from tests.web.filled import play_on
from tests.world import World

HOSTILE = ["<b>x<b>", '"><img src=x>', "'onload='x", "&lt;i&gt;", "a b?c#d%e", "{{ 7*7 }}", "\u202ex<u>"]
MARKUP = ("<b>x", "<img src=x", "<u>", "<i>", "'onload='")


@pytest.mark.parametrize("userid", HOSTILE)
def test_a_userid_is_text(world: World, userid: str) -> None:
    """No command makes such an account, but a restored database could have one."""
    number = world.board("alice", "bob")
    play_on(world, number, 2)
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.player).where(tables.player.c.userid == "alice").values(userid=userid))
    with browse(world) as pages:
        for path in ("/", "/boards", "/boards/101", "/boards/101/1", "/games/tumble"):
            page = pages.get(path)
            assert page.status_code == 200
            assert not any(x in page.text for x in MARKUP)
            assert userid in unescape(page.text)
        (theirs,) = {x for x in links(pages.get("/boards/101")) if x.startswith("/players/") and x != "/players/bob"}
        assert pages.get(theirs).status_code == 200
        assert "/boards/101" in links(pages.get(theirs))


def test_a_move_and_a_note_are_text(world: World) -> None:
    number = world.board("alice", game="threes")
    play_on(world, number, 2)
    with world.engine.begin() as connection:
        notes = [["<script>alert(1)</script>", None]]
        connection.execute(sa.update(tables.entry).values(text="<script>x", notes=notes))
    with browse(world) as pages:
        page = pages.get(f"/boards/{number}").text
        assert "<script" not in page
        assert page.count("&lt;script&gt;") >= 2


@pytest.mark.parametrize("words", HOSTILE)
def test_what_is_asked_for_is_text(world: World, words: str) -> None:
    with browse(world) as pages:
        for path in ("/players/{}", "/help/{}", "/games/{}", "/boards/{}", "/boards?before={}"):
            page = pages.get(path.format(words.replace("%", "%25").replace("#", "%23").replace("?", "%3F")))
            assert page.status_code == 404
            assert not any(x in page.text for x in MARKUP)
