"""`signup` and `add` with several addresses, `change address`."""

from tests.world import Received, World


def _addresses(world: World, userid: str) -> list[str]:
    """The addresses to which a player's letters go."""
    player = world.player(userid)
    return [a.address for a in world.query(lambda s: s.addresses.of(player.id)) if a.confirmed]


def _open(world: World, userid: str = "alice") -> None:
    """Open an account with one confirmed address."""
    world.reply(_question(world.mail(userid, f"signup {userid} {userid}-secret")), "yes")


def _question(letters: list[Received]) -> Received:
    [letter] = [x for x in letters if x.subject == "Please confirm your address"]
    return letter


def test_each_address_of_a_signup_is_asked(strict_world: World) -> None:
    letters = strict_world.mail("alice", "signup alice alice-secret one@example.org two@example.org ONE@example.org")
    asked = [x for x in letters if x.subject == "Please confirm your address"]
    assert [x.to for x in asked] == ["one@example.org", "two@example.org"]
    strict_world.reply(asked[1], "Yes.")
    assert _addresses(strict_world, "alice") == ["two@example.org"]


def test_an_address_with_an_international_domain_is_that_of_its_senders(strict_world: World) -> None:
    _open(strict_world)
    letters = strict_world.mail("alice", "add alice alice-secret ann@bücher.example")
    question = _question(letters)
    assert question.to == "ann@xn--bcher-kva.example"
    strict_world.reply(question, "yes")
    [answer] = strict_world.mail("ann@xn--bcher-kva.example", "games")
    assert answer.subject == "Games"


def test_add_needs_the_password(world: World) -> None:
    world.signup("alice")
    [letter] = world.mail("mallory", "add alice wrong-secret")
    assert "The userid alice is taken." in letter.text
    assert _addresses(world, "alice") == ["alice@example.org"]


def test_a_player_has_at_most_five_addresses(world: World) -> None:
    world.signup("alice")
    many = " ".join(f"a{n}@example.org" for n in range(5))
    [letter] = world.mail("alice", f"add alice alice-secret {many}")
    assert "at most 5 addresses" in letter.text
    assert "change address alice PASSWORD name@example.org" in letter.text
    assert _addresses(world, "alice") == ["alice@example.org"]


def test_new_addresses_replace_the_old_ones_and_the_old_ones_are_told(world: World) -> None:
    world.signup("alice")
    letters = world.mail("alice", "change address alice alice-secret new@example.org")
    [told] = [x for x in letters if x.to == "alice@example.org" and x.subject == "Your addresses are changed"]
    assert "This is the last letter to this address." in told.text
    assert "new@example.org" not in told.text
    assert _addresses(world, "alice") == ["new@example.org"]


def test_the_old_address_stays_until_a_new_one_is_confirmed(strict_world: World) -> None:
    _open(strict_world)
    letters = strict_world.mail("alice", "change address alice alice-secret new@example.org")
    assert _addresses(strict_world, "alice") == ["alice@example.org"]
    [told] = [x for x in letters if x.subject == "Your addresses are changed"]
    assert "Letters still come to this address until one of the new addresses is confirmed." in told.text
    [answer] = [x for x in letters if x.subject == "Addresses"]
    assert "a letter is on its way to new@example.org" in answer.text
    strict_world.reply(_question(letters), "yes")
    assert _addresses(strict_world, "alice") == ["new@example.org"]


def test_a_confirmed_address_can_be_kept_while_the_others_go(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "add alice alice-secret second@example.org")
    world.mail("alice", "change address alice alice-secret second@example.org third@example.org")
    assert _addresses(world, "alice") == ["second@example.org", "third@example.org"]


def test_without_an_address_the_senders_is_meant(world: World) -> None:
    world.signup("alice")
    world.mail("elsewhere@example.net", "change address alice alice-secret")
    assert _addresses(world, "alice") == ["elsewhere@example.net"]


def test_an_address_that_is_leaving_stays_if_it_is_added_again(strict_world: World) -> None:
    _open(strict_world)
    question = _question(strict_world.mail("alice", "change address alice alice-secret new@example.org"))
    strict_world.mail("alice", "add alice alice-secret alice@example.org")
    strict_world.reply(question, "yes")
    assert _addresses(strict_world, "alice") == ["alice@example.org", "new@example.org"]


def test_change_address_needs_the_password_and_real_addresses(world: World) -> None:
    world.signup("alice")
    [wrong] = world.mail("mallory", "change address alice wrong-secret mallory@example.org")
    assert "The password is not that of alice." in wrong.text
    [bad] = world.mail("alice", "change address alice alice-secret not-an-address")
    assert "That is not a valid mail address" in bad.text
    assert "name@example.org" in bad.text
    assert _addresses(world, "alice") == ["alice@example.org"]


def test_change_alone_names_the_two_commands(world: World) -> None:
    world.signup("alice")
    [letter] = world.mail("alice", "change alice alice-secret")
    assert "change password" in letter.text
    assert "change address" in letter.text
    [page] = world.mail("alice", "help change")
    assert "change password userid old new" in page.text
    assert "change address userid password [address …]" in page.text


def test_an_address_that_waits_for_its_yes_is_named_each_time(strict_world: World) -> None:
    _open(strict_world)
    for line in ("change address alice alice-secret new@example.org", "add alice alice-secret new@example.org"):
        for _ in range(2):
            answer = strict_world.mail("alice", line)[-1]
            assert "a letter is on its way to new@example.org" in answer.flat
            assert "nowhere else" not in answer.text


def test_who_adds_an_address_from_elsewhere_is_answered_where_he_is_known(strict_world: World) -> None:
    _open(strict_world)
    letters = strict_world.mail("work", "add alice alice-secret new@example.org")
    assert [(x.to, x.subject) for x in letters] == [
        ("new@example.org", "Please confirm your address"),
        ("alice@example.org", "Addresses"),
    ]


def test_a_yes_from_elsewhere_is_answered_where_the_player_is_known(strict_world: World) -> None:
    question = _question(strict_world.mail("alice", "signup alice alice-secret"))
    [answer] = strict_world.reply(question, "yes", sender="work@example.org")
    assert answer.to == "alice@example.org"
    assert "Thank you, alice" in answer.text
