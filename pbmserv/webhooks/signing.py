"""Signatures of events: the scheme of Standard Webhooks, https://www.standardwebhooks.com/ (HMAC-SHA256).

And what proves that a player reads what a webhook gets.
"""

import hmac
from base64 import b64encode
from hashlib import sha256

from pbmserv.mail.signed_addresses import WEBHOOK, Signer
from pbmserv.model import WebhookRow


def headers(event_id: str, timestamp: int, body: bytes, secret: str) -> dict[str, str]:
    """Return the headers with which a receiver can check who sent a body, and when."""
    signed = b".".join((event_id.encode(), str(timestamp).encode(), body))
    mac = b64encode(hmac.digest(secret.encode(), signed, sha256)).decode()
    return {"webhook-id": event_id, "webhook-timestamp": str(timestamp), "webhook-signature": f"v1,{mac}"}


def code_of(signer: Signer, webhook: WebhookRow) -> str:
    """Return the code that proves that a player reads what a webhook gets."""
    return signer.keyed_hash(f"webhook:{webhook.player_id}:{webhook.nonce}")[:12]


def secret_of(signer: Signer, webhook: WebhookRow) -> str:
    """Return the secret that signs the events of a player. It is two signatures, so no stored letter has it."""
    numbers = webhook.player_id, webhook.nonce
    return f"{signer.signed(WEBHOOK, *numbers)}-{signer.signed(WEBHOOK, *numbers[::-1])}"
