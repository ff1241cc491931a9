"""Mail that is fetched from a mailbox by IMAP (RFC 9051, RFC 3501)."""
