"""The games of all families, each from its row."""

from pbmserv.games.base import AnyGame
from pbmserv.games.families.chains import chains_games
from pbmserv.games.families.chesslike import chesslike_game, chesslike_rows
from pbmserv.games.families.dice import dice_game, dice_rows
from pbmserv.games.families.draughtslike import draughtslike_game, draughtslike_rows
from pbmserv.games.families.golike.capture_go import CaptureGo
from pbmserv.games.families.golike.team_go import TeamGo
from pbmserv.games.families.lines import lines_game, lines_rows
from pbmserv.games.families.mancala import mancala_game, mancala_rows
from pbmserv.games.families.morrislike import mill_game, mill_rows
from pbmserv.games.families.othellolike import reversi_game, reversi_rows
from pbmserv.games.families.tables import tables_game, tables_rows
from pbmserv.games.families.tafl import tafl_game, tafl_rows

#: In the order of lists. Most stand on the page of one of the games with a module of its own; a family whose best known
#: game is a row, too, has this one in the lists.
OF_FAMILIES: tuple[AnyGame, ...] = (
    *map(chesslike_game.game_of, chesslike_rows.ROWS),
    *map(reversi_game.game_of, reversi_rows.ROWS),
    *map(mill_game.game_of, mill_rows.ROWS),
    CaptureGo(),
    *map(draughtslike_game.game_of, draughtslike_rows.ROWS),
    TeamGo(),
    *map(tafl_game.game_of, tafl_rows.ROWS),
    *map(mancala_game.game_of, mancala_rows.ROWS),
    *map(tables_game.game_of, tables_rows.ROWS),
    *map(dice_game.game_of, dice_rows.ROWS),
    *chains_games.GAMES,
    *map(lines_game.game_of, lines_rows.ROWS),
)
