"""All that speaks SMTP and LMTP, in and out."""
