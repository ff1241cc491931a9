"""Accounts: sign up, addresses, password, closing."""

import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

from email_validator import EmailNotValidError, validate_email

from pbmserv.boards import closing_accounts
from pbmserv.boards.news import BoardNews
from pbmserv.commands.first_board import answer_welcome, first_answers, first_lines
from pbmserv.errors import PlayerError
from pbmserv.inbox.command import (
    LOGIN,
    PASSWORD,
    PASSWORD_CHARACTERS,
    USERID_LETTERS,
    YOUR_USERID,
    Arg,
    Call,
    Is,
    is_password,
)
from pbmserv.inbox.context import Answer, Command, Context
from pbmserv.inbox.lines.agreement import YES, agrees, skip_greeting
from pbmserv.inbox.lines.first_line import bare_words
from pbmserv.inbox.lines.spellings import ASKS
from pbmserv.letters.text.blocks import Words
from pbmserv.letters.text.wording import number_word, time_words
from pbmserv.letters.tournament_letters import news_of, opponent_left
from pbmserv.letters.waiting import bounced_addresses
from pbmserv.mail import signed_addresses
from pbmserv.mail.reading.headers import mailbox, normal_address
from pbmserv.mail.signed_addresses import Token
from pbmserv.model import Address, Allowance, Player
from pbmserv.model.letters import LetterKind
from pbmserv.model.operations import player_subject

MAX_ADDRESSES = 5  #: of one player
NEW_ADDRESSES = 2  #: that are asked because of one mail
RESET_WITHIN = timedelta(hours=1)
RESETS_A_DAY = 3  #: the most letters for a new password to one player in a day
_PURPOSE = "reset"
_ASKED_EVERY = timedelta(days=1)
_OWN_QUESTIONS = 5  #: in that time, to an address from which mails come
_ADDRESSES = Arg("address", "where your letters go", optional=True, many=True)
_ASKED = "Please confirm your address"
_HOW_TO_CONFIRM = (
    "To confirm this address, answer with the one word yes. If you did not ask for that, do nothing: it is deleted by "
    "itself."
)
_MOST_BELOW = 8  #: words below one that agrees: a greeting and a name
_OF_PROGRAMS = re.compile(r"\d\d|[#/]")
_TAKEN = (
    "That userid is taken.\n"
    "Choose another one, for example with a number at its end. If the account is yours, send its password."
)
_NEW_PASSWORD = f"{PASSWORD_CHARACTERS} without spaces, quotes or colons"


def signup(ctx: Context, call: Call) -> Answer:
    """`signup userid password [address …]`: create an account, or add addresses to your own."""
    userid, password = call.values["userid"], call.values["password"]
    _demand_own_words(password)
    addresses = wanted_addresses(ctx, call)
    player, is_new = ctx.store.players.find(userid), False
    if player is None:
        demand_free(ctx, userid)
        player, is_new = ctx.store.players.add(userid, ctx.authentication.password_hash(password), ctx.now), True
    elif not ctx.authentication.is_password(player, password):
        new = ctx.store.players.renamed_to(player)
        told = [f"Its player is called {new.userid} now."] if new else []
        told += [
            f"Choose another one, for example: signup {userid[:17]}-2 PASSWORD\n"
            "If the account is yours, send the line again with its password."
        ]
        raise PlayerError(f"The userid {userid} is taken.", "\n".join(told), unnamed=_TAKEN)
    ctx.authentication.enter(player)
    added = add_addresses(ctx, player, addresses)
    text = welcome(ctx, player, new=is_new, added=bool(added))
    subject = "Welcome" if is_new else "Addresses"
    return Answer(text, subject=subject, reply_to=_to_play(ctx, player), answers=tuple(first_answers(ctx)))


