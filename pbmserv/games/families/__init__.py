"""Games of a family share an engine of rules; each of them is a row of data (docs/adding-a-variant.md)."""
