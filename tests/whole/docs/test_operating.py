"""docs/operating.md agrees with the program: its commands, metrics and exit codes exist."""

import json
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pbmserv import metrics
from pbmserv.cli.main import PLACES, pbmserv
from pbmserv.cli.terminal.exits import Exit
from pbmserv.config import Config
from tests.tools.process import free_port
from tests.tools.tree import ROOT
from tests.whole.e2e.test_metrics import scrape

TEXT = (ROOT / "docs/operating.md").read_text()


def test_every_command_exists() -> None:
    named = set(re.findall(r"(?:`|^|&& |pbmserv/bin/)(?:pbmserv|pbm) ([a-z]+)", TEXT, re.MULTILINE))
    assert {"status", "doctor", "backup", "restore", "migrate"} <= named
    assert named <= set(PLACES)


def test_every_setting_exists() -> None:
    named = {name.lower() for name in re.findall(r"PBMSERV_([A-Z_]+)", TEXT)}
    assert named <= set(Config.model_fields)


@pytest.fixture
def exported() -> set[str]:
    """Return the names of all our metrics for Prometheus."""
    place = ("127.0.0.1", free_port())
    end = metrics.serve(*place, "1", lambda: dict.fromkeys(metrics.GAUGES, 0.0))
    try:
        page = scrape(f"{place[0]}:{place[1]}")
    finally:
        end()
    names = {f.name for f in text_string_to_metric_families(page)}
    return {n for n in names if n.startswith("pbmserv_") and not n.endswith("_created")}


@pytest.mark.slow
def test_the_metrics_are_all_named_and_all_there(exported: set[str]) -> None:
    named = set(re.findall(r"`(pbmserv_[a-z_]+?)(?:_total)?(?:\{\w+\})?`", TEXT))
    assert named == exported


@pytest.mark.slow
@pytest.mark.parametrize("file", ["alerts.yaml", "dashboard.json"])
def test_alerts_and_dashboard_use_metrics_that_exist(exported: set[str], file: str) -> None:
    text = (ROOT / "deploy" / file).read_text()
    named = {re.sub("_(total|bucket|sum|count)$", "", name) for name in re.findall(r"\bpbmserv_\w+", text)}
    assert len(named) > 10
    assert named - exported == set()
    if file == "dashboard.json":
        assert {p["type"] for p in json.loads(text)["panels"]} == {"stat", "timeseries"}


def test_the_exit_codes_are_those_of_the_unit() -> None:
    rows = dict(re.findall(r"^\| (\d+) \|.*\| ([a-z ]*)\|$", TEXT, re.MULTILINE))
    gives_up = {code for code, says in rows.items() if says.strip() == "gives up"}
    unit = (ROOT / "deploy/pbmserv.service").read_text()
    listed = re.search(r"^RestartPreventExitStatus=(.*)$", unit, re.MULTILINE)
    assert listed
    assert set(listed[1].split()) == gives_up
    assert {str(code) for code in Exit} <= set(rows)


def test_the_help_names_every_exit_code() -> None:
    named = set(re.findall(r"\b\d\d\b", pbmserv.__doc__ or ""))
    assert named == {str(code) for code in Exit}
