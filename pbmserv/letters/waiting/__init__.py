"""Letters that wait in the outbox: what is stored of them, and how they become messages when they are sent."""
