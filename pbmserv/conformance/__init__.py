"""What every game has to keep, as tests: for our games and for those of other packages.

Run it over all installed games, or over one by its key (pytest and hypothesis have to be installed, nothing else
of pbmserv needs them):

    pytest --pyargs pbmserv.conformance
    pytest --pyargs pbmserv.conformance -k KEY

A game is found through `pbmserv.games.all_games()`, that is, as soon as its package declares it under the entry point
"pbmserv.games". `-m "not slow"` leaves out the long runs.

Golden transcripts. Every game brings at least one whole game as a readable text, `KEY-NAME.txt`: options, seats, seed,
then the moves with their notes, diagrams and the result. It is kept in the folder `golden` of the game's
package (for pbmserv's own games: in `tests/golden` of the source tree). `pytest --pyargs pbmserv.conformance --golden`
rewrites the transcripts: the moves are taken from the file, everything else is made anew; a game that has none gets one
with random moves. To choose the game by hand, write the head and the moves yourself:

    Options: -c
    Seats: 2
    Seed: 0123456789abcdef0123456789abcdef
    > 1. Black: h4-g4
    > 2. White: a5-b5
    > Black resigns

and run `--golden`. Only lines that begin with `>` are read as moves; `Options: none` is a board without options. Where
pbmserv is not installed but run from its source tree, `-p pbmserv.conformance.plugin` brings the option.
"""
