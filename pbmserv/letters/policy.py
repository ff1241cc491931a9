"""The settings that decide how a site treats its players, their mails and their time."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Interval


@dataclass(frozen=True)
class Policy:
    """The settings that letters and commands go by. config.py reads them (PBMSERV_…), and checks the intervals."""

    trust_from: bool = False  #: players can challenge without a password; the From header is enough
    confirm_addresses: bool = True  #: until an address is confirmed, it gets only the confirmation letter
    plus: bool = True  #: our provider takes mail to name+anything@domain; else signed words stand in subjects (ADR 92)
    operator: str = ""  #: gets the mail to postmaster and abuse; "": it is read like mail to the service address
    weekly_letter: bool = False  #: the operator gets a letter each week: server/chores/weekly_letter.py
    games: tuple[str, ...] = ()  #: the keys of the games of which boards can begin; (): all that are installed
    web_url: str = ""  #: where browsers reach the web pages, such as https://pbm.example.org; "": letters link no page
    json_lists: bool = False  #: the web pages have their lists and standings as JSON, too
    calendars: bool = True  #: players can have a calendar on the web pages; only with web_url
    webhooks: bool = False  #: players can have events posted to a URL of their own
    webhook_ports: tuple[int, ...] = (443, 8443)  #: the ports of such URLs
    webhook_networks: tuple[str, ...] = ()  #: networks to which they may lead although they are not public
    #: the listener to which `pbmserv web` hands what is posted on its pages, such as lmtp://127.0.0.1:2424: the clicks
    #: that stop letters, and the moves of players' own pages; "": nothing can be posted
    web_listener: str = ""
    acme_folder: str = ""  #: from which the web pages answer a certificate authority; "": they do not
    authserv: str = ""  #: the name under which our own MTA writes Authentication-Results (RFC 8601)
    # Mails that meet a bug of ours are kept in quarantine. Without room there, they get a 451: their senders keep them.
    shelf_mb: Annotated[int, Interval(ge=16, le=100_000)] = 64  #: in MB of 1,000,000 bytes

    # What one person can do to others. Ordinary players do not reach these limits, but programs do.
    messages_a_day: Annotated[int, Interval(ge=0, le=10_000)] = 50  #: players to whom one player writes messages
    chats_a_day: Annotated[int, Interval(ge=0, le=10_000)] = 50  #: chat commands of one player
    challenges_a_day: Annotated[int, Interval(ge=0, le=10_000)] = 50  #: players whom one player challenges
    unanswered_boards: Annotated[int, Interval(ge=1, le=10_000)] = 5  #: in a row with one opponent who has not moved
    invitations_a_day: Annotated[int, Interval(ge=0, le=1000)] = 5  #: of one player, to addresses
    unanswered_invitations: Annotated[int, Interval(ge=0, le=1000)] = 10  #: of one player that wait for an answer
    board_limit: Annotated[int, Interval(ge=0, le=9999)] = 20  #: boards of a game that others can start with one player
    confirmations_a_day: Annotated[int, Interval(ge=1, le=1000)] = 10  #: addresses of one player that get such a letter
    # Letters of one kind in an hour to people who never confirmed an address: confirmations, notices, invitations.
    origin_strangers_an_hour: Annotated[int, Interval(ge=1, le=1_000_000)] = 50  #: for mails of one origin
    strangers_an_hour: Annotated[int, Interval(ge=1, le=1_000_000)] = 200  #: for all mails
    # Answers to one address in a day. Moves and board letters do not count. Ordinary players do not reach these limits.
    answers_a_day: Annotated[int, Interval(ge=10, le=1_000_000)] = 200
    answer_mb_a_day: Annotated[int, Interval(ge=1, le=100_000)] = 10  #: in MB of 1,000,000 bytes
    # Answers to one address to mails that prove nothing: anybody can write its name into From.
    unproved_answers_a_day: Annotated[int, Interval(ge=1, le=1_000_000)] = 20
    unproved_answer_kb_a_day: Annotated[int, Interval(ge=10, le=100_000_000)] = 200  #: in kB of 1,000 bytes
    # Letters that the relay takes; 0: as many as there are. Many providers have such limits, and refuse what is more.
    letters_an_hour: Annotated[int, Interval(ge=0, le=10_000_000)] = 0
    letters_a_day: Annotated[int, Interval(ge=0, le=100_000_000)] = 0
    vacation_days: Annotated[float, Interval(ge=0, le=366)] = 30  #: in a calendar year
    # At least a day, because these records count things that happen once a day, such as a notice to a stranger.
    retention_days: Annotated[float, Interval(ge=1, le=36500)] = 400  #: until personal data in mail records is erased
    letters_days: Annotated[float, Interval(ge=1, le=36500)] = 30  #: until delivered letters are deleted