SIGNUP = Command(
    "signup",
    "Opens an account, or adds addresses to your account. Without an address, it takes the one you write from.",
    signup,
    synonyms=("subscribe",),
    args=(
        Arg("userid", f"{USERID_LETTERS}; the other players see it", Is.USERID),
        Arg("password", _NEW_PASSWORD, Is.NEW_PASSWORD),
        _ADDRESSES,
    ),
    aliases=("add", "sign up", "register", "anmelden", "registrieren"),
    for_strangers=True,
    example="signup {newcomer} {password}",
    second="add {newcomer} {password} second@example.org",
    more="Each address gets one letter. To confirm the address, answer it with the word yes. If nobody confirms the "
    f"address of a new account within {time_words(closing_accounts.CONFIRM_WITHIN)}, the account is deleted. An "
    "additional address is deleted in the same way.\n"
    f"One mail can add at most {number_word(NEW_ADDRESSES)} new addresses.\n"
    "If the userid is taken, choose another one. If it is yours, check the password.",
)


def welcome(ctx: Context, player: Player, *, new: bool, added: bool) -> Words:
    """The text of the answer to `signup`. `new`: the account is; `added`: an address was added to it."""
    return ctx.render("welcome", new=new, added=added, asked=asked(ctx, player), **_first_steps(ctx, player))


def _first_steps(ctx: Context, player: Player) -> dict[str, object]:
    """Return the data about first steps for both welcome letters: see templates/mail/begin.txt."""
    policy = ctx.site.policy
    proof = "" if policy.trust_from or policy.authserv else f" --as={player.userid}:{PASSWORD}"
    return {
        "player": player.userid,
        "proof": proof,
        "languages": ctx.site.renderer.languages,
        "game": ctx.site.usual_game,
        "first": first_lines(ctx, player),
    }


def _to_play(ctx: Context, player: Player) -> str:
    """Return the address where the answer `play` begins a board with a robot; the commands in an answer work, too."""
    return ctx.site.signer.sign(signed_addresses.WELCOME, player.id)


def confirm(ctx: Context, token: Token, word: str) -> Answer:
    """Handle an answer to the confirmation letter: only `yes` confirms the address."""
    address = ctx.store.addresses.by_id(*token.numbers)
    player = ctx.store.players.by_id(address.player_id) if address else None
    if address is None or player is None:
        raise PlayerError("That confirmation letter is too old.", "To get a new one, send: signup USERID PASSWORD")
    is_yes = bare_words(word) == ["yes"] and not ASKS & set(word)
    if not is_yes and not is_agreed(ctx, word, address.address, _ASKED):
        if address.confirmed:  # to somebody who has confirmed it, all our first letters are alike
            return answer_welcome(ctx, Token(signed_addresses.WELCOME, (player.id,)), word)
        raise PlayerError("Nothing was confirmed.", _HOW_TO_CONFIRM)
    if not address.confirmed:
        ctx.store.addresses.confirm(address.id, ctx.now)
        ctx.store.addresses.drop_leaving(player.id)
    ctx.authentication.player = player
    bounced_addresses.confirmed(ctx.store, player.id, address.id, ctx.now)
    text = ctx.render("confirmed", confirmed=address.address, **_first_steps(ctx, player))
    return Answer(text, subject="Welcome", reply_to=_to_play(ctx, player), answers=tuple(first_answers(ctx)))


def is_agreed(ctx: Context, line: str, address: str, subject: str) -> bool:
    """Return whether the reader of a letter agrees to it in words of their own, and no program does (ADR 77).

    A program answers with a title of its own, or adds a number or a paragraph; a person's answer has the title of the
    letter, and few words.
    """
    renderer, mail = ctx.site.renderer, ctx.mail
    says = [renderer.to(language).say for language in renderer.languages]
    titles = {say(title).casefold() for title in (subject, "Error") for say in says}  # an error is answered like it
    is_answer = mail.subject.casefold() in {"", *titles} and not mail.is_generated
    line, below = skip_greeting(line, ctx.body)
    is_short = len(below.split()) <= _MOST_BELOW and not _OF_PROGRAMS.search(below)
    return agrees(line) and is_answer and is_short and mailbox(address) == mailbox(mail.sender)


