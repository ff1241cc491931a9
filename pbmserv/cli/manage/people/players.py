"""`pbmserv players`: accounts and their addresses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.manage.people import bans
from pbmserv.cli.terminal.acting import Generate, Why, Yes, change, hashed, new_password, print_password
from pbmserv.cli.terminal.console import AdminCommands, AsJson, at, console, listing, load_config, print_json
from pbmserv.cli.terminal.database import finishing, open_database, player_of, reading, site_of

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk
    from pbmserv.model import Player
    from pbmserv.model.rows import Json, ListedAddress
    from pbmserv.store import Store

app = AdminCommands()

Userid = Annotated[str, typer.Argument(metavar="USERID")]
Confirmed = Annotated[bool, typer.Option("--confirmed", help="confirm the address yourself; nobody is asked")]


@app.command("list")
def list_(
    suspended: Annotated[bool, typer.Option("--suspended", help="only players with a suspended address")] = False,
    as_json: AsJson = False,
) -> None:
    """List all accounts: their addresses, how many letters came back in a row, and when the last mail came.

    Of several addresses it is the worst state, the most bounces and the last mail.

    For example: pbmserv players list --suspended
    """
    with reading() as store:
        of_player: dict[int, list[ListedAddress]] = defaultdict(list)
        for a in store.addresses.all():
            of_player[a.player_id].append(a)
        rows = [_listed(p, of_player[p.id]) for p in store.players.all()]
    titles = {"userid": "userid", "created": "member since (UTC)", "account": "account", "addresses": "addresses"}
    titles |= {"state": "state", "bounces": "bounces", "last_mail": "last mail (UTC)"}
    listing([row for row in rows if not suspended or row["state"] == "suspended"], titles, as_json)


@app.command()
def show(userid: Userid, as_json: AsJson = False) -> None:
    """Show one account: its addresses, its running boards, and what admins did to it.

    For example: pbmserv players show alice
    """
    with reading() as store:
        player = player_of(store, userid)
        account = _account(store, player)
    if as_json:
        print_json(account)
        return
    console.print(f"{player.userid}, member since {player.created:%Y-%m-%d}, account {_state(player)}")
    for a in account["addresses"]:
        console.print(f"  {a['address']}  {_standing(a)}", markup=False)
    if account["webhook"]:
        console.print("  webhook {form}: {state} since {since:%Y-%m-%d}".format(**account["webhook"]), markup=False)
    for b in account["boards"]:
        console.print(f"  board {b['number']}  {b['game']}  ply {b['ply']}  {', '.join(b['players'])}")
    for e in account["events"]:
        console.print(f"  {e['at']:%Y-%m-%d} {e['who']}: {e['what']} ({e['why'] or 'no reason given'})", markup=False)


@app.command()
def add(
    userid: Userid,
    addresses: Annotated[list[str], typer.Argument(metavar="ADDRESS...", help="where the player gets letters")],
    confirmed: Confirmed = False,
    generate: Generate = False,
    why: Why = "",
) -> None:
    """Create an account. The password is asked for, read from standard input, or generated.

    For example: pbmserv players add carol carol@example.org --generate --why "asked by telephone"
    """
    from pbmserv.admin.people import players

    password = new_password(generate)
    hash_ = hashed(password)
    change(why, lambda desk: players.add(desk, userid, hash_, addresses, confirmed))
    console.print(f"The account {userid.lower()} is created.", markup=False)
    print_password(password, generate)


@app.command()
def lock(userid: Userid, why: Why = "") -> None:
    """Lock an account: the player can do nothing, and is told so. The boards and their time limits go on.

    For example: pbmserv players lock bob --why "insults, see the complaint of 3 March"
    """
    from pbmserv.admin.people import players

    change(why, lambda desk: players.lock(desk, userid))
    console.print(f"The account {userid.lower()} is locked.", markup=False)


@app.command()
def unlock(userid: Userid, why: Why = "") -> None:
    """Unlock an account. The player keeps the old password.

    For example: pbmserv players unlock bob --why "bob apologized"
    """
    from pbmserv.admin.people import players

    change(why, lambda desk: players.unlock(desk, userid))
    console.print(f"The account {userid.lower()} is open.", markup=False)


@app.command()
def password(userid: Userid, generate: Generate = False, why: Why = "") -> None:
    """Change a player's password. The player gets a letter about it, without the password.

    For example: pbmserv players password alice --generate --why "lost, identity checked by telephone"
    """
    from pbmserv.admin.people import players

    new = new_password(generate)
    hash_ = hashed(new)
    change(why, lambda desk: players.set_password(desk, userid, hash_))
    console.print(f"The password of {userid.lower()} is changed.", markup=False)
    print_password(new, generate)


@app.command()
def addresses(
    userid: Userid,
    add: Annotated[list[str] | None, typer.Option(metavar="ADDRESS", help="add an address; may be repeated")] = None,
    remove: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS", help="remove an address; may be repeated")
    ] = None,
    confirmed: Confirmed = False,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """List, add or remove a player's addresses. With --add --confirmed, letters go to a suspended address again.

    For example: pbmserv players addresses alice --add alice@example.net --confirmed --why "by telephone"
    """

    from pbmserv.admin.people import players

    def do(desk: Desk) -> None:
        for address in add or ():
            players.add_address(desk, userid, address, confirmed)
        for address in remove or ():
            players.remove_address(desk, userid, address)

    if add or remove:
        change(why, do)
    with reading() as store:
        rows = [dict(a._mapping) for a in store.addresses.rows_of(player_of(store, userid).id)]
    shown = ("address", "confirmed", "suspended", "bounces", "leaving")
    listing(rows, {name: name for name in shown}, as_json)


@app.command()
def counts(
    userid: Annotated[str | None, typer.Argument(metavar="[USERID]", help="only of this player")] = None,
    lift: Annotated[bool, typer.Option("--lift", help="reset these counts")] = False,
    why: Why = "",
    as_json: AsJson = False,
) -> None:
    """Show what is counted for limits: by player, by address, by origin, and for the whole server.

    A count ends by itself; --lift ends it at once. Of an address only a keyed hash is stored: name its player. The
    limits themselves are settings.

    For example: pbmserv players counts alice --lift --why "a whole club is invited"
    """
    from pbmserv.admin.people import players
    from pbmserv.letters.text.times import from_seconds, utc_now

    if lift:
        lifted = change(why, lambda desk: players.lift_counts(desk, userid))
        console.print(f"{lifted} count{'s' * (lifted != 1)} lifted.")
        return
    site = site_of(load_config())
    with reading() as store:
        subjects = players.count_subjects(site, store, player_of(store, userid)) if userid else []
        counted = store.operations.counted(utc_now().timestamp(), subjects)
    rows = [{**c._asdict(), "ends": from_seconds(c.ends)} for c in counted]
    listing(rows, {"subject": "counted for", "what": "what", "used": "used", "ends": "ends (UTC)"}, as_json)


@app.command()
def rename(userid: Userid, new: Annotated[str, typer.Argument(metavar="NEW")], why: Why = "", yes: Yes = False) -> None:
    """Change a player's userid. The old one stays reserved, because old records name it.

    For example: pbmserv players rename alice alicia --why "alice asked for it" --yes
    """
    from pbmserv.admin.people import players

    asks = f"Rename {userid} to {new}? Nobody can use the userid {userid} again."
    change(why, lambda desk: players.rename(desk, userid, new), asks=asks, yes=yes)
    console.print(f"{userid.lower()} is now {new.lower()}.", markup=False)


@app.command()
def vacation(
    userid: Userid,
    until: Annotated[list[str], typer.Argument(metavar="DAYS", help="a number of days, until YYYY-MM-DD, or off")],
    why: Why = "",
) -> None:
    """Put a player on vacation, or end it, as the player can by mail. A vacation may exceed the days that are left.

    For example: pbmserv players vacation alice 10 --why "she is in hospital, her son wrote"
    """
    from pbmserv.admin.people import players

    end = change(why, lambda desk: players.set_vacation(desk, userid, until))
    told = f"is on vacation until {at(end)} UTC" if end else "is not on vacation"
    console.print(f"{userid.lower()} {told}.", markup=False)


@app.command()
def merge(
    userid: Userid,
    into: Annotated[str, typer.Argument(metavar="INTO", help="the account that goes on")],
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Merge two accounts of one person: boards, ratings, tournaments and addresses of USERID go to INTO.

    INTO keeps its password and its settings, and is told. Open seeks of USERID are withdrawn, and the userid becomes an
    old name of INTO. It is refused if the two have played with each other or were in one tournament.

    For example: pbmserv players merge bob robert --why "he forgot that he had an account" --yes
    """
    from pbmserv.admin.people import merging

    asks = f"Give all boards of {userid} to {into}? You cannot undo this."
    done = change(why, lambda desk: merging.merge(desk, userid, into), asks=asks, yes=yes, busy="Merging …")
    console.print(f"{userid.lower()} is {done.userid} now.", markup=False)


