"""A player's own page of a board: who may see it, until when, what is on it, and what can be touched."""

import random
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from pbmserv import games
from pbmserv.db import tables
from pbmserv.games.base import AnyGame
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.signed_addresses import BOARD, PAGE, UNSUBSCRIBE
from pbmserv.web.own.own_page import KEPT
from tests.examples import SOAK, spread
from tests.games.toy import TEMPLATES, Toy, installed
from tests.web.browser import browse, diagram, links, without_boards, words
from tests.web.filled import begin, play_on
from tests.web.touching import HOME, answer, own_page, touchable
from tests.world import World

LOCKED_DOWN = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-store",
    "X-Robots-Tag": "noindex, nofollow",
}


@pytest.fixture
def own(world: World) -> World:
    """A server with web pages. On board 101, alice and bob play with the corner layout."""
    world.allow(web_url=HOME)
    world.signup("alice", "bob")
    begin(world, "alice", "bob", options="c")
    return world


@pytest.fixture
def pages(own: World) -> Iterator[TestClient]:
    with browse(own) as client:
        yield client


def path(world: World, userid: str = "alice", number: int = 101) -> str:
    return own_page(world, number, userid)


class TestWhoMaySeeIt:
    def test_the_player_even_of_a_private_board(self, own: World, pages: TestClient) -> None:
        number = begin(own, "alice", "bob", private=True)
        assert pages.get(f"/boards/{number}").status_code == 403
        page = pages.get(path(own, number=number))
        assert "Your move, alice." in words(page)
        assert f"/boards/{number}" not in links(page)

    def test_nobody_with_a_link_that_we_did_not_sign(self, own: World, pages: TestClient) -> None:
        mine, sign = path(own), own.site.signer.signed
        number, seat, code = own.site.signer.verify(mine.rpartition("/")[2]).numbers  # type: ignore[union-attr]
        forged = [
            f"{mine[:-1]}{'a' if mine[-1] != 'a' else 'b'}",
            mine[:-1],
            f"{mine}x",
            mine.replace("p101.0.", "p101.1."),
            mine.replace("p101.", "p102."),
            f"/my/{sign(BOARD, number, seat, code)}",
            f"/my/{sign(UNSUBSCRIBE, number, seat)}",
            f"/my/{sign(PAGE, 999, 0, code)}",
            f"/my/{sign(PAGE, number, 7, code)}",
            f"/my/p{'1' * 10_000}.abcdefghijklmnop",
            "/my/x",
        ]
        unknown = pages.get("/nowhere")
        for there in forged:
            page = pages.get(there)
            assert (page.status_code, page.text) == (404, unknown.text), there

    def test_each_seat_sees_what_it_may_and_no_more(self, own: World, pages: TestClient) -> None:
        mine, theirs = pages.get(path(own)), pages.get(path(own, "bob"))
        assert "Your move, alice." in words(mine)
        assert "It is alice's turn." in words(theirs)
        assert touchable(mine).cells
        assert not touchable(theirs).cells

    def test_nobody_with_a_link_from_before_a_new_password(self, own: World, pages: TestClient) -> None:
        before = path(own)
        own.mail("alice", "change password alice alice-secret another-secret")
        page = pages.get(before)
        assert page.status_code == 410
        assert "the player has set another password" in words(page)
        assert pages.get(path(own)).status_code == 200
        own.mail("alice", "set alice another-secret language=de")
        assert "Der nächste Brief hat einen neuen Link." in words(pages.get(before))

    @pytest.mark.parametrize("plus", [True, False])
    def test_a_board_that_is_over_begins_again_by_touching(self, own: World, plus: bool) -> None:
        own.allow(plus=plus)
        mine = path(own)
        own.mail("bob", "tumble resign 101 bob bob-secret")
        with browse(own) as pages:
            touched = [made for uri in touchable(pages.get(mine)).below.values() if (made := answer(uri))]
        assert {"+" in made.to for made in touched} == {plus}
        assert [made.line for made in touched] == ["rematch", "substitute"]
        own.mail("alice", touched[0].subject, touched[0].line, to=touched[0].to)
        assert [p.userid for p in own.row(102).players] == ["bob", "alice"]

    def test_a_seat_that_somebody_left_is_free_for_seven_days(self, own: World, pages: TestClient) -> None:
        mine = path(own)
        own.mail("bob", "tumble resign 101 bob bob-secret")
        own.signup("carol")
        touched = [made for uri in touchable(pages.get(mine)).below.values() if (made := answer(uri))]
        own.mail("alice", touched[1].subject, touched[1].line, to=touched[1].to)
        own.now += timedelta(days=7, minutes=1)
        assert "substitute" not in pages.get(mine).text
        own.now -= timedelta(days=7)
        own.mail("carol", "tumble join 1 carol carol-secret")
        assert "substitute" not in pages.get(mine).text
        assert "Goes on with a substitute, on board 102" in words(pages.get("/boards/101"))
        told = "Goes on from board 101 after ply 0, where bob had the seat of carol"
        assert told in words(pages.get("/boards/102"))

    def test_nobody_with_a_link_of_a_player_who_has_left(self, own: World, pages: TestClient) -> None:
        before = path(own)
        own.mail("alice", "signoff alice alice-secret")
        for link in (before, path(own)):
            page = pages.get(link)
            assert page.status_code == 410
            assert "or the account is closed or locked." in words(page)

    def test_until_thirty_days_after_the_board(self, own: World, pages: TestClient) -> None:
        mine = path(own)
        own.mail("bob", "tumble resign 101 bob bob-secret")
        over = own.row().over
        assert over
        own.now = over + KEPT
        assert "The board is over: alice wins" in words(pages.get(mine))
        assert not touchable(pages.get(mine)).cells
        own.now += timedelta(minutes=1)
        page = pages.get(mine)
        assert page.status_code == 410
        assert "This board ended more than 30 days ago" in words(page)

    def test_nobody_where_the_operator_wants_no_such_pages(self, own: World) -> None:
        mine = path(own)
        own.allow(web_url="")
        with browse(own) as pages:
            page = pages.get(mine)
        assert page.status_code == 404
        assert "The operator of this server has not set PBMSERV_WEB_URL" in words(page)


