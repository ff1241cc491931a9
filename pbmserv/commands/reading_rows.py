"""The rows of the command table for whoever reads boards: talk, copies, records, diagrams, lists, ratings."""

from pbmserv.commands import lists, records, settings, show, standings, watch
from pbmserv.inbox.command import AS, BOARD, LOGIN, ON_BOARD, TERMS, Arg, Command, Is, Scope

READING: tuple[Command, ...] = (
    Command(
        "chat",
        "Sends the body of your mail to the other players of a board, and to those who have subscribed to it.",
        watch.chat,
        Scope.GAME,
        args=ON_BOARD,
        reply=True,
        body="what you say",
        example="{game} chat {board} {userid} {password}",
        second="{game} chat 102 bob {password}",
        more="The words stand in the body of the mail; without any, nothing is sent. Who answers a board letter writes "
        "chat on the first line and his words below it.",
    ),
    Command(
        "subscribe",
        "A copy of every letter of a board, as spectators see it.",
        watch.subscribe,
        Scope.GAME,
        args=ON_BOARD,
        example="{game} subscribe {board} {userid} {password}",
        second="{game} subscribe 102 bob {password}",
        more="Private boards cannot be subscribed to, and players of a board get its letters anyway. "
        "To end it: GAME unsubscribe BOARD USERID PASSWORD",
    ),
    Command(
        "unsubscribe",
        "No more copies of the letters of a board.",
        watch.unsubscribe,
        Scope.GAME,
        args=ON_BOARD,
        example="{game} unsubscribe {board} {userid} {password}",
        second="{game} unsubscribe 102 bob {password}",
        more="It does no harm on a board that you have not subscribed to. The letters themselves offer the same.",
    ),
    Command(
        "notify",
        "Only the last letter of boards on which you do not play. Without boards, lists those that you read.",
        watch.notify,
        Scope.GAME,
        args=(*LOGIN, Arg("board", "board numbers", Is.BOARD, optional=True, many=True)),
        example="{game} notify {userid} {password}",
        second="{game} notify {userid} {password} {board}",
        more="Every letter of a board, not only the last, comes with: GAME subscribe BOARD USERID PASSWORD",
    ),
    Command(
        "record",
        "The whole board as a JSON file: options, players, moves, result, and once it is over its seed.",
        records.record,
        Scope.GAME,
        args=(BOARD,),
        settings=(AS,),
        example="{game} record {board}",
        second="{game} record 102",
        more="The seed, with which everybody can check the dice, is in the record of a finished board only.",
    ),
    Command(
        "fork",
        "A new board, unrated and with a new seed, that begins with ply n of another one. "
        "With chance or hidden things only once that board is over.",
        records.fork,
        Scope.GAME,
        args=(
            Arg("board", "the number of a board, 101#7 for ply 7", Is.BOARD),
            Arg("userid", "the players, in the order of their turns", Is.USERID, many=True),
        ),
        settings=(AS, *(s for s in TERMS if s.name != "unrated")),
        example="{game} fork {board} {players}",
        second="{game} fork {board}#1 {players}",
        more="If the board still runs and has chance or hidden things, or has no such ply, the answer says so. "
        "The number of players must be that of the old board.",
    ),
    Command(
        "show",
        "Shows boards, or the boards of players. 101#7 is board 101 after ply 7.",
        show.show,
        Scope.GAME,
        args=(
            Arg(
                "board|userid",
                "board numbers, 101#7 for ply 7; or userids, then all, active, inactive or next",
                many=True,
            ),
        ),
        example="{game} show {board}",
        second="{game} show {userid} next",
        more="If the board is one of another game, the answer says which. A ply that was never played is answered with "
        "the last one. Hidden things stay hidden: see showas.",
    ),
    Command(
        "showas",
        "Shows boards as you see them: with what is hidden from others, in your display setting.",
        show.showas,
        Scope.GAME,
        args=(*LOGIN, Arg("board", "board numbers; or all, active, next", optional=True, many=True)),
        example="{game} showas {userid} {password} {board}",
        second="{game} showas {userid} {password} next",
        more="A wrong password shows nothing. Boards on which you do not play are shown as everybody sees them.",
    ),
    Command(
        "games",
        "A table of the boards of one game, or of players in it.",
        lists.list_game,
        Scope.GAME,
        args=(Arg("userid", "players, then all, active, inactive or next", optional=True, many=True),),
        example="{game} games {userid}",
        second="{game} games {userid} all",
        more="To see where you are to move, put next behind your userid. Without a userid, next is refused.",
    ),
    Command(
        "standings",
        "The rating table of the game: the best, and those around you. For a solitaire, the high scores. "
        "With all: the first thousand.",
        standings.standings,
        Scope.GAME,
        args=(Arg("all", "up to a thousand lines", optional=True),),
        aliases=("ratings",),
        example="{game} standings",
        second="{game} standings all",
        more="A rating with a question mark stands on fewer than ten rated boards. Unrated and declined boards "
        "do not count, nor does a board against yourself.",
    ),
    Command(
        "history",
        "Finished boards of the game, or of players in it, with result and reason.",
        standings.history,
        Scope.GAME,
        args=(Arg("userid", "players", Is.USERID, optional=True, many=True),),
        example="{game} history {userid}",
        second="{game} history",
        more="The newest come first. To see one with its whole move list, send: GAME show BOARD\n"
        "A userid that is unknown is answered with the nearest ones.",
    ),
    Command(
        "set",
        "How boards of the game are drawn for you; without an option, says what is set.",
        settings.set_display,
        Scope.GAME,
        args=(
            *LOGIN,
            Arg("option", "a display setting of the game", optional=True, many=True, dashed=True),
        ),
        example="{game} set {userid} {password}",
        second="{game} set {userid} {password} {display}",
        more="An unknown setting is answered with those that the game has; some have only one way to draw the board.\n"
        "The settings of the server are another command: help set",
    ),
)
