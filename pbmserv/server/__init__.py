"""The process: what runs in it, and for how long."""
