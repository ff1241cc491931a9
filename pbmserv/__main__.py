"""`python -m pbmserv`."""

from pbmserv.cli.entry import run

run()
