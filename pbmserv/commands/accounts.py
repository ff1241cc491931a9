"""Accounts: opening one, its addresses and its password, and closing it."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

from email_validator import EmailNotValidError, validate_email

from pbmserv.boards import leaving
from pbmserv.boards.news import BoardNews
from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import (
    LOGIN,
    PASSWORD,
    PASSWORD_CHARACTERS,
    USERID_LETTERS,
    YOUR_USERID,
    Arg,
    Call,
    Command,
    Is,
    is_password,
)
from pbmserv.inbox.context import Context
from pbmserv.letters import undelivered
from pbmserv.letters.text.wording import number_word, time_words
from pbmserv.mail import signed_addresses
from pbmserv.mail.reading.headers import normal_address
from pbmserv.mail.signed_addresses import Token
from pbmserv.store import Address, Player

MAX_ADDRESSES = 5  #: of one player
RESET_WITHIN = timedelta(hours=1)
RESETS_A_DAY = 3  #: letters with which one player may set a new password
_PURPOSE = "reset"
_ADDRESSES = Arg("address", "where your letters go", optional=True, many=True)
_NEW_PASSWORD = f"{PASSWORD_CHARACTERS} without spaces, quotes or colons"


def signup(ctx: Context, call: Call) -> Answer:
    """`signup userid password [address …]`: open an account, or add addresses to one's own."""
    userid, password = call.values["userid"], call.values["password"]
    wanted = wanted_addresses(ctx, call)
    player, new = ctx.store.players.find(userid), False
    if player is None:
        demand_free(ctx, userid)
        player, new = ctx.store.players.add(userid, ctx.asker.password_hash(password), ctx.now), True
    elif not ctx.asker.is_password(player, password):
        raise PlayerError(
            f"The userid {userid} is taken.",
            f"Choose another one, for example: signup {userid[:17]}-2 PASSWORD\n"
            "If the account is yours, send the line again with its password.",
        )
    ctx.asker.enter(player)
    added = add_addresses(ctx, player, wanted)
    return Answer(welcome(ctx, player, new=new, added=bool(added)), subject="Welcome" if new else "Addresses")


SIGNUP = Command(
    "signup",
    "Opens an account, or adds addresses to yours. Without an address: the one you write from.",
    signup,
    args=(
        Arg("userid", f"{USERID_LETTERS}; the others will see it", Is.USERID),
        Arg("password", _NEW_PASSWORD, Is.NEW_PASSWORD),
        _ADDRESSES,
    ),
    aliases=("add",),
    example="signup {newcomer} {password}",
    second="add {newcomer} {password} second@example.org",
    more="Each address gets one letter, which its owner answers with the one word yes. An account whose address "
    f"nobody confirms within {time_words(leaving.CONFIRM_WITHIN)} lapses, and so does an unconfirmed second address.\n"
    "If the userid is taken, choose another one; if it is yours, your password was misspelt.",
)


def welcome(ctx: Context, player: Player, *, new: bool, added: bool) -> str:
    """The text of the answer to `signup`. `new`: the account is; `added`: an address was added to it."""
    data = {"player": player.userid, "asked": asked(ctx, player), "languages": ctx.site.renderer.languages}
    return ctx.render("welcome", new=new, added=added, **data)


def confirm(ctx: Context, token: Token, word: str) -> Answer:
    """An answer to the confirmation letter: `yes` and nothing else confirms the address."""
    address = ctx.store.addresses.by_id(*token.numbers)
    player = ctx.store.players.by_id(address.player_id) if address else None
    if address is None or player is None:
        raise PlayerError("That confirmation has lapsed.", "To be asked again, send: signup USERID PASSWORD")
    if word.strip(" .!").lower() != "yes":
        raise PlayerError("Nothing was confirmed.", "Answer with the one word yes on the first line.")
    if not address.confirmed:
        ctx.store.addresses.confirm(address.id, ctx.now)
        ctx.store.addresses.drop_leaving(player.id)
    ctx.asker.proved = player
    undelivered.confirmed(ctx.store, player.id, address.id, ctx.now)
    return Answer(ctx.render("confirmed", player=player.userid, address=address.address), subject="Welcome")


def change_password(ctx: Context, call: Call) -> Answer:
    """`change password userid old new`."""
    player = ctx.asker.login(call)
    if call.values["new"] == call.values["old"]:
        raise PlayerError("The new password is the old one.", "Choose another one.")
    return _set_password(ctx, player, call.values["new"])


