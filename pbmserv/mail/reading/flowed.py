"""format=flowed (RFC 3676): a line that ends in a space goes on in the next one."""


def unwrap(text: str, *, delsp: bool) -> str:
    """`text` with its paragraphs joined, its space-stuffing removed and quoted lines as `>`s, a space and words.

    With `delsp` the space at the end of a joined line is deleted (for writing without spaces between words).
    """
    done: list[str] = []
    pieces: list[str] = []  # of the paragraph that is being joined
    depth = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        words = line.lstrip(">")
        quotes = len(line) - len(words)
        words = words.removeprefix(" ")
        if pieces and (quotes != depth or words == "-- "):  # §4.5: a paragraph ends where the quoting changes
            done.append(_joined(pieces, depth))
            pieces = []
        depth = quotes
        flows = words.endswith(" ") and words != "-- "
        pieces.append(words[:-1] if flows and delsp else words)
        if not flows:
            done.append(_joined(pieces, depth))
            pieces = []
    return "\n".join([*done, _joined(pieces, depth)] if pieces else done)


def _joined(pieces: list[str], depth: int) -> str:
    return (">" * depth + " " if depth else "") + "".join(pieces)
