"""`set … webhook=`: a URL of the player that gets events, after the player has proved to read what it gets."""

import re

from pbmserv.errors import PlayerError
from pbmserv.inbox.command import PASSWORD
from pbmserv.inbox.context import Context
from pbmserv.model import Player
from pbmserv.model.preferences import Preferences
from pbmserv.webhooks import owning
from pbmserv.webhooks.targets import read_target

NAME = Preferences.has_webhook.name
#: Challenges of a player, challenges to a host, and codes that a player sends back, in a day.
ASKED_A_DAY, HOST_A_DAY, CODES_A_DAY = 5, 50, 10
_CODE = re.compile(r"[0-9a-f]{12}")


def set_webhook(ctx: Context, player: Player, value: str) -> None:
    """Ask for a webhook, prove it with its code, or end it."""
    if value == "off":
        owning.end(ctx.letters, player)
        return
    if not ctx.site.policy.webhooks:
        raise PlayerError("This server has no webhooks.", "For letters to a program, see: help robots")
    if _CODE.fullmatch(value.lower()):
        _prove(ctx, player, value.lower())
    elif "://" in value:
        _ask(ctx, player, value.strip("<>"))
    else:
        raise PlayerError(
            "The setting webhook is off, a URL, or the code that your URL got.",
            f"Send for example: set {player.userid} {PASSWORD} webhook=https://bot.example.org/pbm",
        )


def state_of(ctx: Context, player: Player) -> str:
    """Return off, asked, on or suspended."""
    webhook = ctx.store.webhooks.of([player.id]).get(player.id)
    return webhook.state if webhook and ctx.site.policy.webhooks else "off"


def _ask(ctx: Context, player: Player, url: str) -> None:
    target = read_target(url, ctx.site.policy.webhook_ports)
    if not ctx.authentication.is_confirmed(player):
        raise PlayerError("First confirm your address: answer the letter that asks for it.")
    ctx.spend(player, NAME, ASKED_A_DAY, f"You can name {ASKED_A_DAY} webhooks a day.")
    ctx.spend_on_host(target.host, HOST_A_DAY, "Too many players have named this host today.")
    owning.ask(ctx.letters, player, target)


def _prove(ctx: Context, player: Player, code: str) -> None:
    ctx.spend(player, f"{NAME} code", CODES_A_DAY, f"You can send {CODES_A_DAY} codes a day.")
    if (webhook := owning.asked(ctx.letters, player)) is None:
        raise PlayerError(
            "No webhook of yours waits for a code.",
            f"To get a code, send: set {player.userid} {PASSWORD} webhook=https://bot.example.org/pbm",
        )
    if not owning.turn_on(ctx.letters, player, webhook, code, PASSWORD):
        raise PlayerError("This is not the code of your webhook.", "Look at the last one that your URL got.")
