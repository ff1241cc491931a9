"""Several statements in one round trip to PostgreSQL. docs/pipelining.md explains it with one worked move.

`statement.py`: statements that are compiled once, for both databases. `line.py`: the connection to PostgreSQL with its
queue. `noticed.py`: what a transaction asks before it wants the answer, and what it need not ask any more.
"""
