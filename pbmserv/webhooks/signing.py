"""Signatures of events: the scheme of Standard Webhooks, https://www.standardwebhooks.com/ (HMAC-SHA256)."""

import hmac
from base64 import b64encode
from hashlib import sha256


def headers(event_id: str, timestamp: int, body: bytes, secret: str) -> dict[str, str]:
    """Return the headers with which a receiver can check who sent a body, and when."""
    signed = b".".join((event_id.encode(), str(timestamp).encode(), body))
    mac = b64encode(hmac.digest(secret.encode(), signed, sha256)).decode()
    return {"webhook-id": event_id, "webhook-timestamp": str(timestamp), "webhook-signature": f"v1,{mac}"}
