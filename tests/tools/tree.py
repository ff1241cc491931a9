"""The source tree that these tests are a part of: its pages, templates and settings."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
