#!/bin/sh
# Postfix in a container in front of several pbmserv servers. postfix.md has the reasons, many-machines.md the differences.
# DOMAIN is the mail domain, PBMSERV_ADDRESS the service address in it.
set -eu
# When it is installed without questions, Debian's package creates no main.cf.
[ -e /etc/postfix/main.cf ] || cp /usr/share/postfix/main.cf.debian /etc/postfix/main.cf

# Debian's names this container alone, so it would take no letter from pbmserv; mynetworks_style counts only without it.
postconf -X mynetworks

postconf -e \
    "maillog_file = /dev/stdout" \
    "inet_interfaces = all" \
    "myhostname = mx.$DOMAIN" \
    "mydestination =" \
    "mynetworks_style = subnet" \
    "recipient_delimiter = +" \
    "relay_domains = $DOMAIN" \
    "relay_recipient_maps = inline:{ $PBMSERV_ADDRESS=OK, postmaster@$DOMAIN=OK, abuse@$DOMAIN=OK }" \
    "transport_maps = inline:{ $DOMAIN=pbmserv:inet:pbmserv:2424 }" \
    "pbmserv_destination_recipient_limit = 10" \
    "pbmserv_destination_concurrency_limit = 10" \
    "unverified_recipient_reject_code = 550" \
    "address_verify_poll_delay = 1s" \
    "address_verify_negative_refresh_time = 10s" \
    "address_verify_negative_expire_time = 10s"

# Port 25 relays for nobody: with the address translation of containers, a stranger can seem to be on the local network.
postconf -e \
    "smtpd_relay_restrictions = reject_unauth_destination" \
    "smtpd_recipient_restrictions = reject_unauth_destination, check_recipient_access inline:{ $DOMAIN=reject_unverified_recipient }"
# pbmserv sends its letters to a port that is not published.
postconf -M "10025/inet=10025 inet n - n - - smtpd"
postconf -P \
    "10025/inet/smtpd_relay_restrictions=permit_mynetworks,reject" \
    "10025/inet/smtpd_recipient_restrictions=permit_mynetworks,reject"
postconf -M "pbmserv/unix=pbmserv unix - - n - - lmtp"
postconf -P "pbmserv/unix/lmtp_send_xforward_command=yes"

mkdir -p /var/spool/postfix/etc
cp /etc/resolv.conf /etc/hosts /etc/services /etc/nsswitch.conf /var/spool/postfix/etc/ # in its chroot, smtpd sees only these
exec postfix start-fg
