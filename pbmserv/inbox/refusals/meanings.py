"""Words with which people ask for a move that the rules call by another word. Such a move is named, never played."""

from collections.abc import Mapping, Sequence

_MEANING = {
    "random": "randomly anywhere somewhere whatever wherever zufällig zufall irgendwo irgendwie egal hasard aléatoire "
    "azar aleatorio caso willekeurig losowo gdziekolwiek náhodně случайно наугад slumpmässigt tilfældig tilfeldig",
    "swap": "colours colors colour color sides switch exchange farben farbe seiten seite couleurs couleur "
    "colores color colori colore cores kleuren kleur kolory kolor barvy цвет färg farve",
    "roll": "dice throw rolling würfeln würfle würfel werfen werfe wirf lancer lance dés tirar tiro lanzo dados tirare "
    "dadi gooien gooi dobbelen rzucam rzucić rzut kości házím hod kostky бросаю бросить кости kasta kastar tärningar "
    "kaster terninger heitän dobok",
    "double": "cube doubling doubled verdopple verdoppeln doppeln doppele dopple doppler doublons videau doblo doblar "
    "cubo raddoppio dobro verdubbel dubbel dubluję podwajam dubbla dobler удваиваю",
    "drop": "refuse fold decline give planto passo retiro passe aufgeben",
    "bank": "stop stay keep hold enough aufhören sichern behalten",
}
_STRAIGHTS = ("little", "big", "run4", "run5")
_WORDS = {word: (move,) for move, words in _MEANING.items() for word in words.split()}
#: Word in lower case -> the moves that it may mean.
MEANINGS: Mapping[str, Sequence[str]] = {
    **_WORDS,
    **dict.fromkeys(
        ("straight", "straights", "straße", "strasse", "suite", "escalera", "scala", "straat", "strit", "stege"),
        (*_STRAIGHTS, *(f"go-{box}" for box in _STRAIGHTS)),
    ),
}
