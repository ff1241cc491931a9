"""How PostgreSQL is reached: by a URL of libpq, which may name several hosts. We do not wait long for one that is gone.

https://www.postgresql.org/docs/current/libpq-connect.html has the parameters.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

#: What holds unless the URL says otherwise. Times are in seconds, only `tcp_user_timeout` in milliseconds.
_DEFAULTS: dict[str, Any] = {
    "target_session_attrs": "read-write",  # the primary, whichever of the hosts that is; never a standby
    "connect_timeout": 5,
    # A host that lost its power says no goodbye. Without these, its sessions would wait a quarter of an hour for it.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    "fallback_application_name": "pbmserv",
}

_READ_ONLY = "25006"  #: PostgreSQL's code (SQLSTATE) for a write to a standby


def parameters(url: str) -> dict[str, Any]:
    """The parameters of a connection. Raises ValueError, without libpq's words, which may contain the password."""
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


def connect(url: str) -> "psycopg.Connection[Any]":
    """A connection to the host that takes writes. Raises psycopg.OperationalError if there is none."""
    from psycopg import Connection

    return Connection.connect(**parameters(url))


def met_a_standby(error: BaseException | None) -> bool:
    """Whether a statement failed because the server has become a standby: this connection will never write again."""
    return getattr(error, "sqlstate", None) == _READ_ONLY
