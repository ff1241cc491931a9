"""Commands that hand mails to the server."""
