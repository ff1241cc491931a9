"""No webhook leads to an address that is not public, in whichever way it is written."""

from ipaddress import ip_address

import pytest

from pbmserv.webhooks.guard import NotAllowed, checked, is_public

CLOSED = [
    "0.0.0.0",  # noqa: S104
    "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "100.100.100.200", "127.0.0.1",
    "127.255.255.254", "168.63.129.16", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255",
    "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:0:a00:1::", "2001:2::1",
    "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::", "3fff::1", "5f00::1", "fc00::1",
    "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1", "2606:4700::1%eth0",
]  # fmt: skip
OPEN = ["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
        "172.32.0.0", "192.0.1.1", "192.167.255.255", "223.255.255.255", "2606:4700::1111", "2a00:1450::1"]  # fmt: skip


@pytest.mark.parametrize("text", CLOSED)
def test_what_is_not_public(text: str) -> None:
    assert not is_public(ip_address(text))
    with pytest.raises(NotAllowed, match="not public"):
        checked([text], ())


@pytest.mark.parametrize("text", OPEN)
def test_what_is_public(text: str) -> None:
    assert is_public(ip_address(text))
    assert checked([text, text], ()) == [text]


@pytest.mark.parametrize("text", CLOSED)
def test_one_of_several_is_enough(text: str) -> None:
    with pytest.raises(NotAllowed):
        checked(["8.8.8.8", text], ())


@pytest.mark.parametrize("found", [[], ["localhost"], ["0x7f.1"], ["8.8.8.8", "nonsense"]])
def test_what_is_no_address(found: list[str]) -> None:
    with pytest.raises(NotAllowed, match="no address"):
        checked(found, ())


def test_the_operator_can_allow_a_network() -> None:
    assert checked(["192.168.7.9"], ["192.168.7.0/24", "fd00::/64"]) == ["192.168.7.9"]
    assert checked(["fd00::1"], ["192.168.7.0/24", "fd00::/64"]) == ["fd00::1"]
    with pytest.raises(NotAllowed):
        checked(["192.168.8.9"], ["192.168.7.0/24"])
    with pytest.raises(NotAllowed):
        checked(["::ffff:192.168.7.9"], ["192.168.7.0/24"])
