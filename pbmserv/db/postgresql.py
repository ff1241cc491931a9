"""Connects to PostgreSQL by a libpq URL, which can name several hosts. Timeouts are short, in case a host is down.

The parameters are described at https://www.postgresql.org/docs/current/libpq-connect.html
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbmserv.db.pipelining.line import Connection

#: Defaults, which the URL can override. Times are in seconds, only `tcp_user_timeout` is in milliseconds.
_DEFAULTS: dict[str, Any] = {
    "target_session_attrs": "read-write",  # connect to the primary, never to a standby
    "connect_timeout": 5,
    # A host that loses power does not close its connections. Without these, we would wait a quarter of an hour for it.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    "fallback_application_name": "pbmserv",
}

_READ_ONLY = "25006"  #: PostgreSQL's code (SQLSTATE) for a write to a standby


def parameters(url: str) -> dict[str, Any]:
    """Return the connection parameters. Raises ValueError, without libpq's message, which may contain the password."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ImportError:
        raise ValueError("PostgreSQL needs the extra package: pip install 'pbmserv[postgresql]'") from None
    try:
        return {**_DEFAULTS, **conninfo_to_dict(url)}
    except ProgrammingError:
        raise ValueError(
            "must be postgresql://user@host/database, or postgresql://user@host1,host2/database for a primary with "
            "its standbys; what may follow a question mark are parameters of libpq"
        ) from None


def connect(url: str) -> "Connection":
    """Connect to the host that accepts writes. Raises psycopg.OperationalError if there is none."""
    options = parameters(url)
    from pbmserv.db.pipelining.line import Connection

    # Values are sent as UTF-8. Otherwise the server would take the encoding of the database for that of the values.
    options["client_encoding"] = "UTF8"
    # After a ROLLBACK, psycopg would drop the statements that it has prepared, and with them all others.
    return Connection.connect(prepare_threshold=None, **options)


def met_a_standby(error: BaseException | None) -> bool:
    """Return whether a statement failed because the server has become a standby. The connection is then useless."""
    return getattr(error, "sqlstate", None) == _READ_ONLY
