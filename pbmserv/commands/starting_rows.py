"""The rows of the command table with which boards begin: challenges and seeks."""

from pbmserv.commands import lists, seeks
from pbmserv.inbox.command import AS, LOGIN, TERMS, Arg, Command, Is, Scope, Setting

_NUMBER = Arg("number", "the number of the seek", Is.NUMBER)
_SEEK_SETTINGS = (
    *TERMS,
    Setting("seats", "how many players, where the game leaves a choice (the fewest)", "NUMBER"),
    Setting("rating", "whose rating may join (anybody's); unrated players count as 1500", "LOWEST-HIGHEST"),
)

STARTING: tuple[Command, ...] = (
    Command(
        "challenge",
        "Begins a board at once; the first userid moves first. A solitaire names one player. "
        "Who was invited may decline until he has moved. In the place of one userid you can name the mail address "
        "of a friend without an account: he is invited by letter, and the board begins when he accepts.",
        lists.challenge,
        Scope.GAME,
        args=(Arg("userid", "the players, in the order of their turns", Is.OPPONENT, many=True),),
        settings=(AS, *TERMS),
        takes_options=True,
        example="{game} challenge {players}",
        second="{game} challenge {players} --forfeittime=30 --unrated",
        more="Who sends it is known by his address. If that does not prove it, add --as=USERID:PASSWORD to the line.\n"
        "A userid that is unknown is answered with the nearest ones; an unknown option or a wrong number of players "
        "with what the game has. Options of the game begin with one dash, those of the server with two.",
    ),
    Command(
        "seek",
        "An open challenge: the board begins when its seats are full. It lapses after 30 days.",
        seeks.seek,
        Scope.GAME,
        args=LOGIN,
        settings=_SEEK_SETTINGS,
        takes_options=True,
        example="{game} seek {userid} {password}",
        second="{game} seek {userid} {password} --rating=1500-1900",
        more="Others join by the number that the answer names; see: help join. --rating limits who may join.\n"
        "An unknown option is answered with those that there are.",
    ),
    Command(
        "join",
        "Takes a place in an open challenge. Their numbers are in: list",
        seeks.join,
        Scope.GAME,
        args=(_NUMBER, *LOGIN),
        example="{game} join {seek} {userid} {password}",
        second="{game} join 2 bob {password}",
        more="If the seek is closed, full, or not for your rating, the answer says so. You cannot join twice.\n"
        "The board begins when the last place is taken, and everybody gets its first letter.",
    ),
    Command(
        "withdraw",
        "Gives your place in an open challenge up; without players it is over.",
        seeks.withdraw,
        Scope.GAME,
        args=(_NUMBER, *LOGIN),
        example="{game} withdraw {seek} {userid} {password}",
        second="{game} withdraw 2 bob {password}",
        more="It is refused if you have no place there or if the board has begun; then you can decline the board.",
    ),
    Command(
        "limit",
        "The most boards of this game that others may challenge you to at a time; 0 refuses all challenges. "
        "Without a number, says it.",
        seeks.limit,
        Scope.GAME,
        args=(*LOGIN, Arg("n", "a number, or none", optional=True)),
        example="{game} limit {userid} {password} 5",
        second="{game} limit {userid} {password} none",
        more="You yourself may still begin as many boards as you like. What is neither a number nor none is refused.",
    ),
)
