"""The letters of men in another language: in all that a player reads of a board, and read when it comes back."""

import pytest

from pbmserv.games.families.chesslike.chesslike_rows import ROWS
from pbmserv.games.families.chesslike.row import Variant
from pbmserv.letters.text.men import lettered
from tests.world import RENDERER, World

_GERMAN = RENDERER.to("de").say

_LETTERED = [row for row in ROWS if not row.falls_back]  #: shogi has English letters in all languages


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("e4 Nf3 Nbxd7+ R1e2 Qh4xe1# O-O-O", "e4 Sf3 Sbxd7+ T1e2 Dh4xe1# O-O-O"),
        ("e8=Q bxa1=N+ Kxb2", "e8=D bxa1=S+ Kxb2"),
        ("Nf6:Bb5 exd5:resign", "Sf6:Lb5 exd5:resign"),
        ("B5 Q16 b1c3 bxc3 h4-g5t", "B5 Q16 b1c3 bxc3 h4-g5t"),  # of Go, and of others
    ],
)
def test_only_letters_of_men_are_changed(moves: str, said: str) -> None:
    assert lettered(moves, _GERMAN) == said
    assert lettered(moves, RENDERER.say) == moves


@pytest.mark.slow
@pytest.mark.parametrize("row", _LETTERED, ids=[row.key for row in _LETTERED])
@pytest.mark.parametrize("language", RENDERER.languages)
def test_no_two_men_of_a_game_have_the_same_letter(row: Variant, language: str) -> None:
    say = RENDERER.to(language).say
    letters = [lettered(f"{man.upper()}a1", say)[0] for man in row.kinds]
    assert sorted(letters) == sorted(set(letters))


def test_all_that_a_german_reads_of_a_board_has_german_letters(world: World) -> None:
    world.signup("anna", "bob")
    world.mail("anna", "set anna anna-secret language=de")
    first = world.mail("anna", "chess challenge anna bob")[0]
    assert "zum Beispiel: Sc3" in first.flat
    assert ">Sf3</a>" in first.html
    for userid, move in (("anna", "Sf3"), ("bob", "d5"), ("anna", "d4"), ("bob", "Nc6")):
        letters = world.mail(userid, f"chess move 101 {userid} {userid}-secret {move}")
    turn = next(letter for letter in letters if letter.to.startswith("anna"))
    assert "1 Sf3 d5 2 d4 Sc6" in turn.flat
    assert 'alt="Das Brett nach Sc6 (Schwarz).' in turn.html
    assert "Se5" in world.reply(turn, "züge")[0].flat
    assert ": Sc3 Du " in world.reply(turn, "b1c3?")[0].flat
    assert "'Sc6' ist nicht möglich" in world.reply(turn, "Sc6")[0].flat
    assert "kann Sbd2 oder Sfd2 bedeuten. Sende eins davon: Sbd2, Sfd2" in world.reply(turn, "Sd2")[0].flat
    tried = world.mail("anna", "chess preview 101 Se5 Dd6 --as=anna:anna-secret")[0]
    assert "Ausprobiert: Se5 Dd6" in tried.flat
    waits = world.reply(turn, "Se5")[0]
    kept = world.reply(waits, "queue Sxe5:dxe5 Dd7:Sxd7")[0]
    assert "Vorgemerkt in Partie 101 für anna: Sxe5:dxe5 Dd7:Sxd7" in kept.flat
    played = world.mail("bob", "chess move 101 bob bob-secret Qd7")
    assert "gestrichen (Sxe5:dxe5 Dd7:Sxd7): bob spielte Dd7, nicht 'Sxe5'" in played[0].flat