class TestNobodyKeepsIt:
    def test_the_page_and_all_that_is_said_in_its_place(self, own: World) -> None:
        mine = path(own)
        with browse(own, raise_server_exceptions=False) as pages:
            found = [pages.get(x) for x in (mine, f"{mine}/0", f"{mine}/7", f"{mine}x", "/my/x", f"{mine}/x")]
            found += [pages.head(mine), pages.post(mine)]
            with without_boards(own):
                found.append(pages.get(mine))
            with own.engine.begin() as connection:
                connection.execute(sa.update(tables.board).values(position="{"))
            found.append(pages.get(mine))
        assert [page.status_code for page in found] == [200, 200, 404, 404, 404, 404, 200, 404, 503, 500]
        for page in found:
            assert {name: page.headers[name] for name in LOCKED_DOWN} == LOCKED_DOWN
            assert "ETag" not in page.headers
            assert "Set-Cookie" not in page.headers

    def test_head_is_get_without_the_page(self, own: World, pages: TestClient) -> None:
        head, get = pages.head(path(own)), pages.get(path(own))
        assert dict(head.headers) == dict(get.headers)
        assert head.content == b""

    def test_no_search_engine(self, own: World, pages: TestClient) -> None:
        assert '<meta name="robots" content="noindex, nofollow">' in pages.get(path(own)).text
        assert "Disallow: /my/" in pages.get("/robots.txt").text

    def test_no_page_of_others_links_it(self, own: World, pages: TestClient) -> None:
        for there in ("/", "/boards", "/boards/101", "/players/alice", "/help"):
            assert "/my/" not in pages.get(there).text

    def test_no_message_of_an_error_has_its_words(self, own: World, pages: TestClient) -> None:
        mine = path(own)
        own.mail("alice", "change password alice alice-secret another-secret")
        for there in (mine, f"{mine}/1", f"{mine}x", f"{mine}/x"):
            assert mine.rpartition("/")[2] not in pages.get(there).text


