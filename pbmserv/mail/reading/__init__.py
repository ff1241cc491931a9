"""From the bytes of a mail to what somebody wrote."""
