"""What admins do to boards, players and letters.

Each action uses the functions that mails use, in one transaction, and is recorded.
"""
