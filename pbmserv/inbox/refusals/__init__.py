"""What players read about a line that did nothing."""
