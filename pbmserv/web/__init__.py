"""The read-only web pages. They show what a stranger can ask for by mail, and players what their letters show.

Nothing here writes. Only the pages of players (own_page.py) need the secret key, to check their links.
"""
