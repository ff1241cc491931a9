"""What the people who run a site have decided about its players, their mails and their time."""

from pydantic import BaseModel, ConfigDict, Field


class Policy(BaseModel):
    """The settings that letters and commands go by; config.py reads them with all others (PBMSERV_TRUST_FROM …)."""

    model_config = ConfigDict(frozen=True)

    trust_from: bool = False  #: From is enough to challenge in one's own name
    confirm_addresses: bool = True  #: an address gets nothing but the question until it is confirmed
    authserv: str = ""  #: the name under which our own MTA writes Authentication-Results (RFC 8601)
    vacation_days: float = Field(default=30, ge=0, le=366)  #: in a calendar year
    # A day at least: by these records is counted what is done once a day, such as a notice to a stranger.
    retention_days: float = Field(default=400, ge=1, le=36500)  #: until records of mails lose what they say of people
    letters_days: float = Field(default=30, ge=1, le=36500)  #: until delivered letters are deleted