CHANGE_PASSWORD = Command(
    "change password",
    "Gives you a new password. The old one is worth nothing from that moment on.",
    change_password,
    args=(
        YOUR_USERID,
        Arg("old", "your password until now", Is.PASSWORD),
        Arg("new", _NEW_PASSWORD, Is.NEW_PASSWORD),
    ),
    example="change password {userid} {password} NEWPASSWORD",
    second="change password {userid} {password} a-longer-one-is-better",
    more="If the old password is not yours, nothing is changed: capital letters count. "
    "Who does not know the old one any more sends: forgot USERID",
)


def change_address(ctx: Context, call: Call) -> Answer:
    """`change address userid password [address …]`: from now on these and no others; the old ones get a letter."""
    player = ctx.asker.login(call)
    wanted = wanted_addresses(ctx, call)
    old = [a.address for a in ctx.store.addresses.of(player.id) if a.confirmed]
    dropped = [a for a in old if a.casefold() not in {w.casefold() for w in wanted}]
    ctx.store.addresses.replace(player.id, wanted)
    add_addresses(ctx, player, wanted)
    ctx.store.addresses.drop_leaving(player.id)
    waiting = any(a.leaving for a in ctx.store.addresses.of(player.id))
    data = {"player": player.userid, "waiting": waiting, "password": PASSWORD}
    if dropped:
        ctx.letters.write("moved", dropped, "Your addresses are changed", data, language=ctx.language)
    return Answer(ctx.render("addresses", asked=asked(ctx, player), **data), subject="Addresses")


CHANGE_ADDRESS = Command(
    "change address",
    "Sends your letters to these addresses and to no others. Without an address: the one you write from.",
    change_address,
    args=(*LOGIN, _ADDRESSES),
    example="change address {userid} {password} new@example.org",
    second="change address {userid} {password} home@example.org work@example.org",
    more="Your old addresses are told. They get your letters until the first new address is confirmed, so that "
    "a misspelt one locks nobody out. To add an address and keep the others, use add.\n"
    f"At most {number_word(MAX_ADDRESSES)} addresses belong to a player.",
)


def forgot(ctx: Context, call: Call) -> Answer:
    """`forgot userid`: a letter to the player's confirmed addresses; the answer is the same for every userid."""
    player = ctx.store.players.find(call.values["userid"])
    to = ctx.letters.addresses(player) if player and player.password_hash else []
    if player and to and ctx.store.readers.spend(player.id, _PURPOSE, f"{ctx.now:%Y-%m-%d}", 1, RESETS_A_DAY):
        number = secrets.randbits(63)
        ctx.store.players.add_token(_PURPOSE, _hash(number), player.id, ctx.now, ctx.now + RESET_WITHIN)
        reply_to = ctx.site.signer.sign(signed_addresses.RESET, number)
        data, language = {"player": player.userid}, ctx.letters.language(player)
        ctx.letters.write("reset", to, "Your new password", data, reply_to=reply_to, language=language)
    return Answer(ctx.render("forgot"), subject="Forgotten password")


FORGOT = Command(
    "forgot",
    "Mails a letter to your confirmed addresses, with which you set a new password.",
    forgot,
    args=(YOUR_USERID,),
    example="forgot {userid}",
    second="forgot bob",
    more=f"Answer that letter within {time_words(RESET_WITHIN)}, with the new password alone on the first line. It "
    "works once; a later letter takes the place of an earlier one, and at most "
    f"{number_word(RESETS_A_DAY)} are sent in a day.\n"
    "The answer to this command is the same for every userid. If no letter comes, the userid is misspelt or none "
    "of the player's addresses was ever confirmed.",
)


