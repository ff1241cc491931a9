"""Where webhooks may lead: only to public addresses, whatever a name says today or the next moment.

The address that was checked is the address that is connected to, so a name that changes between the two changes
nothing (DNS rebinding).
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Network = str

# Python's is_global changed its mind between releases, so the networks are listed (IANA's registries of special-purpose
# addresses, RFC 6890).
_CLOSED_IPV4 = [
    ip_network(text)
    for text in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",  # private (RFC 1918)
        "100.64.0.0/10",  # behind the NAT of a provider (RFC 6598); metadata of one cloud, too
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's host, which tells metadata, at a public address
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; metadata of one cloud
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
]
#: All public IPv6 addresses are in here. Outside are loopback, link-local and private ones, multicast, IPv4-mapped and
#: IPv4-compatible ones, and both prefixes of NAT64.
_OPEN_IPV6 = ip_network("2000::/3")
_CLOSED_IPV6 = [
    ip_network(text)
    for text in (
        "2001::/23",  # protocol assignments; Teredo, which contains IPv4 addresses
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: contains IPv4 addresses
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
]


class NotAllowed(Exception):
    """A URL leads to an address or a port to which no webhook may lead."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether anybody in the internet could have this address."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED_IPV4)
    plain = not (address.scope_id or address not in _OPEN_IPV6)
    return plain and not any(address in network for network in _CLOSED_IPV6)


def checked(addresses: Sequence[str], networks: Sequence[Network]) -> list[str]:
    """Return the addresses to connect to, each once. Raises NotAllowed if one is not allowed, or if there is none.

    `networks`: those that the operator allows, although they are not public.
    """
    allowed = [ip_network(text) for text in networks]
    try:
        parsed = [ip_address(text) for text in addresses]
    except ValueError:
        raise NotAllowed("its name leads to no address") from None
    for address in parsed:
        if not is_public(address) and not any(address in n for n in allowed if n.version == address.version):
            raise NotAllowed("its name leads to an address that is not public")
    if not parsed:
        raise NotAllowed("its name leads to no address")
    return list(dict.fromkeys(map(str, parsed)))
