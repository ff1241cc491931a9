"""Getting in and out of an account: password, addresses, the reset letter, the end."""

import secrets
from datetime import timedelta
from hashlib import sha256

from pbmserv.boards import leaving
from pbmserv.boards.news import BoardNews
from pbmserv.commands import accounts as account
from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import PASSWORD, Call, is_password
from pbmserv.inbox.context import Context
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Token
from pbmserv.store import Player

RESET_WITHIN = timedelta(hours=1)
RESETS_A_DAY = 3
_PURPOSE = "reset"


def change_password(ctx: Context, call: Call) -> Answer:
    """`change password userid old new`."""
    player = ctx.asker.login(call)
    if call.values["new"] == call.values["old"]:
        raise PlayerError("The new password is the old one.", "Choose another one.")
    return _set_password(ctx, player, call.values["new"])


def change_address(ctx: Context, call: Call) -> Answer:
    """`change address userid password [address …]`: these and no others; the old ones are told."""
    player = ctx.asker.login(call)
    wanted = account.wanted_addresses(ctx, call)
    old = [a.address for a in ctx.store.addresses.of(player.id) if a.confirmed]
    told = [a for a in old if a.casefold() not in {w.casefold() for w in wanted}]
    ctx.store.addresses.replace(player.id, wanted)
    account.add_addresses(ctx, player, wanted)
    ctx.store.addresses.drop_leaving(player.id)
    waiting = any(a.leaving for a in ctx.store.addresses.of(player.id))
    data = {"player": player.userid, "waiting": waiting, "password": PASSWORD}
    if told:
        ctx.letters.write("moved", told, "Your addresses are changed", data, language=ctx.language)
    return Answer(ctx.render("addresses", asked=account.asked(ctx, player), **data), subject="Addresses")


def forgot(ctx: Context, call: Call) -> Answer:
    """`forgot userid`: a letter to the player's confirmed addresses; the answer is the same for every userid."""
    player = ctx.store.players.find(call.values["userid"])
    to = ctx.letters.addresses(player) if player and player.password_hash else []
    if player and to and ctx.store.readers.spend(player.id, _PURPOSE, f"{ctx.now:%Y-%m-%d}", 1, RESETS_A_DAY):
        number = secrets.randbits(63)
        ctx.store.players.add_token(_PURPOSE, _digest(number), player.id, ctx.now, ctx.now + RESET_WITHIN)
        reply_to = ctx.site.signer.sign(signed_addresses.RESET, number)
        data, language = {"player": player.userid}, ctx.letters.language(player)
        ctx.letters.write("reset", to, "Your new password", data, reply_to=reply_to, language=language)
    return Answer(ctx.render("forgot"), subject="Forgotten password")


def reset(ctx: Context, token: Token, first_line: str) -> Answer:
    """An answer to the reset letter: the first line is the new password. Once, and within an hour."""
    password = first_line.strip()
    if not is_password(password):
        raise PlayerError(
            "The first line of your answer is not one word of 6 to 128 characters without quotes and colons, "
            "so nothing was changed.",
            "Answer the letter again, with nothing but the new password on the first line.",
        )
    id_ = ctx.store.players.use_token(_PURPOSE, _digest(*token.numbers), ctx.now)
    player = ctx.store.players.by_id(id_) if id_ is not None else None
    if player is None:
        raise PlayerError(
            "That letter was used, is older than an hour, or a later one took its place.",
            "For a new one, send: forgot USERID",
        )
    ctx.asker.enter(player)
    return _set_password(ctx, player, password)


def signoff(ctx: Context, call: Call) -> Answer:
    """`signoff userid password`: the account is closed for good; the others on its boards get a letter."""
    player = ctx.asker.login(call)
    to = ctx.letters.addresses(player)
    language = ctx.language  # one of the settings that are erased
    left = leaving.close(ctx.store, player, ctx.now, ctx.mail_id)
    data = {"player": player.userid, "boards": [x.row.number for x in left]}
    ctx.letters.write("farewell", to, "Goodbye", data, language=language)
    return Answer(
        text=f"The account {player.userid} is closed.",
        boards=[BoardNews(x.row, x.since, player) for x in left],
        complete=True,
    )


def _set_password(ctx: Context, player: Player, password: str) -> Answer:
    ctx.store.players.set_password(player.id, ctx.asker.password_hash(password))
    text = ctx.render("password", player=player.userid)
    others = [a for a in ctx.letters.addresses(player) if a.casefold() != ctx.mail.sender.casefold()]
    ctx.letters.write("answer", others, "Your password is changed", {"text": text}, language=ctx.language)
    return Answer(text, subject="Your password is changed")


def _digest(number: int) -> str:
    return sha256(str(number).encode()).hexdigest()
