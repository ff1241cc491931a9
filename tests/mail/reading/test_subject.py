"""A subject loses what mailers and lists put around it, and nothing else."""

import pytest

from pbmserv.mail.reading.headers import bare_subject

COMMAND = "tumble move 101 alice s3cret h4-f6"
AROUND = (
    "Re: {}",
    "RE:{}",
    "re : {}",
    "Re[2]: {}",
    "Re(3): {}",
    "Re^4: {}",
    "Re*5: {}",
    "Fwd: Re: AW: {}",
    "WG: SV: VS: {}",
    "TR : RE : {}",
    "RV: RES: ENC: {}",
    "R: RIF: I: {}",
    "Antw: Doorst: {}",
    "Odp: PD: {}",
    "Отв: HA: {}",
    "回复：转发: {}",
    "答复: {}",
    "返信: {}",
    "YNT: İLT: {}",
    "[pbm] {}",
    "[pbm] Re: [players] {}",
    "Re: [pbm] {} (fwd)",
    "{} (Fwd) (fwd)",
    "[Fwd: {}]",
)
KEPT = (
    COMMAND,
    "re 101",
    "tumble move 101 alice s3cret e5h5t:b2c2",
    "reply: yes",
    "list [tumble]",
    "[",
    "Re",
    "(fwd) x",
)


@pytest.mark.parametrize("around", AROUND)
def test_what_was_put_around_is_removed(around: str) -> None:
    assert bare_subject(around.format(COMMAND)) == COMMAND


@pytest.mark.parametrize("subject", KEPT)
def test_what_only_looks_like_it_stays(subject: str) -> None:
    assert bare_subject(subject) == subject


@pytest.mark.parametrize("subject", ["", "Re:", "Re: Re: ", "[pbm]", "Fwd: [pbm] (fwd)"])
def test_nothing_may_remain(subject: str) -> None:
    assert bare_subject(subject) == ""
