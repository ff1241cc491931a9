"""Carries out answers to our letters."""
