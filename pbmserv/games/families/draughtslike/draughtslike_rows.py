"""The games like draughts: a row for each."""

from pbmserv.games.families.draughtslike.draughts_row import DraughtsRow, DrawnAfter

#: Of the International Draughts Federation, for 64 squares.
_IDF = (
    DrawnAfter(
        10, "/K:K..", "a king alone on the main road, a1 to h8, against three men in all, and a king among them"
    ),
    DrawnAfter(10, "K:K.?", "two or three men in all, and a king on each side"),
    DrawnAfter(60, "/?(?=.{5,6}$)K.*:K.*", "four or five men in all, and a king on each side"),
    DrawnAfter(120, "(?=.{7,8}$)K.*:K.*", "six or seven men in all, and a king on each side"),
)
#: Of the FMJD, for large boards.
_FMJD = (
    DrawnAfter(10, "K:K.?", "a king alone against one or two men in all, and a king among them"),
    DrawnAfter(32, "K:K..", "a king alone against three men in all, and a king among them"),
)
_FRISIAN = (DrawnAfter(4, "K:K", "one king against one"), DrawnAfter(14, "K:KK", "two kings against one"))

ROWS = (
    DraughtsRow("russiandraughts", "Russian Draughts",
        "Any capture will do, and a man that passes the last row goes on as a king.",
        credit="the rules of the International Draughts Federation (IDF).", pdn="25,W,8,8,A0,0", aliases=("shashki",),
        crowns_on_way=True, quiet=30, limits=_IDF, letters=True),
    DraughtsRow("braziliandraughts", "Brazilian Draughts", "International draughts on sixty-four squares.",
        credit="the rules of the International Draughts Federation (IDF).", pdn="26,W,8,8,A0,0",
        best=("most",), quiet=30, limits=_IDF, letters=True),
    DraughtsRow("italiandraughts", "Italian Draughts",
        "Short kings that no man can capture, and strict rules which capture to make.",
        credit="the rules of the Federazione Italiana Dama (FID).", pdn="22,W,8,8,N2,1", king=2.6, flies=False,
        captures_back=False, is_mirrored=True, spares_kings=True, best=("most", "king", "kings", "early"), quiet=80),
    DraughtsRow("spanishdraughts", "Spanish Draughts",
        "Men capture only forward, and the capture of most men and kings must be made.",
        credit="Spanish players; Juan García Canalejas wrote their classic book, 1650.", pdn="24,W,8,8,N1,1",
        captures_back=False, is_mirrored=True, from_below=True, best=("most", "kings")),
    DraughtsRow("turkishdraughts", "Turkish Draughts",
        "On all squares of the board: men go straight and sideways, kings as rooks.",
        credit="players in Turkey and the Near East.", pdn="30,W,8,8,A0,0", rows=2, gap=1, king=5, captures_back=False,
        fills_board=True, best=("most",), letters=True,
        limits=(DrawnAfter(4, "[Km]:[Km]", "one man or king against one"),)),
    DraughtsRow("canadiandraughts", "Canadian Draughts",
        "International draughts on twelve by twelve squares, with thirty men a side.",
        credit="players in Quebec; draws by the rules of the FMJD.", pdn="27,W,12,12,N2,0", width=12, rows=5,
        best=("most",), limits=_FMJD),
    DraughtsRow("frisiandraughts", "Frisian Draughts", "Men capture in eight directions, also along rows and columns.",
        credit="the rules of the World Frisian Draughts Federation (WFD).", pdn="40,W,10,10,N2,0", width=10, rows=4,
        captures_straight=True, best=("worth", "kings", "king"), tires=True, limits=_FRISIAN, hub="frisian"),
    DraughtsRow("frysk", "Frysk!", "Frisian draughts with five men a side: a game of a few minutes.",
        credit="Frisian players, for beginners.", pdn="40,W,10,10,N2,0", width=10, rows=1,
        captures_straight=True, best=("worth", "kings", "king"), tires=True, limits=_FRISIAN),
    DraughtsRow("poolcheckers", "Pool Checkers", "Checkers with flying kings, and men that capture backward, too.",
        credit="the American Pool Checker Association (APCA).", pdn="23,B,8,8,N1,0", colours="bw",
        limits=(DrawnAfter(26, "K:KKK+", "three kings or more against one"),)),
    DraughtsRow("czechdraughts", "Czech Draughts", "Men capture only forward, and kings capture before men.",
        credit="Czech players.", pdn="29,W,8,8,A0,0", captures_back=False, best=("king",), letters=True),
    DraughtsRow("antidraughts", "Losing Draughts", "International draughts, and who has lost all men has won.",
        credit="players of international draughts.", pdn="20,W,10,10,N2,0", aliases=("losingdraughts",), width=10,
        rows=4, best=("most",), loses=True, hub="losing"),
    DraughtsRow("poddavki", "Poddavki", "Russian draughts, and who has lost all men has won.",
        credit="Russian players.", pdn="25,W,8,8,A0,0", aliases=("losingrussian",),
        crowns_on_way=True, loses=True, quiet=30, letters=True),
    DraughtsRow("giveawaycheckers", "Giveaway Checkers", "English draughts, and who has lost all men has won.",
        credit="players of English draughts.", pdn="21,B,8,8,N1,0", aliases=("losingcheckers", "suicidecheckers"),
        colours="bw", king=2.6, flies=False, captures_back=False, loses=True, quiet=80),
    DraughtsRow("breakthroughdraughts", "First King", "International draughts, and the first king wins.",
        credit="players of international draughts.", pdn="20,W,10,10,N2,0", width=10, rows=4,
        best=("most",), first_king=True, hub="bt"),
)  # fmt: skip
