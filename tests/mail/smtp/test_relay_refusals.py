"""Which replies are about a limit of the relay, and which about an address or a letter."""

import pytest

from pbmserv.mail.smtp.relay_refusals import is_limit, without_names


@pytest.mark.parametrize(
    "reply",
    [
        "550 5.4.5 Daily user sending limit exceeded",
        "550 5.4.5 Tageslimit erreicht",
        "421 4.4.5 Server congested",
        "450 4.7.1 Client host rejected: Greylisted, see http://postgrey.example",
        "451 4.7.650 The mail server has been temporarily rate limited",
        "421 4.7.28 Gmail has detected an unusual rate of unsolicited mail",
        "451 4.7.1 Please try again later",
        "550 5.7.1 You have exceeded your hourly limit",
        "554 5.7.0 Too many messages from this account",
        "550 5.7.232 the number of recipients per day is used up",
        "554 Your access to this mail system has been throttled",
        "450 Requested action not taken: gray listed",
        "452 4.5.3 too many recipients",
        "550 You exceeded the maximum of 300 emails",
        "no connection to the relay: (554, '5.7.1 too many connections from your host')",
    ],
)
def test_a_limit_of_the_relay(reply: str) -> None:
    assert is_limit(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "550 5.1.1 No such user",
        "552 5.2.2 The mailbox is over its quota limit",
        "452 4.2.2 over quota",
        "452 mailbox full: quota exceeded",
        "450 4.2.1 The user is receiving mail at a rate that prevents additional messages from being delivered",
        "552 5.3.4 Message size exceeds fixed limit",
        "552 message too large: limit is 10 MB",
        "554 5.4.6 Too many hops",
        "550 5.7.1 we do not like it",
        "550 5.7.26 Unauthenticated mail is prohibited",
        "451 4.3.0 later",
        "Daily limit",
        "",
    ],
)
def test_no_limit_of_the_relay(reply: str) -> None:
    assert not is_limit(reply)


def test_equal_replies() -> None:
    one, other = (
        without_names(f"550 5.7.1 <{who}>: refused by mx1.relay.example, queue id 4F{n}a")
        for who, n in (("a@b.c", 1), ("d@e", 2))
    )
    assert one == other == "550 5.7.1 refused by queue id"
    assert without_names("550 5.1.1 refused") != without_names("550 5.7.1 refused")
