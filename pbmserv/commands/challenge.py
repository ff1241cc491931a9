"""`challenge`: a board begins at once. A friend without an account is first invited by a letter (ADR 8).

The inviter must never learn whether the address belongs to a player. The inviter's own text is not passed on, so that
nobody can write to strangers with invitations.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from itertools import chain, count

from pbmserv import games
from pbmserv.boards import with_robots
from pbmserv.boards.news import BoardNews
from pbmserv.commands.accounts import is_agreed, read_address
from pbmserv.commands.play import ACCEPT
from pbmserv.commands.seats.own_board import by_owner
from pbmserv.commands.starting import (
    Terms,
    begin_board,
    demand_no_trouble,
    demand_offered,
    demand_players,
    find_players,
    new_seed,
    read_terms,
    takes_repetition,
)
from pbmserv.commands.talk import FEWER
from pbmserv.errors import PlayerError, may_be_password
from pbmserv.games.base.board import Start
from pbmserv.games.base.log import seen_by
from pbmserv.inbox.command import (
    AS,
    ON_BOARD,
    PASSWORD,
    TERMS,
    USERID_LETTERS,
    Arg,
    Call,
    Is,
    Scope,
    game_of,
    is_userid,
)
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.inbox.lines.agreement import refuses
from pbmserv.inbox.lines.first_line import bare_words, is_plain, is_question
from pbmserv.inbox.lines.words.sentence_words import POLITE
from pbmserv.letters.letters import habits_of
from pbmserv.letters.text.wording import days, habits_text, shared_by_moves
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import BoardRow, Player, Settings
from pbmserv.model.boards import SHARED, options_text
from pbmserv.model.challenges import Invitation
from pbmserv.model.passwords import NO_PASSWORD
from pbmserv.model.rows import Json

INVITED_EVERY = timedelta(days=7)  #: to one address, from all inviters together
INVITATION_LASTS = timedelta(days=14)
_KIND = "invitation"
_HOW = (
    "To play, answer with yes, or with accept and a name of your own. To say no, answer decline. To get no more "
    "invitations, answer never."
)


def challenge(ctx: Context, call: Call) -> Answer:
    """`game challenge userid1 [userid2 …] [-options] [--options]`: start a board.

    If an address is named, the board begins when its owner has accepted.
    """
    _demand_no_password(ctx, call)
    sender = ctx.authentication.sender_player(call)
    terms = read_terms(ctx, call)
    names = _named(ctx, terms, call.values["userid"], sender)
    if any("@" in name for name in names):
        return invite(ctx, terms, names, sender)
    players = demand_players(ctx, terms, names, sender)
    row = begin_board(ctx, terms, players)
    return Answer(
        text=f"Board {row.number} has begun.",
        subject=row.title,
        boards=[BoardNews(row, 0, sender)],
        complete=sender in players,
    )


def _demand_no_password(ctx: Context, call: Call) -> None:
    """Raise PlayerError if a password probably stands behind the first userid, where other commands have theirs."""
    userid, *others = call.values["userid"]
    is_player = ctx.store.players.find(userid) is not None
    if not (is_player and len(others) > 1 and may_be_password(others[0]) and "@" not in others[0]):
        return
    if ctx.store.players.find(others[0]) is None and not ctx.lookups.nearest(others[0]):
        proof = "" if ctx.authentication.is_known_by_from() else f" --as={userid}:{PASSWORD}"
        names = " ".join([userid, *(word for word in others[1:] if ctx.may_show(word))])
        raise PlayerError(
            "The second word of your line names no player. If it is your password, it does not belong there: this "
            "command names only the players.",
            f"Send: {game_of(call).info.key} challenge {names}{proof}",
        )


def _named(ctx: Context, terms: Terms, words: Sequence[str], sender: Player) -> list[str]:
    """Return the userids and addresses. Each word `robot` stands for another robot."""
    names = list[str]()
    for word in words:
        if word == with_robots.ANY:
            word = with_robots.nearest(ctx.store, terms.game, sender, {*words, *names}).userid
        names.append(word)
    return names


CHALLENGE = Command(
    "challenge",
    "Begins a board at once. The first userid moves first. For a game for one, name yourself. The other players can "
    "decline until their first move. Instead of one userid you can write the mail address of a friend without an "
    "account. They get an invitation, and the board begins when they accept.",
    challenge,
    scope=Scope.GAME,
    reaches_others=True,
    args=(Arg("userid", "the players, in the order in which they move", Is.OPPONENT, many=True),),
    settings=(AS, *TERMS),
    takes_options=True,
    example="{game} challenge {players}",
    second="{game} challenge {players} --forfeittime=30 --unrated",
    more="For a robot, write the word robot instead of a userid: the one whose rating is nearest to yours plays. "
    "Your mail address shows who you are. If it is not enough, add --as=USERID:PASSWORD to the line.\n"
    "With --bank=10 --increment=1.5 --cap=15 each player has a bank of ten days. It shrinks while it is the player's "
    "turn, each move adds one and a half days, and it never holds more than fifteen. Who has nothing left loses. The "
    "other time limits hold, too, and each turn letter says until when to move.\n"
    "If a userid is unknown, the answer lists similar ones. If an option is unknown or the number of players is "
    "wrong, it says what the game allows. Options of the game begin with one dash, options of the server with two.",
)


def rematch(ctx: Context, call: Call) -> Answer:
    """`game rematch board userid password`: play once more with the same players and options, and swapped seats.

    A board has one rematch, however many of its players ask for it. It is locked, so they ask one after the other.
    """
    row, player, _ = by_owner(ctx, call)
    if row.board.result is None:
        raise PlayerError(f"Board {row.number} is not over yet.", "You can send rematch when it is.")
    if known := ctx.store.boards.rematch(row.number):
        return _already(ctx, row, known, player)
    seats = (*row.players[1:], row.players[0])
    origin = None if row.continues else row.board.start.origin  # a seat that somebody left would be left again
    game, settings = row.game if origin else games.find(row.key), row.settings
    if not takes_repetition(game, len(seats)):  # newer rules can have a number of their own
        settings = replace(settings, repetition=0)
    if not game.info.draws(row.board.start.options):  # newer rules can have no chance any more
        settings = replace(settings, dice="")
    demand_offered(ctx, game)
    terms = Terms(game, row.board.start.options, settings)
    seated = demand_players(ctx, terms, [p.userid for p in seats], player)
    start = Start(terms.game, terms.options, len(seated), new_seed(), origin)
    new = begin_board(ctx, terms, seated, start, rematch_of=row.number)
    return Answer(f"Board {new.number} has begun.", boards=[BoardNews(new, 0, player)], complete=True)


def _already(ctx: Context, row: BoardRow, number: int, player: Player) -> Answer:
    """Show the player the rematch that somebody has begun before."""
    new = ctx.lookups.board(number)
    text = f"Board {number} is the rematch of board {row.number} already, so no other board begins."
    seen = seen_by(ctx.log(new), new.seat_to_move(player))
    return Answer(text, boards=[BoardNews(new, seen, player, ctx.say(text), only=player)], complete=True)


REMATCH = Command(
    "rematch",
    "Begins a new board like one that is over: with the same players, options and time limits. The seats are swapped. "
    "If there are more than two, everybody moves up one seat, and the first player becomes the last.",
    rematch,
    scope=Scope.GAME,
    reaches_others=True,
    args=ON_BOARD,
    reply=True,
    synonyms=("play again", "another game", "revanche", "noch einmal", "nochmal", "neue partie"),
    usable=lambda on: on.plays() and on.row is not None and on.row.board.result is not None,
    example="{game} rematch {board} {userid} {password}",
    second="rematch {board} {userid} {password}",
    more="The easiest way is to answer the last letter of a board with the word rematch. The limits of a challenge "
    "hold here, too, and the others can decline until their first move.\n"
    "A board has only one rematch. If somebody else was faster, you get the letter of the board that has begun.",
)


def invite(ctx: Context, terms: Terms, names: Sequence[str], sender: Player) -> Answer:
    """Handle a challenge with an address: invite its owner. The board begins when the owner accepts."""
    addresses, userids = [n for n in names if "@" in n], [n for n in names if "@" not in n]
    address, trouble = _read_address(ctx, addresses)
    key = terms.game.info.key
    if sender.userid not in userids:
        trouble.append(
            PlayerError(
                "You can invite people only to your own boards.", f"Send: {key} challenge {sender.userid} ADDRESS"
            )
        )
    players, errors = find_players(ctx, terms, userids, sender, strangers=1)
    trouble += errors
    trouble += _limits(ctx, sender, address)
    demand_no_trouble(trouble)
    places = [None if "@" in n else n for n in names]
    data = {**_dump(terms), "places": places}
    number = ctx.store.challenges.add_invitation(sender.id, address, data, ctx.now, ctx.now + INVITATION_LASTS)
    known = [p.userid for p in ctx.store.players.at(address)]
    ctx.letters.write(
        _KIND,
        [address],
        _title(sender, terms),
        {
            "inviter": sender.shown,
            "others": [p.shown for p in players if p.id != sender.id],
            "game": terms.game.info,
            "options": options_text(terms.options),
            "forfeit": terms.settings.forfeit and days(terms.settings.forfeit),
            "shared": terms.settings.dice == SHARED,
            "engines": terms.settings.engines,
            "repetition": with_robots.settings(terms.game, terms.settings, players).repetition,
            "time": [*shared_by_moves(terms.settings), *habits_text(habits_of(ctx.store, players))],
            "known": known,
            "answers": _answers(known),
            "name": "" if known else _free_name(ctx, address),
            "lasts": INVITATION_LASTS.days,
        },
        reply_to=ctx.site.signer.sign(signed_addresses.INVITE, number),
        kind_of_list="invitations",
        stops={address: ctx.site.signer.sign(signed_addresses.NEVER, number)},
    )
    return Answer(ctx.render("invited", lasts=INVITATION_LASTS.days), subject=f"{key.capitalize()} invitation")


def answer_invitation(ctx: Context, token: Token, line: str) -> Answer:
    """Handle an answer to an invitation: accept, accept NAME, decline or never. Raises PlayerError."""
    invitation = ctx.store.challenges.invitation(token.numbers[0])
    if invitation is None:
        raise PlayerError("That invitation is no longer open.", f"To open an account, send: signup USERID {PASSWORD}")
    ctx.owner_of = invitation.address
    if invitation.used or invitation.expires <= ctx.now:
        raise PlayerError("That invitation is no longer open.", f"To open an account, send: signup USERID {PASSWORD}")
    words = bare_words(line) if is_plain(line) else []
    words = words[:1] if words[1:] and POLITE.issuperset(words[1:]) else words  # accept please
    is_never = words in (["never"], *([word] for word in FEWER.synonyms))
    if is_never or words == ["decline"] or refuses(line):
        return _decline(ctx, invitation, for_ever=is_never)
    accepts = bool(words) and words[0] in (ACCEPT.verb, *ACCEPT.synonyms)
    if words == ["yes"] or (accepts and len(words) < 3):
        return _accept(ctx, invitation, "".join(words[1:]))
    if is_agreed(ctx, line, invitation.address, _subject(ctx, invitation)):
        return _accept(ctx, invitation, "")
    about = _about(ctx, invitation) if is_question(line) else ""
    hint = "\n".join(filter(None, (_HOW, about)))
    raise PlayerError("Nothing was done: the first line of your answer was not understood.", hint)


def _about(ctx: Context, invitation: Invitation) -> str:
    """Return who has invited somebody, and where they can ask, and read the rules."""
    key, url = str(invitation.data["game"]), ctx.site.policy.web_url
    inviter = ctx.store.players.by_id(invitation.player_id)
    who = f"You were invited by {inviter.userid}." if inviter else ""
    page = f"{url}/games/{key}/help"
    ask = f"To ask how games go here, send to {ctx.site.address}: help. For the rules: {key} help."
    return " ".join(filter(None, (who, ask, f"Or read: {page}" if url else "")))


def words_for(ctx: Context) -> Sequence[str]:
    """Return what an invitation can be answered by a link."""
    return _answers([p.userid for p in ctx.store.players.at(ctx.owner_of)])


def _answers(known: Sequence[str]) -> Sequence[str]:
    """Return these answers. `known`: the accounts of the invited address."""
    return [*([f"accept {userid}" for userid in known] if len(known) > 1 else ["yes"]), "decline", "never"]


def _title(inviter: Player, terms: Terms) -> str:
    """Return the subject of an invitation."""
    return f"{inviter.userid} invites you to a game of {terms.game.info.name}"


def _subject(ctx: Context, invitation: Invitation) -> str:
    inviter = ctx.store.players.by_id(invitation.player_id)
    return _title(inviter, _load(invitation.data)) if inviter else ""


def refuse_signed(ctx: Context, token: Token, line: str) -> Answer:
    """Stop all invitations: a mail to the address under List-Unsubscribe of one, whatever its `line` says."""
    invitation = ctx.store.challenges.invitation(token.numbers[0])
    if invitation is None:
        raise PlayerError("That invitation is no longer open.", "There is nothing to do.")
    ctx.owner_of = invitation.address
    if not invitation.used and invitation.expires > ctx.now:
        return _decline(ctx, invitation, for_ever=True)
    return _never(ctx, invitation)


def find_invited(ctx: Context, token: Token) -> None:
    """Tell the context which address an invitation went to."""
    if invitation := ctx.store.challenges.invitation(token.numbers[0]):
        ctx.owner_of = invitation.address


def _accept(ctx: Context, invitation: Invitation, name: str) -> Answer:
    """Begin the board. The invited person gets an account if they have none."""
    inviter = ctx.store.players.by_id(invitation.player_id)
    if inviter is None or inviter.password_hash is None:
        raise PlayerError(
            "The player who invited you has closed their account.", f"To play others, send: signup USERID {PASSWORD}"
        )
    terms, places = _load(invitation.data), invitation.data["places"]
    demand_offered(ctx, terms.game)
    userids = [u for u in places if u]
    _, trouble = find_players(ctx, terms, userids, inviter, strangers=1)
    demand_no_trouble(trouble)
    known = ctx.store.players.at(invitation.address)
    player = _account(known, name) if known else _open(ctx, invitation.address, name)
    ctx.authentication.enter(player)
    if player.userid in userids and len(places) > 2:
        raise PlayerError("You already have a seat on that board.", "Answer with: decline")
    seated = [player if u is None else ctx.lookups.player(u) for u in places]
    row = begin_board(ctx, terms, seated)
    ctx.store.challenges.use_invitation(invitation.id, ctx.now)
    if not known:
        first = [f"forgot {player.userid}", f"{terms.game.info.key} help", "help tutorial"]
        data = {"player": player.userid, "inviter": inviter.userid, "key": terms.game.info.key, "answers": first}
        ctx.letters.write("joined", [invitation.address], "Welcome", data)
    return Answer(f"Board {row.number} has begun.", boards=[BoardNews(row, 0, player)], complete=True)


def _decline(ctx: Context, invitation: Invitation, for_ever: bool) -> Answer:
    """Tell the inviter. The letter does not say whether the answer was decline or never."""
    ctx.store.challenges.use_invitation(invitation.id, ctx.now)
    inviter = ctx.store.players.by_id(invitation.player_id)
    if inviter:
        data = {"invited": invitation.address, "game": _load(invitation.data).game.info}
        to, language = ctx.letters.addresses(inviter), ctx.letters.language(inviter)
        ctx.letters.write("declined", to, "Your invitation was declined", data, language=language)
    if for_ever:
        return _never(ctx, invitation)
    return Answer("The invitation is declined. You get no more letters about it.", subject="Invitation")


def _never(ctx: Context, invitation: Invitation) -> Answer:
    """Let no invitation be sent to this address any more."""
    ctx.store.challenges.refuse_invitations(_keyed_hash(ctx, invitation.address), ctx.now)
    return Answer("No more invitations will be sent to your address.", subject="Invitations")


def _account(known: Sequence[Player], name: str) -> Player:
    """Return the player who accepts, among those with the address. Raises PlayerError if this is not clear."""
    named = [p for p in known if p.userid == name] if name else known
    if len(named) != 1:
        raise PlayerError(
            f"Your address has the account{'s' * (len(known) > 1)} {', '.join(p.userid for p in known)}.",
            f"Answer with: accept {known[0].userid}",
        )
    return named[0]


def _open(ctx: Context, address: str, name: str) -> Player:
    """Create an account with this address, which the answer has confirmed. Its owner can set a password later."""
    userid = name or _free_name(ctx, address)
    if not is_userid(userid):
        raise PlayerError(f"A name must have {USERID_LETTERS}, and begin with a letter.", _HOW)
    if ctx.store.players.find(userid) or userid in ctx.command_language.reserved:
        raise PlayerError(f"The name {userid} is taken.", f"Answer for example with: accept {_free(ctx, userid)}")
    player = ctx.store.players.add(userid, NO_PASSWORD, ctx.now)
    ctx.store.addresses.add(player.id, address, ctx.now, confirmed=True)
    return player


def _free_name(ctx: Context, address: str) -> str:
    """Return a free userid similar to the address."""
    local = re.sub(r"[^a-z0-9_-]+", "-", address.rpartition("@")[0].partition("+")[0].lower()).strip("-_")
    return _free(ctx, local if is_userid(local) else f"player-{local}"[:20].rstrip("-_"))


def _free(ctx: Context, like: str) -> str:
    """Return `like`, or the first free one of like-2, like-3 …"""
    names = chain([like], (f"{like[:16]}-{n}" for n in count(2)))
    return next(n for n in names if n not in ctx.command_language.reserved and ctx.store.players.find(n) is None)


def _read_address(ctx: Context, addresses: Sequence[str]) -> tuple[str, list[PlayerError]]:
    """Return the invited address. Raises PlayerError if there is a problem with it."""
    if len(addresses) > 1:
        return "", [
            PlayerError("You can invite only one address at a time.", "For the other players, write their userids.")
        ]
    try:
        address = read_address(addresses[0])
    except PlayerError as e:
        return "", [e]
    if ctx.site.signer.accepts(address):
        return "", [PlayerError("That is the address of this server.", "Write the address of a friend.")]
    return address, []


def _limits(ctx: Context, sender: Player, address: str) -> Iterator[PlayerError]:
    """Apply the limits against unwanted mail. None depends on whether the address has an account."""
    most, waiting = ctx.site.policy.invitations_a_day, ctx.site.policy.unanswered_invitations
    try:
        ctx.spend(sender, _KIND, most, f"You can send {most} invitations a day.")
        ctx.spend_on_stranger(_KIND, "The server is sending too many invitations at the moment.")
    except PlayerError as e:
        yield e
    # No other invitation of the sender comes between, because all of them use one allowance.
    if ctx.store.challenges.count_invitations(sender.id, ctx.now) >= waiting:
        yield PlayerError(
            f"{waiting} of your invitations have no answer yet.",
            f"Wait for an answer. Without one, an invitation ends after {days(INVITATION_LASTS.days)}.",
        )
    if address and not ctx.is_first_letter(_KIND, address, INVITED_EVERY):
        yield PlayerError(
            "That address was invited less than a week ago.",
            "Wait for the answer, or write to your friend yourself.",
        )
    if address and ctx.store.banned.of(address):
        yield PlayerError("Nobody can be invited at that address: its mails are not read on this server.")
    if address and ctx.store.challenges.refuses_invitations(_keyed_hash(ctx, address)):
        yield PlayerError(
            "The owner of that address does not want invitations.",
            "Write to your friend yourself, and ask them to sign up.",
        )


def _keyed_hash(ctx: Context, address: str) -> str:
    """Return the hash to store for an address whose owner wants no invitations."""
    return ctx.site.signer.keyed_hash(address.lower())


def _dump(terms: Terms) -> dict[str, object]:
    """Return terms in the form that is stored with an invitation."""
    options, settings = dict(terms.options), asdict(terms.settings)
    return {"game": terms.game.info.key, "options": options, "settings": settings, "random": terms.random}


def _load(data: Json) -> Terms:
    return Terms(games.find(data["game"]), data["options"], Settings(**data["settings"]), data["random"])