@app.command("fairness")
def fairness_(
    userid: Annotated[str | None, typer.Argument(metavar="USERID", help="one player; all without it")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare players with the judge of reviews: accuracy, and how often they made its move, beside their ratings.

    Only boards that are over and have a review are listed. Nothing follows from it: strong players agree with judges.

    For example: pbmserv players fairness alice
    """
    from pbmserv.admin.people.fairness import fairness

    with reading() as store:
        rows = fairness(store, player_of(store, userid) if userid else None)
    titles = {"board": "board", "game": "game", "userid": "userid", "rating": "rating", "accuracy": "accuracy %"}
    listing(rows, titles | {"agreement": "same moves %", "engines": "engines", "judge": "judge"}, as_json)


for command in (bans.ban, bans.unban, bans.bans):
    app.command()(command)


@app.command()
def export(userid: Userid, why: Why = "") -> None:
    """Print all personal data of a player as JSON: all rows about the player, the calls of their mails, their letters.

    For example: pbmserv players export alice --why "a request under article 15 GDPR"
    """
    from pbmserv.admin.people import players

    data = change(why, lambda desk: players.export(desk, userid))
    finished = finishing(load_config())
    with reading() as store:
        for letter in data["outbox"]:
            letter["data"] = finished(store, SimpleNamespace(**letter))
    print_json(data)


@app.command()
def erase(userid: Userid, why: Why = "", yes: Yes = False) -> None:
    """Close an account for good, as signoff does. The player resigns all boards, and all personal data is erased.

    This covers addresses, settings, letters to the player, mails on the shelf, and what the records of mails say. The
    last letter says goodbye; it is deleted within a minute after it was sent. An SQLite file is written again without
    the deleted rows, and mails wait meanwhile. Letters to others can quote the player until PBMSERV_LETTERS_DAYS.

    For example: pbmserv players erase bob --why "bob asked for it by telephone" --yes
    """
    from pbmserv.admin.people import players
    from pbmserv.db.engines import scrub

    asks = f"Erase all data of {userid}? You cannot undo this."
    left = change(why, lambda desk: players.erase(desk, userid), asks=asks, yes=yes)
    with open_database(load_config()) as engine:
        scrub(engine)
    console.print(f"{userid.lower()} is erased. Boards left: {', '.join(map(str, left)) or 'none'}", markup=False)


def _listed(player: Player, addresses: Sequence[ListedAddress]) -> dict[str, object]:
    """Return a row of the list."""
    state = "confirmed" if addresses else ""
    if any(a.suspended for a in addresses):
        state = "suspended"
    elif not all(a.confirmed for a in addresses):
        state = "not confirmed"
    return {
        "userid": player.userid,
        "created": player.created,
        "account": _state(player),
        "addresses": [a.address for a in addresses],
        "state": state,
        "bounces": max((a.bounces for a in addresses), default=0),
        "last_mail": max((a.last_mail for a in addresses if a.last_mail), default=None),
    }


def _account(store: Store, player: Player) -> Json:
    boards = store.board_lists.search(player_ids=[player.id])
    hook = store.webhooks.of([player.id]).get(player.id)
    return {
        "userid": player.userid,
        "created": player.created,
        "account": _state(player),
        "addresses": [dict(a._mapping) for a in store.addresses.rows_of(player.id)],
        "webhook": {"form": hook.form, "state": hook.state, "since": hook.since} if hook else None,
        "boards": [{"number": b.number, "game": b.game, "ply": b.ply, "players": b.players} for b in boards],
        "events": [dict(e._mapping) for e in store.operations.events(about=f"player {player.userid}")],
    }


def _state(player: Player) -> str:
    if player.password_hash is None:
        return "closed"
    return "locked" if player.is_locked else "open"


def _standing(address: dict[str, object]) -> str:
    if address["suspended"]:
        return f"suspended {address['suspended']:%Y-%m-%d}: letters came back"
    return f"confirmed {address['confirmed']:%Y-%m-%d}" if address["confirmed"] else "not confirmed"
