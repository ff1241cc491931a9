"""Tests that every game must pass: our games and those of other packages.

Run them for all installed games, or for one game by its key. You need pytest and hypothesis, which nothing else in
pbmserv needs:

    pytest --pyargs pbmserv.conformance
    pytest --pyargs pbmserv.conformance -k KEY

The tests find a game through `pbmserv.games.all_games()`: its package declares it with the entry point "pbmserv.games".
`-m "not slow"` leaves out the slow tests.

Golden transcripts. Every game has at least one whole game as a readable text, `KEY-NAME.txt`: options, seats, seed,
then the moves with their notes, diagrams and the result. It is in the folder `golden` of the game's package (for
pbmserv's own games: in `tests/golden` of the source tree). `pytest --pyargs pbmserv.conformance --golden` rewrites
the transcripts: it takes the moves from the file and writes everything else again. A game without a transcript gets
one with random moves. To choose the moves yourself, write the head and the moves by hand:

    Options: -c
    Seats: 2
    Seed: 0123456789abcdef0123456789abcdef
    > 1. Black: h4-g4
    > 2. White: a5-b5
    > Black resigns

and run `--golden`. Only lines that begin with `>` are read as moves. `Options: none` means a board without options.
If you run pbmserv from its source tree without installing it, add `-p pbmserv.conformance.plugin` to get the option.
"""
