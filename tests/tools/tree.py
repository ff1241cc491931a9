"""The source tree of these tests: its pages, templates and settings."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
