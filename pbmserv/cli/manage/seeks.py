"""`pbmserv seeks`: open challenges."""

from dataclasses import asdict

from pbmserv.cli.terminal.console import AdminCommands, AsJson, listing
from pbmserv.cli.terminal.database import reading
from pbmserv.letters.text.times import utc_now

app = AdminCommands()
app.callback()(lambda: None)  # else its only command would be called without a name


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the open seeks, the oldest first, also private ones.

    For example: pbmserv seeks list
    """
    from pbmserv.model.boards import options_text

    with reading() as store:
        seeks = store.challenges.seeks_before(utc_now())
    rows = [
        {
            "number": s.number,
            "game": s.game,
            "options": options_text(s.options),
            "settings": asdict(s.settings),
            "players": [p.userid for p in s.players],
            "seats": s.seats,
            "rating": s.rating,
            "seat_of": s.left and f"{s.left.userid}, board {s.left.board}",
            "created": s.created,
        }
        for s in seeks
    ]
    titles = {"number": "seek", "created": "since (UTC)"}
    listing(
        rows,
        titles | {key: key for key in ("game", "options", "players", "seats", "rating")} | {"seat_of": "seat of"},
        as_json,
    )
