"""`python -m pbmserv`."""

from pbmserv.cli.main import run

run()
