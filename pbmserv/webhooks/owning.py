"""How a player gets a webhook: by naming a URL, and sending back the code that it gets."""

import hmac
import secrets

from pbmserv.boards.absences import lost_time
from pbmserv.letters.letters import Letters
from pbmserv.model import Player, WebhookRow
from pbmserv.model.letters import EventKind
from pbmserv.model.players import WebhookState
from pbmserv.model.preferences import Preferences
from pbmserv.webhooks import signing
from pbmserv.webhooks.events import event
from pbmserv.webhooks.posts import CODE_WITHIN
from pbmserv.webhooks.targets import Destination

_NAME = Preferences.has_webhook.name


def end(letters: Letters, player: Player) -> None:
    """Forget the webhook of a player, and what waits for it."""
    letters.store.webhooks.remove(player.id)
    letters.store.players.set_preference(player.id, "", _NAME, "off")
    letters.store.letters.drop_events(player.id, f"{_NAME}=off", letters.now)


def ask(letters: Letters, player: Player, target: Destination) -> None:
    """Let a code go to a URL. What the player had before ends, so that events never go to two places."""
    end(letters, player)
    sealed = letters.site.signer.seal.close(target.url.encode())
    webhook = WebhookRow(player.id, sealed, target.form, secrets.randbits(60), WebhookState.ASKED, letters.now)
    letters.store.webhooks.put(webhook)
    letters.queue_event(player, event(EventKind.CHALLENGE, {"player": player.userid}))


def asked(letters: Letters, player: Player) -> WebhookRow | None:
    """Return the webhook of a player that waits for its code; None: there is none, or its time is over."""
    webhook = letters.store.webhooks.of([player.id]).get(player.id)
    since = lost_time.ago(letters.now, CODE_WITHIN, lost_time.absences(letters.store))
    return webhook if webhook and webhook.state == WebhookState.ASKED and webhook.since > since else None


def turn_on(letters: Letters, player: Player, webhook: WebhookRow, code: str, password: str) -> bool:
    """Turn a webhook on if this is its code, and return whether it is. Its secret goes to the player by letter.

    `password`: what stands for the password in examples.
    """
    signer = letters.site.signer
    if not hmac.compare_digest(signing.code_of(signer, webhook), code):
        return False
    letters.store.webhooks.set_state(player.id, WebhookState.ON, letters.now)
    letters.store.players.set_preference(player.id, "", _NAME, "on")
    data = {"player": player.userid, "what": "on", "secret": signing.secret_of(signer, webhook), "password": password}
    letters.write("webhook", letters.addresses(player), "Your webhook", data, language=letters.language(player))
    return True