def find_confirming(ctx: Context, token: Token) -> None:
    """Tell the context which address a confirmation letter asked."""
    if address := ctx.store.addresses.by_id(*token.numbers):
        ctx.owner_of = address.address


def change_password(ctx: Context, call: Call) -> Answer:
    """`change password userid old new`."""
    player = ctx.authentication.login(call)
    if call.values["new"] == call.values["old"]:
        raise PlayerError("The new password is the same as the old one.", "Choose a different one.")
    return _set_password(ctx, player, call.values["new"])


CHANGE_PASSWORD = Command(
    "change password",
    "Changes your password. The old one stops working at once.",
    change_password,
    args=(
        YOUR_USERID,
        Arg("old", "your old password", Is.PASSWORD),
        Arg("new", _NEW_PASSWORD, Is.NEW_PASSWORD),
    ),
    example="change password {userid} {password} NEWPASSWORD",
    second="change password {userid} {password} a-longer-one-is-better",
    more="If the old password is wrong, nothing is changed. Capital letters count. If you have forgotten it, send: "
    "forgot USERID\n"
    "The reply addresses of earlier letters stop working, too. If you answer such a letter, you get a new one.",
)


def change_address(ctx: Context, call: Call) -> Answer:
    """`change address userid password [address …]`: replace all addresses. The old ones get a letter."""
    player = ctx.authentication.login(call)
    addresses = wanted_addresses(ctx, call)
    old = [a.address for a in ctx.store.addresses.of(player.id) if a.confirmed]
    dropped = [a for a in old if a.casefold() not in {w.casefold() for w in addresses}]
    ctx.store.addresses.replace(player.id, addresses)
    add_addresses(ctx, player, addresses)
    ctx.store.addresses.drop_leaving(player.id)
    waiting = any(a.leaving for a in ctx.store.addresses.of(player.id))
    data = {"player": player.userid, "waiting": waiting, "password": PASSWORD}
    if dropped:
        ctx.letters.write("moved", dropped, "Your addresses are changed", data, language=ctx.language)
    return Answer(ctx.render("addresses", asked=asked(ctx, player), **data), subject="Addresses")


CHANGE_ADDRESS = Command(
    "change address",
    "Sends your letters only to these addresses from now on. Without an address, it takes the one you write from.",
    change_address,
    args=(*LOGIN, _ADDRESSES),
    example="change address {userid} {password} new@example.org",
    second="change address {userid} {password} home@example.org work@example.org",
    more="Your old addresses get a letter about this. They also get your other letters until you confirm the first "
    "new address. So a typing error does not lock you out. To add an address and keep the others, use add.\n"
    f"A player can have at most {number_word(MAX_ADDRESSES)} addresses.",
)


def forgot(ctx: Context, call: Call) -> Answer:
    """`forgot userid`: a letter to the player's confirmed addresses; the answer is the same for every userid."""
    userid = call.get("userid")
    player = ctx.store.players.find(userid) if userid else ctx.authentication.probable_player()
    player = (player and ctx.store.players.renamed_to(player)) or player
    to = ctx.letters.addresses(player) if player and player.password_hash else []
    if player and to and not _resets_are_used_up(ctx, player):
        number = secrets.randbits(63)
        ctx.store.players.add_token(_PURPOSE, _hash(number), player.id, ctx.now, ctx.now + RESET_WITHIN)
        reply_to = ctx.site.signer.sign(signed_addresses.RESET, number)
        data, language = {"player": player.userid}, ctx.letters.language(player)
        ctx.letters.write("reset", to, "Your new password", data, reply_to=reply_to, language=language)
    return Answer(ctx.render("forgot"), subject="Forgotten password")


FORGOT = Command(
    "forgot",
    "Sends a letter to your confirmed addresses. With it you set a new password.",
    forgot,
    args=(Arg("userid", "without it, the player with the address from which you write", Is.USERID, optional=True),),
    aliases=("forgot password", "forgot my password", "i forgot my password", "passwort vergessen"),
    example="forgot {userid}",
    second="forgot bob",
    more=f"Answer that letter within {time_words(RESET_WITHIN)}, with the new password alone on the first line. It "
    "works once. If you ask again, only the newest letter works. You can get at most "
    f"{number_word(RESETS_A_DAY)} in a day.\n"
    "The answer to this command is the same for every userid. If no letter comes, check the userid. A player who "
    "never confirmed an address gets no letter.",
)


