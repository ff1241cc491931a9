"""Tests of the events of players, up to their webhooks."""
