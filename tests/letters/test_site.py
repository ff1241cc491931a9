"""The links to players' own pages: who they are for, and what makes them invalid."""

from dataclasses import replace

from pbmserv.letters.site import Site, player_code
from pbmserv.mail.signed_addresses import PAGE, Token
from tests.world import World


def _with_pages(world: World) -> Site:
    return replace(world.site, policy=replace(world.site.policy, web_url="https://pbm.example.org"))


def test_a_link_names_board_seat_and_player(world: World) -> None:
    world.signup("alice")
    alice, site = world.player("alice"), _with_pages(world)
    url, _, words = site.page(101, 1, alice).rpartition("/")
    assert url == "https://pbm.example.org/my"
    assert site.signer.verify(words) == Token(PAGE, (101, 1, player_code(site.signer, alice)))


def test_without_a_place_of_the_pages_there_is_no_link(world: World) -> None:
    world.signup("alice")
    assert world.site.page(101, 0, world.player("alice")) == ""


def test_another_player_or_password_has_another_link(world: World) -> None:
    world.signup("alice", "bob")
    alice, site = world.player("alice"), _with_pages(world)
    others = [world.player("bob"), replace(alice, password_hash="another"), replace(alice, password_hash=None)]
    assert len({site.page(101, 0, player) for player in (alice, *others)}) == 4


def test_a_stored_letter_has_no_signature_of_a_link(world: World) -> None:
    world.signup("alice")
    site = _with_pages(world)
    link = site.page(101, 0, world.player("alice")).encode()
    letter = b'{"text": "Your page: ' + link + b'"}'
    stored = site.signer.without_signatures(letter)
    assert link not in stored
    assert link.rpartition(b".")[2] not in stored
    assert site.signer.with_signatures(stored) == letter
