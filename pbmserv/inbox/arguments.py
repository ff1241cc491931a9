"""The arguments and settings that several rows of the command table have."""

from pbmserv.inbox.command import Arg, Is, Setting

USERID, PASSWORD = Arg("userid", "", Is.USERID), Arg("password", "", Is.PASSWORD)
BOARD = Arg("board", "the number of the board", Is.BOARD)
ON_BOARD = (BOARD, USERID, PASSWORD)

AS = Setting("as", "who you are, where your address does not prove it", "USERID:PASSWORD", secret=True)
TERMS = (
    Setting("nagtime", "days until you are reminded of your turn (7)", "DAYS"),
    Setting("forfeittime", "days until the turn, and the board, is lost (21)", "DAYS"),
    Setting("totaltime", "days for all moves of a player together (none)", "DAYS"),
    Setting("unrated", "the board does not count for ratings"),
    Setting("random", "seats are drawn by lot"),
    Setting("private", "the board is not listed, and nobody can subscribe to it"),
)
