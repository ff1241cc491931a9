"""Seats whose players have left: how a substitute takes one."""
