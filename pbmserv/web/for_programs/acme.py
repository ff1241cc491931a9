"""Answers the question of a certificate authority whether a name is ours (RFC 8555 §8.3), from a folder.

The program that gets the certificates writes the answers there, such as `certbot certonly --webroot`: so nothing has
to stop, and no port has to be free, when a certificate is renewed (deploy/certificates.md).
"""

import re
from pathlib import Path

from starlette.exceptions import HTTPException

from pbmserv.web.visit import File, Visit

PATH = "/.well-known/acme-challenge/"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,200}")  # base64url, so no path leads out of the folder
_MOST = 10_000  #: bytes of an answer


def answered(visit: Visit) -> File:
    """Return the answer for the token in the path."""
    folder, token = visit.place.acme_folder, visit.path["token"]
    if folder and _TOKEN.fullmatch(token):
        try:
            with (Path(folder) / PATH.strip("/") / token).open("rb") as file:
                return File(file.read(_MOST), "text/plain", max_age=0)
        except OSError:
            pass
    raise HTTPException(404, "Nobody asks for a certificate with this token.")
