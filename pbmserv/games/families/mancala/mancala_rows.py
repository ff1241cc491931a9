"""The mancala games: a row for each."""

from pbmserv.games.families.mancala.mancala_row import Sowing

ROWS = (
    Sowing("kalah", "Kalah", "Sow into your store, too: a last seed there is another turn.",
        credit="William Julius Champion, 1940.", aliases=("mancala", "kalaha"), lay="444444", choices=("3", "5", "6"),
        through_store=True, opposite=True, with_last=True, early=True),
    Sowing("mangala", "Mangala", "The first seed stays, even numbers are captured, and who is empty takes the rest.",
        credit="Mangala of Turkey.", lay="444444", through_store=True, stays=True, opposite=True, with_last=True,
        even=True, early=True, finisher_takes=True),
    Sowing("congkak", "Congkak", "A last seed takes up its whole pit and goes on, until it falls into an empty one.",
        credit="Congkak of Malaysia, Dakon of Java.", aliases=("dakon", "congklak", "sungka"), lay="7777777",
        through_store=True, relay=True, opposite=True, with_last=True, passes=True),
    Sowing("ohvalhu", "Ohvalhu", "Eight pits of eight seeds, and sowing that goes on and on.",
        credit="Ohvalhu of the Maldives.", lay="88888888", through_store=True, relay=True, opposite=True,
        with_last=True, passes=True),
    Sowing("toguz", "Toguz Korgool", "Capture even numbers, and make a pit of your opponent your own.",
        credit="Toguz Korgool of the Kyrgyz, Togyzkumalak of the Kazakhs.",
        aliases=("toguzkorgool", "togyzkumalak", "toguzkumalak"), lay="999999999", stays=True, even=True, tuzdyk=True,
        half=True),
    Sowing("ayoayo", "Ayoayo", "The sowing goes on from pits with seeds, and an empty pit captures what is opposite.",
        credit="Ayoayo of the Yoruba.", aliases=("ayo",), lay="444444", relay=True, skips=True, opposite=True,
        half=True, feeds=True),
    Sowing("hus", "Hus", "Four rows: capture what stands before you and behind it, and sow it on your side.",
        credit="Hus of the Nama.", lay="0000222222222222", rows=2),
    Sowing("bao", "Bao la Kiswahili", "Enter seeds, capture and sow them on your side, and guard your house.",
        credit="Bao of Zanzibar; Alex de Voogt, Limits of the Mind, 1995.", aliases=("baokiswahili",),
        lay="0000622000000000", rows=2, stock=22, head=True, both_ways=True, front=True),
    Sowing("kujifunza", "Bao la Kujifunza", "Bao for learners: all seeds stand on the board, two in each pit.",
        credit="Bao of Zanzibar; Alex de Voogt, Limits of the Mind, 1995.", aliases=("baokujifunza",), lay="2" * 16,
        rows=2, head=True, both_ways=True, front=True),
)  # fmt: skip
