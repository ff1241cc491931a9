"""Every game has golden transcripts and still plays them in the same way."""

from difflib import unified_diff

import pytest

from pbmserv.conformance.golden import NoTranscript, Transcript
from pbmserv.errors import PlayerError

_SHOWN = 30  #: the most lines of a difference to show


def test_golden_transcript(transcript: Transcript, pytestconfig: pytest.Config) -> None:
    if transcript.is_left_out:
        pytest.skip("the transcripts of pbmserv's own games are in its source tree")
    if pytestconfig.getoption("--golden", default=False):
        _demand(transcript)
        transcript.write()
    if not transcript.exists:
        pytest.fail(
            f"{transcript.game.info.name} has no golden transcript. Run pytest with --golden: it writes "
            f"{transcript.path}; read it, check it against the rules, and commit it."
        )
    made, kept = _demand(transcript), transcript.read()
    difference = list(unified_diff(kept.splitlines(), made.splitlines(), str(transcript.path), "played now", n=2))
    assert made == kept, "\n".join(
        [
            "The game does not play this transcript as it is written. If that is meant, running boards would change "
            "under their players: give the new rules a new `info.rules`, then run pytest with --golden.",
            *difference[:_SHOWN],
        ]
    )


def _demand(transcript: Transcript) -> str:
    """Return the right content of the transcript. Fails if its moves cannot be played."""
    try:
        return transcript.made()
    except (NoTranscript, PlayerError) as wrong:
        pytest.fail(
            f"{transcript.path} cannot be played: {wrong} Correct it, or delete it and run pytest with --golden "
            f"for one with random moves."
        )
