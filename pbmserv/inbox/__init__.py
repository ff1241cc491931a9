"""Handles one mail in one transaction: from its lines to their results."""
