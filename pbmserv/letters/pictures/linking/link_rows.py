"""Rows of links, as HTML."""

from collections.abc import Iterable

from markupsafe import escape


def row(links: Iterable[str]) -> str:
    """Return a row of links; "" if there are none."""
    inside = "".join(links)
    return f"<div>{inside}</div>\n" if inside else ""


def link(uri: str, text: str) -> str:
    """Return a link of a row, which stays whole. `uri`: as it stands in HTML."""
    whole = ";white-space:nowrap" * (not text.isalnum())
    return f'<a style="padding:8px{whole}" href="{uri}">{escape(text)}</a>\n'


def named(cell: str) -> str:
    """Return the beginning of the row with the moves of a cell, to which `#cell` leads."""
    return f'<a name="{escape(cell)}"><b>{escape(cell.upper())}</b></a> &#8594;\n'
