"""OpenSpiel plays along: our games are compared with those of an independent program.

It runs in a process of its own (process.py), because it can crash in legal play. `agreement.compare` plays random
games with our rules and with its rules side by side. Install it with the extra `oracle`; without it, these tests are
skipped.
"""
