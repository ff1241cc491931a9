"""An answer to the digest: one line for each board, each independent of the others."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pbmserv.boards.news import BoardNews
from pbmserv.errors import PlayerError
from pbmserv.inbox.calls import call_of, reply_call
from pbmserv.inbox.command import Command
from pbmserv.inbox.context import Context, Signed
from pbmserv.mail.signed_addresses import Token
from pbmserv.store.readers import Sent

_LINE = re.compile(r"[ \t]*#?(\d{1,9})[ \t]*(?::[ \t]*|\.?[ \t]+)(\S.*)")
MOST_LINES = 50


@dataclass
class Results:
    """What came of each line."""

    texts: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    news: list[BoardNews] = field(default_factory=list)
    problem: str = ""


def answer(ctx: Context, token: Token, body: str, commands: Sequence[Command]) -> Results:
    """Do what each line says. Raises PlayerError if there is none."""
    sent = ctx.store.readers.digest(*token.numbers)
    ctx.proved = ctx.store.players.by_id(sent.player_id) if sent else None
    lines = lines_of(body)
    if sent is None or not lines:
        raise PlayerError("Your answer names no board.", "Write one line for each board, for example: 101: MOVE")
    results = Results()
    ctx.store.boards.lock(number for number, _ in lines if number in sent.boards)
    for number, words in lines:
        _line(ctx, sent, number, words, commands, results)
    return results


def lines_of(body: str) -> list[tuple[int, str]]:
    """The lines such as `101: e5h5t` at the beginning of an answer: board and words."""
    found = []
    for line in body.splitlines():
        match = _LINE.fullmatch(line)
        if match:
            found.append((int(match[1]), match[2]))
        elif line.strip():
            break
    return found[:MOST_LINES]


def _signed(sent: Sent, number: int) -> Signed:
    if number not in sent.boards:
        raise PlayerError(f"Board {number} was not in that digest.", "To see the running boards, send: list")
    return Signed(number, *sent.boards[number])


def _line(ctx: Context, sent: Sent, number: int, words: str, commands: Sequence[Command], results: Results) -> None:
    shown = f"(board {number})"
    try:
        ctx.signed = _signed(sent, number)
        call = reply_call(ctx.signed_row(), ctx.signed, words, commands)
        shown = ctx.shown(call)
        done = call_of(ctx, call)
    except PlayerError as e:
        results.problem = results.problem or e.text
        results.texts.append(f"> {ctx.say(shown)}\n{ctx.say(e.whole)}")
    else:
        results.texts.append(f"> {ctx.say(shown)}\n{ctx.say(done.text)}")
        results.news += done.boards
    results.calls.append(shown)
