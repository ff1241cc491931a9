"""Accounts: opening one, adding and confirming addresses."""

from collections.abc import Sequence

from email_validator import EmailNotValidError, validate_email

from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import PASSWORD, Call
from pbmserv.inbox.context import Context
from pbmserv.letters import undelivered
from pbmserv.mail import signed_addresses
from pbmserv.mail.reading.headers import normal_address
from pbmserv.mail.signed_addresses import Token
from pbmserv.store import Address, Player

MAX_ADDRESSES = 5


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


def welcome(ctx: Context, player: Player, *, new: bool, added: bool) -> str:
    """The text for who has a `new` account, or has perhaps `added` an address to one."""
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


def wanted_addresses(ctx: Context, call: Call) -> list[str]:
    """The addresses that a call names, each once; without any, the sender's. Raises PlayerError."""
    named = [read_address(a) for a in call.get("address")] or [ctx.mail.sender]
    return list({a.casefold(): a for a in named}.values())


def add_addresses(ctx: Context, player: Player, wanted: Sequence[str]) -> list[Address]:
    """Give the player those of these addresses that he does not have, and ask the owner of each."""
    return [_add(ctx, player, a) for a in wanted if not _has(ctx, player, a)]


def asked(ctx: Context, player: Player) -> list[str]:
    """The addresses of a player whose owners have not said yes yet."""
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
    if userid in ctx.command_language.reserved:
        raise PlayerError(
            f"'{userid}' is a word of the command language.", f"Choose another userid: signup my{userid} PASSWORD"
        )


def _has(ctx: Context, player: Player, address: str) -> bool:
    """Whether the player has this address; an unconfirmed one is asked again."""
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
    added = ctx.store.addresses.add(player.id, address, ctx.now, confirmed=not ctx.site.confirm_addresses)
    if not added.confirmed:
        _ask(ctx, player, added)
    return added


def _ask(ctx: Context, player: Player, address: Address) -> None:
    """The one letter that goes to an unconfirmed address, at most once a day however it is spelt."""
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
