"""What a game is: a stateless object over frozen positions. It knows nothing of mail, SQL, players or time.

It has rules, a notation, a picture and perhaps an evaluation, each in a module of its own. Records for other programs
are `sheet.Recorded` (docs/adr/0060-parts-of-a-game.md).
"""

from typing import Any, ClassVar

from pbmserv.games.base.drawn import Drawn
from pbmserv.games.base.rules import M
from pbmserv.games.base.searcher import Searched
from pbmserv.games.base.values import P


class Game(Drawn[P, M], Searched[P, M]):
    """A game. All methods are pure functions: they return new values and store nothing."""

    is_stand_in: ClassVar[bool] = False  #: it stands for a game whose rules are not there


#: The type of a game in the rest of the server, which does not know its position and its moves.
AnyGame = Game[Any, Any]
