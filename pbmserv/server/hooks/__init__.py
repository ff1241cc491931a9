"""The sender of events to webhooks. It has its own loop, so a webhook that hangs delays no letter."""
