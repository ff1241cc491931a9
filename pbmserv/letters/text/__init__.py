"""The text of letters: templates, blocks, languages."""
