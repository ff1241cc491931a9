"""The words of a letter: templates, blocks, languages."""
