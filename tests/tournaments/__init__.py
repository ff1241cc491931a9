"""Tests of who meets whom in tournaments, and who stands where."""
