"""Answers to letters about tournaments: join, leave, show and challenge, without a password."""

from pbmserv.boards.seasons import announcing
from pbmserv.commands.tournaments import entering, ladder, showing
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import PASSWORD
from pbmserv.inbox.context import Answer, Context
from pbmserv.inbox.lines.first_line import bare_words, is_plain
from pbmserv.mail.signed_addresses import Token
from pbmserv.model.tournaments import LAST
from pbmserv.tournaments.forms import LADDER

#: What people write on the first line of an answer, and the word that it means.
_WORDS = {
    "join": "join", "enter": "join", "mitmachen": "join", "teilnehmen": "join",
    "leave": "leave", "withdraw": "leave", "verlassen": "leave", "austreten": "leave",
    "show": "show", "standings": "show", "stand": "show", "tabelle": "show", "zeigen": "show",
    "challenge": "challenge", "herausfordern": "challenge",
}  # fmt: skip


def answer_signed(ctx: Context, token: Token, line: str) -> Answer:
    """Handle an answer to a letter about a tournament: join, leave, show or challenge. Raises PlayerError."""
    find_reader(ctx, token)
    number, player = token.numbers[0], ctx.authentication.player
    if player is None:
        raise PlayerError("That account is closed.", f"To open an account, send: signup USERID {PASSWORD}")
    words = bare_words(line) if is_plain(line) else []
    word, rest = _WORDS.get(words[0] if words else ""), words[1:]
    if word is None or len(rest) > (word in ("join", "challenge")):
        raise PlayerError(
            "Nothing was done: the first line of your answer was not understood.",
            _usable(ctx, number),
        )
    if word != "show" and not ctx.authentication.is_own_address(player):
        raise PlayerError(
            "This works only from one of your own addresses.",
            f"Send it with your password: tournament {word} {number} {player.userid} {PASSWORD}",
        )
    if word == "show":
        return showing.shown(ctx, number, player)
    if word == "leave":
        return entering.go(ctx, number, player)
    if word == "join":
        return entering.enter(ctx, number, player, *rest)
    return ladder.challenge(ctx, announcing.demand(ctx.store, number), player, *rest)


def find_reader(ctx: Context, token: Token) -> None:
    """Tell the context who got the letter."""
    player = ctx.store.players.by_id(token.numbers[1])
    if player and player.password_hash is not None:
        ctx.authentication.enter(player)


def _usable(ctx: Context, number: int) -> str:
    tournament = ctx.store.tournaments.find(number)
    if tournament is None or tournament.phase in LAST:
        return "Answer with the word show."
    is_ladder = tournament.plan.form == LADDER
    return f"Answer with one of the words {'join, leave, show or challenge' if is_ladder else 'join, leave or show'}."