class TestWhatItShows:
    def test_every_ply_and_the_way_back(self, own: World, pages: TestClient) -> None:
        play_on(own, 101, 3)
        mine = path(own, "bob")
        first = pages.get(f"{mine}/1")
        assert "After ply 1. Your move, bob." in words(first)
        assert "Ply 1 of 3" in words(first)
        assert {f"{mine}/{ply}" for ply in (0, 2, 3)} <= set(links(first))
        assert mine in links(first)
        assert not touchable(first).cells
        assert touchable(pages.get(f"{mine}/3")).cells

    def test_until_when_to_move_in_the_time_zone_of_the_reader(self, own: World, pages: TestClient) -> None:
        own.mail("alice", "set alice alice-secret timezone=Europe/Berlin")
        assert "Move by Sunday, 22 March, 13:00 CET." in words(pages.get(path(own)))

    def test_what_a_word_costs(self, own: World, pages: TestClient) -> None:
        page = pages.get(path(own)).text
        assert 'title="You lose the board, and you cannot take that back.">resign</a>' in page
        assert 'title="The board ends, and nobody wins or loses.">decline</a>' in page

    def test_a_proposal_and_its_answers(self, own: World, pages: TestClient) -> None:
        own.mail("alice", "tumble propose 101 alice alice-secret")
        page = pages.get(path(own, "bob"))
        assert "alice offers a draw." in words(page)
        made = answer(touchable(page).below["accept"])
        assert made
        own.mail("bob", made.subject, made.line, to=made.to)
        result = own.row().board.result
        assert result
        assert result.reason == "agreed"

    def test_a_rematch_when_the_board_is_over(self, own: World, pages: TestClient) -> None:
        own.mail("bob", "tumble resign 101 bob bob-secret")
        made = answer(touchable(pages.get(path(own))).below["rematch"])
        assert made
        own.mail("alice", made.subject, made.line, to=made.to)
        assert own.row(102).rematch_of == 101

    def test_words_for_readers_whose_letters_are_in_words(self, own: World, pages: TestClient) -> None:
        own.mail("alice", "set alice alice-secret mail=spoken")
        mine = path(own)
        page = pages.get(mine)
        assert "<svg" not in page.text
        assert "H4" in touchable(page).below
        step = pages.get(touchable(page).below["H4"])
        assert any(answer(uri) for uri in touchable(step).below.values())
        assert "<svg" in pages.get(f"{mine}?display=picture").text
        assert pages.get(f"{mine}?display=nothing").status_code == 404

    def test_the_board_can_be_turned(self, own: World, pages: TestClient) -> None:
        mine = path(own)
        (turn,) = (x for x in links(pages.get(mine)) if "turn=" in x)
        usual, turned = list(_order(pages, mine)), list(_order(pages, turn))
        assert len(usual) == 64
        assert turned == usual[::-1]

    @pytest.mark.slow
    def test_own_men_are_at_the_bottom_for_those_who_want_it(self, own: World, pages: TestClient) -> None:
        for userid in ("alice", "bob"):
            own.mail(userid, f"set {userid} {userid}-secret turn=on")
        usual = list(_order(pages, path(own)))
        assert usual[0] == "a8"
        play_on(own, 101, 1)
        assert list(_order(pages, path(own, "bob"))) == usual[::-1]
        (back,) = (x for x in links(pages.get(path(own, "bob"))) if "turn=" in x)
        assert list(_order(pages, back)) == usual

    def test_what_the_link_can_do_is_said(self, own: World, pages: TestClient) -> None:
        page = words(pages.get(path(own)))
        assert "they can answer with moves in your name. So do not pass it on." in page
        assert "change password alice OLD NEW" in page

    def test_markup_in_the_query_is_text(self, pages: TestClient, own: World) -> None:
        for name in ("from", "to", "turn", "display"):
            page = pages.get(path(own), params={name: '"><img src=x>'})
            assert "<img" not in page.text


def _order(pages: TestClient, path: str) -> Iterator[str]:
    """Yield the names of the cells in the order in which they are drawn."""
    text = pages.get(path).text
    for name in text.split('aria-label="')[1:]:
        if name[2:4] == ": ":
            yield name[:2]


