"""The links of a player's own that lead to no board: whose link it is that `set` has made, if it still holds."""

from collections.abc import Callable
from typing import NamedTuple

from starlette.exceptions import HTTPException

from pbmserv.letters.site import Site
from pbmserv.mail.signed_addresses import MOST_CHARACTERS
from pbmserv.model import Player
from pbmserv.model.preferences import Preferences
from pbmserv.web.visit import Visit


class Secret(NamedTuple):
    """A kind of such links. `nonce`: what is stored of it; `changed`: what is said of a link that has ended."""

    purpose: str
    nonce: Callable[[Preferences], str]
    changed: str


def reader(visit: Visit, site: Site, secret: Secret) -> tuple[Player, Preferences]:
    """Return whose link the path has. Raises HTTPException: 404 if we did not sign it, 410 if it has ended."""
    words = visit.path["token"]
    token = site.signer.verify(words) if len(words) <= MOST_CHARACTERS else None
    player = visit.store.players.by_id(token.numbers[0]) if token and token.purpose == secret.purpose else None
    if token is None or player is None or len(token.numbers) != 2:
        raise HTTPException(404)
    wants = visit.store.players.preferences([player.id])[player.id]
    visit.state.language = wants.language
    code = site.secret_code(secret.purpose, player, secret.nonce(wants))
    if player.password_hash is None or token.numbers[1] != code:
        raise HTTPException(410, secret.changed)
    return player, wants