def reset(ctx: Context, token: Token, first_line: str) -> Answer:
    """Handle an answer to the reset letter: the first line is the new password. Raises PlayerError.

    Each of these letters works once, and for a limited time.
    """
    password = first_line.strip()
    if not is_password(password):
        raise PlayerError(
            f"The first line must be a password of {PASSWORD_CHARACTERS} without spaces, quotes or colons, so "
            "nothing was changed.",
            "Answer the letter again, with only the new password on the first line.",
        )
    id_ = ctx.store.players.use_token(_PURPOSE, _hash(*token.numbers), ctx.now)
    player = ctx.store.players.by_id(id_) if id_ is not None else None
    if player is None:
        raise PlayerError(
            f"You cannot use that letter: it is older than {time_words(RESET_WITHIN)}, was used already, or there is "
            "a newer one.",
            "To get a new one, send: forgot USERID",
        )
    ctx.authentication.enter(player)
    return _set_password(ctx, player, password)


def find_forgetful(ctx: Context, token: Token) -> None:
    """Tell the context which player asked for a new password."""
    id_ = ctx.store.players.token_of(_PURPOSE, _hash(*token.numbers))
    ctx.authentication.player = ctx.store.players.by_id(id_) if id_ is not None else None


def signoff(ctx: Context, call: Call) -> Answer:
    """`signoff userid password`: close the account for good. The other players on its boards get a letter."""
    player = ctx.authentication.login(call)
    to = ctx.letters.addresses(player)
    language = ctx.language  # one of the settings that are erased
    if not ctx.authentication.is_confirmed(player):
        ctx.body = ""
    left = closing_accounts.close(ctx.store, player, ctx.now, ctx.mail_id)
    closed = replace(player, password_hash=None)
    data = {"player": player.userid, "boards": [x.row.number for x in left.boards]}
    ctx.letters.write(LetterKind.FAREWELL, to, "Goodbye", data, language=language)
    for consequence in left.others:
        opponent_left(ctx.letters, consequence)
    return Answer(
        text=f"The account {player.userid} is closed.",
        boards=[BoardNews(x.row, x.since, closed, news=news_of(ctx.letters, x)) for x in left.boards],
        complete=True,
    )


SIGNOFF = Command(
    "signoff",
    "Closes your account permanently. You resign your boards, or decline them if you have not moved there. Your "
    "addresses, password and settings are deleted.",
    signoff,
    args=LOGIN,
    aliases=("delete",),
    may_shorten=False,
    example="signoff {userid} {password}",
    second="delete {userid} {password}",
    more="What you write in the body goes to the other players on your boards. Nobody else can get your userid, and "
    "your finished boards stay readable.\n"
    "Write this command in full. A wrong password changes nothing. If you are away only for a time, see: help "
    "vacation",
)


def wanted_addresses(ctx: Context, call: Call) -> list[str]:
    """The addresses that a call names, each once; without any, the sender's. Raises PlayerError."""
    named = [read_address(a) for a in call.get("address")] or [ctx.mail.sender]
    return list({a.casefold(): a for a in named}.values())


def add_addresses(ctx: Context, player: Player, addresses: Sequence[str]) -> list[Address]:
    """Add those of these addresses that the player does not have, and send each a confirmation letter."""
    return [_add(ctx, player, a) for a in addresses if not _has(ctx, player, a)]


def asked(ctx: Context, player: Player) -> list[str]:
    """Return the addresses of a player that nobody has confirmed yet."""
    return [a.address for a in ctx.store.addresses.of(player.id) if not a.confirmed]


