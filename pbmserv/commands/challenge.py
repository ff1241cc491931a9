"""`challenge`: a board begins at once. A friend without an account is invited first, by a letter to his address.

What the inviter sees never depends on whether the address belongs to a player. His own words are not passed on,
because nobody shall write to strangers by means of invitations.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from itertools import chain, count
from typing import Any

from pbmserv import games
from pbmserv.boards.news import BoardNews
from pbmserv.commands.accounts import read_address
from pbmserv.commands.starting import Terms, begin_board, demand_no_trouble, demand_players, find_players, read_terms
from pbmserv.errors import PlayerError
from pbmserv.inbox.answer import Answer
from pbmserv.inbox.command import AS, PASSWORD, TERMS, USERID_LETTERS, Arg, Call, Command, Is, Scope, is_userid
from pbmserv.inbox.context import Context
from pbmserv.letters.text.wording import days
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Token
from pbmserv.passwords import NO_PASSWORD
from pbmserv.store import Player, Settings
from pbmserv.store.boards import options_text
from pbmserv.store.challenges import Invitation

INVITATIONS_A_DAY = 5  #: of one player
INVITED_EVERY = timedelta(days=7)  #: to one address, whoever asks
INVITATION_LASTS = timedelta(days=14)
_HOW = "Answer with one of the words accept, decline or never, or with: accept NAME"


def challenge(ctx: Context, call: Call) -> Answer:
    """`game challenge userid1 [userid2 …] [-options] [--options]`: a board begins at once.

    If an address is named, it begins once its owner has accepted.
    """
    sender = ctx.asker.sender_player(call)
    terms = read_terms(call)
    if any("@" in name for name in call.values["userid"]):
        return invite(ctx, terms, call.values["userid"], sender)
    players = demand_players(ctx, terms, call.values["userid"], sender)
    row = begin_board(ctx, terms, players)
    return Answer(
        text=f"Board {row.number} has begun.",
        subject=row.title,
        boards=[BoardNews(row, 0, sender)],
        complete=sender in players,
    )


CHALLENGE = Command(
    "challenge",
    "Begins a board at once; the first userid moves first. A solitaire names one player. "
    "Who was invited may decline until he has moved. In the place of one userid you can name the mail address "
    "of a friend without an account: he is invited by letter, and the board begins when he accepts.",
    challenge,
    Scope.GAME,
    args=(Arg("userid", "the players, in the order of their turns", Is.OPPONENT, many=True),),
    settings=(AS, *TERMS),
    takes_options=True,
    example="{game} challenge {players}",
    second="{game} challenge {players} --forfeittime=30 --unrated",
    more="Who sends it is known by his address. If that does not prove it, add --as=USERID:PASSWORD to the line.\n"
    "A userid that is unknown is answered with the nearest ones; an unknown option or a wrong number of players "
    "with what the game has. Options of the game begin with one dash, those of the server with two.",
)


def invite(ctx: Context, terms: Terms, names: Sequence[str], sender: Player) -> Answer:
    """A challenge that names an address: its owner is asked, and the board begins when he accepts."""
    addresses, userids = [n for n in names if "@" in n], [n for n in names if "@" not in n]
    address, trouble = _read_address(ctx, addresses)
    key = terms.game.info.key
    if sender.userid not in userids:
        trouble.append(
            PlayerError(
                "You can invite somebody only to a board of your own.", f"Send: {key} challenge {sender.userid} ADDRESS"
            )
        )
    trouble += find_players(ctx, terms, userids, sender, strangers=1)[1]
    trouble += _limits(ctx, sender, address)
    demand_no_trouble(trouble)
    places = [None if "@" in n else n for n in names]
    data = {**_dump(terms), "places": places}
    number = ctx.store.challenges.add_invitation(sender.id, address, data, ctx.now, ctx.now + INVITATION_LASTS)
    known = [p.userid for p in ctx.store.players.at(address)]
    ctx.letters.write(
        "invitation",
        [address],
        f"{sender.userid} invites you to a game of {terms.game.info.name}",
        {
            "inviter": sender.userid,
            "others": [u for u in userids if u != sender.userid],
            "game": terms.game.info,
            "options": options_text(terms.options),
            "forfeit": terms.settings.forfeit and days(terms.settings.forfeit),
            "known": known,
            "name": "" if known else _free_name(ctx, address),
            "lasts": INVITATION_LASTS.days,
        },
        reply_to=ctx.site.signer.sign(signed_addresses.INVITE, number),
    )
    return Answer(ctx.render("invited", lasts=INVITATION_LASTS.days), subject=f"{key.capitalize()} invitation")


def answer_invitation(ctx: Context, token: Token, line: str) -> Answer:
    """Do what the answer to an invitation says: accept, accept NAME, decline or never. Raises PlayerError."""
    invitation = ctx.store.challenges.invitation(token.numbers[0])
    if invitation is None:
        raise PlayerError("That invitation is over.", f"To open an account, send: signup USERID {PASSWORD}")
    ctx.owner_of = invitation.address
    if invitation.used or invitation.expires <= ctx.now:
        raise PlayerError("That invitation is over.", f"To open an account, send: signup USERID {PASSWORD}")
    words = line.strip(" \t.!").lower().split()
    if words in (["decline"], ["never"]):
        return _decline(ctx, invitation, for_ever=words == ["never"])
    if words[:1] == ["accept"] and len(words) < 3:
        return _accept(ctx, invitation, words[1] if len(words) == 2 else "")
    raise PlayerError("Nothing was done: the first line of your answer was not understood.", _HOW)


def _accept(ctx: Context, invitation: Invitation, name: str) -> Answer:
    """Begin the board. Who was invited gets an account if he has none."""
    inviter = ctx.store.players.by_id(invitation.player_id)
    if inviter is None or inviter.password_hash is None:
        raise PlayerError("Who invited you has closed the account.", f"To play others, send: signup USERID {PASSWORD}")
    terms, places = _load(invitation.data), invitation.data["places"]
    userids = [u for u in places if u]
    _, trouble = find_players(ctx, terms, userids, inviter, strangers=1)
    demand_no_trouble(trouble)
    known = ctx.store.players.at(invitation.address)
    player = _account(known, name) if known else _open(ctx, invitation.address, name)
    ctx.asker.enter(player)
    if player.userid in userids and len(places) > 2:
        raise PlayerError("You have a seat on that board already.", "Answer with: decline")
    seated = [player if u is None else ctx.lookups.player(u) for u in places]
    row = begin_board(ctx, terms, seated)
    ctx.store.challenges.use_invitation(invitation.id, ctx.now)
    if not known:
        data = {"player": player.userid, "inviter": inviter.userid, "key": terms.game.info.key}
        ctx.letters.write("joined", [invitation.address], "Welcome", data)
    return Answer(f"Board {row.number} has begun.", boards=[BoardNews(row, 0, player)], complete=True)


def _decline(ctx: Context, invitation: Invitation, for_ever: bool) -> Answer:
    """Tell the inviter. He does not learn whether the answer was decline or never."""
    ctx.store.challenges.use_invitation(invitation.id, ctx.now)
    inviter = ctx.store.players.by_id(invitation.player_id)
    if inviter:
        data = {"invited": invitation.address, "game": _load(invitation.data).game.info}
        to, language = ctx.letters.addresses(inviter), ctx.letters.language(inviter)
        ctx.letters.write("declined", to, "Your invitation was declined", data, language=language)
    if for_ever:
        ctx.store.challenges.refuse_invitations(_keyed_hash(ctx, invitation.address), ctx.now)
        return Answer("No invitation will be sent to your address any more, whoever asks.", subject="Invitations")
    return Answer("The invitation is declined. Nothing else will be sent to you about it.", subject="Invitation")


def _account(known: Sequence[Player], name: str) -> Player:
    """The player who accepts, of those who have the address. Raises PlayerError if that is not clear."""
    named = [p for p in known if p.userid == name] if name else known
    if len(named) != 1:
        raise PlayerError(
            f"Your address has the account{'s' * (len(known) > 1)} {', '.join(p.userid for p in known)}.",
            f"Answer with: accept {known[0].userid}",
        )
    return named[0]


def _open(ctx: Context, address: str, name: str) -> Player:
    """Open an account with this address, which the answer has confirmed. Its owner may set a password later."""
    userid = name or _free_name(ctx, address)
    if not is_userid(userid):
        raise PlayerError(f"A name has {USERID_LETTERS}, a letter first.", _HOW)
    if ctx.store.players.find(userid) or userid in ctx.command_language.reserved:
        raise PlayerError(f"The name {userid} is taken.", f"Answer for example with: accept {_free(ctx, userid)}")
    player = ctx.store.players.add(userid, NO_PASSWORD, ctx.now)
    ctx.store.addresses.add(player.id, address, ctx.now, confirmed=True)
    return player


def _free_name(ctx: Context, address: str) -> str:
    """A free userid that is like the address."""
    local = re.sub(r"[^a-z0-9_-]+", "-", address.rpartition("@")[0].partition("+")[0].lower()).strip("-_")
    return _free(ctx, local if is_userid(local) else f"player-{local}"[:20].rstrip("-_"))


def _free(ctx: Context, like: str) -> str:
    """`like`, or the first of like-2, like-3 … that is free."""
    names = chain([like], (f"{like[:16]}-{n}" for n in count(2)))
    return next(n for n in names if n not in ctx.command_language.reserved and ctx.store.players.find(n) is None)


def _read_address(ctx: Context, addresses: Sequence[str]) -> tuple[str, list[PlayerError]]:
    """The one address that is invited, or what stands in the way."""
    if len(addresses) > 1:
        return "", [PlayerError("One address can be invited at a time.", "Name the others by their userids.")]
    try:
        address = read_address(addresses[0])
    except PlayerError as e:
        return "", [e]
    if ctx.site.signer.accepts(address):
        return "", [PlayerError("That is the address of this server.", "Name the address of a friend.")]
    return address, []


def _limits(ctx: Context, sender: Player, address: str) -> list[PlayerError]:
    """What the rules against unwanted mail forbid. None of them depends on whether the address has an account."""
    trouble = []
    if ctx.store.challenges.count_invitations(ctx.now - timedelta(days=1), player_id=sender.id) >= INVITATIONS_A_DAY:
        trouble.append(
            PlayerError(f"You have sent {INVITATIONS_A_DAY} invitations today.", "Send the next one tomorrow.")
        )
    if address and ctx.store.challenges.count_invitations(ctx.now - INVITED_EVERY, address=address):
        trouble.append(
            PlayerError(
                "That address was invited less than a week ago.",
                "Wait for the answer, or ask your friend in your own words.",
            )
        )
    if address and ctx.store.challenges.refuses_invitations(_keyed_hash(ctx, address)):
        trouble.append(
            PlayerError(
                "The owner of that address wants no invitations.", "Ask your friend in your own words to sign up."
            )
        )
    return trouble


def _keyed_hash(ctx: Context, address: str) -> str:
    """What is stored of an address whose owner wants no invitations."""
    return ctx.site.signer.keyed_hash(address.lower())


def _dump(terms: Terms) -> dict[str, Any]:
    """Terms as they are stored with an invitation."""
    options, settings = dict(terms.options), asdict(terms.settings)
    return {"game": terms.game.info.key, "options": options, "settings": settings, "random": terms.random}


def _load(data: Mapping[str, Any]) -> Terms:
    return Terms(games.find(data["game"]), data["options"], Settings(**data["settings"]), data["random"])