class TestWhatCanBeTouched:
    def test_a_man_then_its_goals(self, own: World, pages: TestClient) -> None:
        mine = path(own)
        first = touchable(pages.get(mine))
        assert first.cells["h4"] == f"{mine}?from=h4#board"
        second = pages.get(first.cells["h4"])
        assert "H4 is chosen." in words(second)
        made = answer(touchable(second).cells["g5"])
        assert made
        assert made.line == "h4-g5"
        assert made.subject == "Re: Tumble Board 101 alice"
        own.mail("alice", made.subject, made.line, to=made.to)
        assert own.row().board.ply == 1

    @pytest.mark.slow
    def test_a_cell_where_no_move_begins_is_not_chosen(self, own: World, pages: TestClient) -> None:
        mine = path(own)
        for odd in ("?from=a8", "?from=zz", "?to=h4", "?from=", "?from=%00"):
            assert touchable(pages.get(mine + odd)) == touchable(pages.get(mine))

    @pytest.mark.slow
    def test_a_turn_of_several_men_in_any_order(self, own: World, pages: TestClient) -> None:
        number = begin(own, "alice", "bob", game="backgammon")
        row = own.row(number)
        seat = min(row.board.to_move)
        texts = [
            text for text in row.game.legal_moves(row.board.position, seat) if re.fullmatch(r"[\d/]+\+[\d/]+", text)
        ]
        for text in texts:
            one, other = (leg.split("/") for leg in text.split("+"))
            for first, *then in ([*one, *other], [*other, *one]):
                there = f"{path(own, row.players[seat].userid, number)}?from={first}#board"
                for number_touched, cell in enumerate(then, 1):
                    page = pages.get(there)
                    touched = " ".join([first, *then][:number_touched])
                    assert f"{touched} {'is' if number_touched == 1 else 'are'} chosen." in words(page)
                    assert text in touchable(page).below
                    there = touchable(page).cells[cell]
                made = answer(there)
                assert made
                assert made.line == text

    def test_an_answer_from_a_page_that_is_too_old_is_not_played(self, own: World, pages: TestClient) -> None:
        step = pages.get(f"{path(own)}?from=h4")
        made = answer(touchable(step).cells["g5"])
        assert made
        play_on(own, 101, 2)
        (told,) = own.mail("alice", made.subject, made.line, to=made.to)
        assert own.row().board.ply == 2
        assert "There is a newer letter about this board" in told.flat

    # A page is made for each cell where a move begins or ends, and in Amazons for hundreds of them.
    @pytest.mark.parametrize("game", spread(games.listed()[::-1], 7), ids=lambda game: game.info.key)
    def test_exactly_the_legal_moves(self, own: World, pages: TestClient, game: AnyGame) -> None:
        seats = game.info.seats[0]
        number = begin(own, *("alice", "bob")[:seats], game=game.info.key)
        for plies in random.Random(game.info.key).sample(range(1, 7), 1 if SOAK == 1 else 2):
            play_on(own, number, plies)
            row = own.row(number)
            seat = min(row.board.to_move)
            position = row.board.position
            legal = [game.format(m) for m in game.legal_moves(position, seat) if not game.repeats(position, m)]
            assert sorted(_moves(pages, path(own, row.players[seat].userid, number))) == sorted(set(legal))


def _moves(pages: TestClient, start: str) -> set[str]:
    """Return all moves that can be made from a page by touching, without other answers.

    Where many cells make a move, all that are left are below the board from the first step on, so two cells will do.
    """
    found, seen, waiting = set[str](), set[str](), [start]
    while waiting:
        there = waiting.pop()
        if there in seen:
            continue
        seen.add(there)
        page = pages.get(there)
        verbs = page.text.partition('aria-label="Other answers"')[2].partition("</nav>")[0]
        offered = touchable(page)
        for uri in (*offered.cells.values(), *(u for u in offered.below.values() if u not in verbs)):
            made = answer(uri)
            if made is None:
                waiting += [uri] if uri.partition("?")[2].count(".") < 2 else []
            elif made.line not in ("accept", "reject", "propose", "undo", "resign", "decline", "rematch"):
                found.add(made.line)
    return found


@pytest.fixture
def hiding(own: World) -> Iterator[World]:
    """On board 102 of a game with a secret, alice has peeked at it in ply 1, and bob has not."""
    with installed(Toy()):
        own.use(Renderer(str(TEMPLATES)))
        own.signup("carol")
        begin(own, "alice", "bob", game="toy")
        with browse(own) as pages:
            made = answer(touchable(pages.get(path(own, number=102))).below["peek"])
        assert made
        own.mail("alice", made.subject, made.line, to=made.to)
        yield own


@pytest.mark.slow
def test_the_secret_of_one_seat_is_on_no_page_of_the_other(hiding: World) -> None:
    play_on(hiding, 102, 2)
    secret = hiding.row(102).board.position.secret
    with browse(hiding) as pages:
        alice, bob = path(hiding, "alice", 102), path(hiding, "bob", 102)
        assert "?" in diagram(pages.get(f"{alice}/0"))
        for ply in range(1, 4):
            assert f"secret: {secret}" in diagram(pages.get(f"{alice}/{ply}")).lower()
            assert "?" in diagram(pages.get(f"{bob}/{ply}"))
        assert f"The secret is {secret}." in words(pages.get(f"{alice}/1"))
        assert "The secret is" not in words(pages.get(f"{bob}/1"))


@pytest.mark.slow
def test_what_is_below_a_board_is_in_the_language_of_the_reader(world: World) -> None:
    world.allow(web_url=HOME)
    number = world.board("alice", "bob", game="oware")
    world.mail("alice", "set alice alice-secret language=de")
    with browse(world) as pages:
        shown = pages.get(own_page(world, number, "alice"))
    page = words(shown)
    assert 'aria-label="a: 4 Samen, hierhin führt ein Zug, 4 A"' in shown.text
    assert "Captured" not in page
    assert "Süd 0, Nord 0" in page