def reset(ctx: Context, token: Token, first_line: str) -> Answer:
    """An answer to the reset letter: the first line is the new password. Raises PlayerError.

    Each of these letters works once, and for a limited time.
    """
    password = first_line.strip()
    if not is_password(password):
        raise PlayerError(
            f"The first line of your answer is not one word of {PASSWORD_CHARACTERS} without quotes and colons, "
            "so nothing was changed.",
            "Answer the letter again, with nothing but the new password on the first line.",
        )
    id_ = ctx.store.players.use_token(_PURPOSE, _hash(*token.numbers), ctx.now)
    player = ctx.store.players.by_id(id_) if id_ is not None else None
    if player is None:
        raise PlayerError(
            f"That letter was used, is older than {time_words(RESET_WITHIN)}, or a later one took its place.",
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


SIGNOFF = Command(
    "signoff",
    "Closes your account for good. Your boards are given up or, where you have not moved yet, declined; "
    "addresses, password and settings are erased.",
    signoff,
    args=LOGIN,
    aliases=("delete",),
    may_shorten=False,
    example="signoff {userid} {password}",
    second="delete {userid} {password}",
    more="What you write in the body goes to the others on your boards. Nobody can take your userid, and your "
    "finished boards can still be read.\n"
    "The verb is never shortened, and a wrong password changes nothing. If you are only away for a time, "
    "see: help vacation",
)


def wanted_addresses(ctx: Context, call: Call) -> list[str]:
    """The addresses that a call names, each once; without any, the sender's. Raises PlayerError."""
    named = [read_address(a) for a in call.get("address")] or [ctx.mail.sender]
    return list({a.casefold(): a for a in named}.values())


def add_addresses(ctx: Context, player: Player, wanted: Sequence[str]) -> list[Address]:
    """Give the player those of these addresses that he does not have, and ask the owner of each."""
    return [_add(ctx, player, a) for a in wanted if not _has(ctx, player, a)]


def asked(ctx: Context, player: Player) -> list[str]:
    """The addresses of a player that nobody has confirmed yet."""
    return [a.address for a in ctx.store.addresses.of(player.id) if not a.confirmed]


def read_address(text: str) -> str:
    """A mail address in the form in which senders are compared, its domain in ASCII (IDNA). Raises PlayerError."""
    try:
        address = normal_address(validate_email(text, check_deliverability=False, allow_smtputf8=False).normalized)
    except EmailNotValidError:
        address = ""
    if not address:
        raise PlayerError("That is not a mail address that letters can be sent to.", "Write it as name@example.org")
    return address


def demand_free(ctx: Context, userid: str) -> None:
    """Raise PlayerError if a userid is a word that has a meaning in lines of commands."""
    if userid in ctx.command_language.reserved:
        raise PlayerError(
            f"'{userid}' is a word of the command language.", f"Choose another userid: signup my{userid} PASSWORD"
        )


def _set_password(ctx: Context, player: Player, password: str) -> Answer:
    ctx.store.players.set_password(player.id, ctx.asker.password_hash(password))
    text = ctx.render("password", player=player.userid)
    others = [a for a in ctx.letters.addresses(player) if a.casefold() != ctx.mail.sender.casefold()]
    ctx.letters.write("answer", others, "Your password is changed", {"text": text}, language=ctx.language)
    return Answer(text, subject="Your password is changed")


def _hash(number: int) -> str:
    return sha256(str(number).encode()).hexdigest()


def _has(ctx: Context, player: Player, address: str) -> bool:
    """Whether the player has this address. If nobody has confirmed it yet, its owner is asked again."""
    for known in ctx.store.addresses.of(player.id):
        if known.address.casefold() == address.casefold():
            ctx.store.addresses.keep(known.id)
            if not known.confirmed:
                _ask(ctx, player, known)
            return True
    return False


def _add(ctx: Context, player: Player, address: str) -> Address:
    if sum(not a.leaving for a in ctx.store.addresses.of(player.id)) >= MAX_ADDRESSES:
        raise PlayerError(
            f"A player has at most {MAX_ADDRESSES} addresses.",
            f"To replace those you have, send: change address {player.userid} {PASSWORD} name@example.org",
        )
    added = ctx.store.addresses.add(player.id, address, ctx.now, confirmed=not ctx.site.policy.confirm_addresses)
    if not added.confirmed:
        _ask(ctx, player, added)
    return added


def _ask(ctx: Context, player: Player, address: Address) -> None:
    """Ask the owner of an unconfirmed address to confirm it, at most once a day however the address is spelt.

    No other letter goes there.
    """
    recipient = address.address.lower()
    if ctx.wrote_lately("confirm", recipient):
        return
    ctx.letters.write(
        "confirm",
        [recipient],
        "Please confirm your address",
        {"player": player.userid},
        reply_to=ctx.site.signer.sign(signed_addresses.CONFIRM, address.id),
        language=ctx.letters.language(player),
    )
