"""What admins do to boards, players and letters: by the same functions as mails, in one transaction, written down."""
