"""`pbmserv doctor`: one line for each check, and advice for each problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from pbmserv.cli.terminal.console import AsJson, console, load_config, print_json

if TYPE_CHECKING:
    from pbmserv.cli.checking.findings import Check, Finding
    from pbmserv.config import Config


def doctor(as_json: AsJson = False) -> None:
    """Check settings, key, disk, database, games, templates, relay, mailbox, ports. Exits with 1 if something is wrong.

    For example: pbmserv doctor
    """
    from pbmserv.cli.checking.checks import ALL

    findings = examine(load_config(), ALL)
    sick = any(f.status == "failed" for f in findings)
    if as_json:
        print_json({"ok": not sick, "checks": [asdict(f) for f in findings]})
    else:
        for f in findings:
            advice = f"\n           -> {f.advice}" if f.advice else ""
            console.print(f"{f.status:<8} {f.check:<11} {f.said}{advice}", markup=False)
    if sick:
        raise typer.Exit(1)


def examine(config: Config, checks: Sequence[Check]) -> list[Finding]:
    """Run these checks and return their findings."""
    from pbmserv.cli.checking.findings import Finding

    findings: list[Finding] = []
    for check in checks:
        try:
            findings += check(config)
        except (OSError, ValueError) as e:
            findings.append(Finding(check.__name__, "failed", str(e), "correct the setting, or the rights of the file"))
    return findings


def warn_at_start(config: Config) -> None:
    """Log the problems that the fast checks find before a server starts."""
    import structlog

    from pbmserv.cli.checking.checks import AT_START

    log = structlog.get_logger()
    for f in examine(config, AT_START):
        if f.status != "ok":
            log.warning("doctor", check=f.check, said=f.said, advice=f.advice)