def read_address(text: str) -> str:
    """Return a mail address in the form in which we compare senders, its domain in ASCII (IDNA). Raises PlayerError."""
    try:
        address = normal_address(validate_email(text, check_deliverability=False, allow_smtputf8=False).normalized)
    except EmailNotValidError:
        address = ""
    if not address:
        raise PlayerError("That is not a valid mail address.", "Write it as name@example.org")
    return address


def demand_free(ctx: Context, userid: str) -> None:
    """Raise PlayerError if a userid is a word with a meaning in commands."""
    if userid in ctx.command_language.reserved:
        raise PlayerError(
            f"'{userid}' cannot be a userid, because it is a word used in commands.",
            f"Choose another userid: signup my{userid} PASSWORD",
            unnamed="That userid is a word used in commands.\nChoose another one.",
        )


def _demand_own_words(password: str) -> None:
    """Raise PlayerError if a link or an example was sent as it was."""
    if password in (PASSWORD, f"NEW{PASSWORD}"):
        raise PlayerError(f"{password} stands for a password of your own.", "Write it there.")


def _set_password(ctx: Context, player: Player, password: str) -> Answer:
    _demand_own_words(password)
    ctx.store.players.set_password(player.id, ctx.authentication.password_hash(password))
    text = ctx.render("password", player=player.userid)
    others = [a for a in ctx.letters.addresses(player) if a.casefold() != ctx.mail.sender.casefold()]
    ctx.letters.write("answer", others, "Your password is changed", {"text": text}, language=ctx.language)
    return Answer(text, subject="Your password is changed")


def _resets_are_used_up(ctx: Context, player: Player) -> bool:
    """Return whether the player has got all such letters of this day. If not, count one more."""
    what = ctx.apart(_PURPOSE) if ctx.authentication.is_own_address(player) else _PURPOSE
    use = (player_subject(player.id), Allowance(what, RESETS_A_DAY))
    return bool(ctx.store.operations.spend([use], ctx.now.timestamp()))


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
            f"A player can have at most {MAX_ADDRESSES} addresses.",
            f"To replace your addresses, send: change address {player.userid} {PASSWORD} name@example.org",
        )
    if ctx.store.banned.of(address):
        raise PlayerError("Mails from that address are not read on this server.", "Use another address.")
    added = ctx.store.addresses.add(player.id, address, ctx.now, confirmed=not ctx.site.policy.confirm_addresses)
    if not added.confirmed:
        _ask(ctx, player, added)
    return added


def _ask(ctx: Context, player: Player, address: Address) -> None:
    """Ask the owner of an unconfirmed address to confirm it, at most once a day however the address is spelt.

    Who writes from the address is asked also if others have named it that day. No other letter goes there. Raises
    PlayerError if too many addresses are asked.
    """
    recipient = address.address.lower()
    if mailbox(recipient) == mailbox(ctx.mail.sender):
        is_first = ctx.is_first_letter_to_sender(LetterKind.CONFIRM, _ASKED_EVERY, _OWN_QUESTIONS)
    else:
        is_first = ctx.is_first_letter(LetterKind.CONFIRM, recipient, _ASKED_EVERY)
    if not is_first:
        return
    asked = sum(letter.kind == LetterKind.CONFIRM for letter in ctx.letters.rows)
    if ctx.mail_id is not None and asked >= NEW_ADDRESSES:
        raise PlayerError(
            f"One mail can add at most {NEW_ADDRESSES} new addresses.", "Add the others with another mail."
        )
    most = ctx.site.policy.confirmations_a_day
    ctx.spend(player, LetterKind.CONFIRM, most, f"At most {most} new addresses a day can be added to an account.")
    ctx.spend_on_stranger(LetterKind.CONFIRM, "The server is sending too many confirmation letters at the moment.")
    ctx.letters.write(
        LetterKind.CONFIRM,
        [recipient],
        _ASKED,
        {"player": player.userid, "answers": YES},
        reply_to=ctx.site.signer.sign(signed_addresses.CONFIRM, address.id),
        language=ctx.letters.language(player),
    )
