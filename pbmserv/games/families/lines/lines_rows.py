"""The games about lines: a row for each."""

from pbmserv.games.families.lines.lines_row import LineRow

_DISCS, _CROSSES = ("Red", "Yellow"), ("X", "O")

ROWS = (
    LineRow("renju", "Renju", "Gomoku in which Black may not make two threes or two fours.", 5, "gomoku",
        credit="the International Rules of Renju, Renju International Federation.", sides=(15,), forbids=True),
    LineRow("connectsix", "Connect Six", "Put two stones in each turn, and get six in a row.", 6, "gomoku",
        credit="I-Chen Wu, 2003.", aliases=("connect6",), sides=(19, 15), twice=True),
    LineRow("capturefive", "Capture Five", "Get five in a row, or capture five pairs of stones.", 5, "gomoku",
        credit="the Japanese game Ninuki, of which this is a simple form.", aliases=("ninuki",), sides=(19, 13, 15),
        pairs=5),
    LineRow("caro", "Caro", "Five in a row win only if your opponent does not close both ends.", 5, "gomoku",
        credit="players of Vietnam.", aliases=("gomokuplus",), sides=(15, 19), open=True),
    LineRow("miseregomoku", "Misère Gomoku", "Who makes five in a row loses.", 5, "gomoku",
        credit="an old game of unknown origin.", aliases=("avoidfive",), sides=(9, 7, 11, 13, 15), loses=True),
    LineRow("tictactoe", "Tic-Tac-Toe", "Three in a row on nine squares.", 3, "gomoku",
        credit="an old game of unknown origin.", aliases=("noughtsandcrosses", "ttt"), names=_CROSSES),
    LineRow("miseretictactoe", "Misère Tic-Tac-Toe", "Who makes three in a row on nine squares loses.", 3, "gomoku",
        credit="an old game of unknown origin.", aliases=("toetactic",), names=_CROSSES, loses=True),
    LineRow("ultimate", "Ultimate Tic-Tac-Toe", "Nine boards in one: your move says where the other plays next.", 3,
        "gomoku", credit="a game of unknown origin.", aliases=("ultimatetictactoe", "supertictactoe"), size=(9, 9, 1),
        names=_CROSSES, nested=True),
    LineRow("cubefour", "Cube Four", "Four in a row in a cube of sixty-four squares, in all directions.", 4, "four",
        credit="a game of unknown origin, sold since the 1950s.", aliases=("3dtictactoe",), size=(4, 4, 4),
        names=_DISCS, signs="RY"),
    LineRow("towerfour", "Tower Four", "Sixteen towers of four discs: get four in a row, in all directions.", 4, "four",
        credit="a game of unknown origin, sold since the 1960s.", aliases=("3dfour",), size=(4, 4, 4), names=_DISCS,
        signs="RY", falls=True),
    LineRow("fallingfive", "Falling Five", "Five in a row, and the columns at both sides are full from the start.", 5,
        "four", credit="a game of toy makers.", aliases=("fiveinaline",), size=(9, 6, 1), names=_DISCS, signs="RY",
        falls=True, fringed=True),
    LineRow("trapdoor", "Trapdoor Four", "Four in a row, and you can take one of your discs out of the lowest row.", 4,
        "four", credit="a game of toy makers.", aliases=("popout",), size=(7, 6, 1), names=_DISCS, signs="RY",
        falls=True, pops=True),
    LineRow("miserefour", "Misère Four", "Discs fall into columns, and who makes four in a row loses.", 4, "four",
        credit="a game of unknown origin.", size=(7, 6, 1), names=_DISCS, signs="RY", falls=True, loses=True),
)  # fmt: skip
