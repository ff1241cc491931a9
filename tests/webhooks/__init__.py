"""Tests of where webhooks may lead, and of the requests themselves."""
