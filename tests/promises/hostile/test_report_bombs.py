"""Judging a report costs almost no time, whatever a stranger sends to the return address of a letter."""

import time

import pytest

from pbmserv.mail.bounce_reports import Verdict, judge

SECONDS = 0.5  # it takes a few milliseconds; without bounds it took seven seconds
KILO = 1024
BEGINNINGS = (
    b"",
    b"The following addresses had\nTranscript of session follows\n",
    b"This message was created automatically by mail delivery software\n",
    b"Hi. This is the qmail-send program\n",
    b"failed addresses follow:\n",
    b"Invalid final delivery userid:\n",
    b"Sorry, unable to deliver your message to\n",
    b"Delivery to the following recipients failed\n",
    b"Your message\n",
)
PIECES = (b" ", b"\t", b"\n", b"\r", b"\x0b", b"a", b"@", b"a@", b"<", b" a", b"\n ", b" \n", b"a\n", b"5", b"550 ")


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_it_takes_no_time(beginning: bytes, piece: bytes) -> None:
    head = b"From: mailer-daemon@example.org\nSubject: Delivery failure\n\n"
    data = head + beginning + piece * (250 * KILO // len(piece))
    start = time.thread_time()
    assert judge(data) in Verdict
    assert time.thread_time() - start < SECONDS


@pytest.mark.parametrize("name", ["X-Failed-Recipients", "Subject", "From", "To", "X-Mailer"])
@pytest.mark.parametrize("piece", [b"(", b":", b"<", b",", b'"', b"\\", b"=?", b"a:", b"a@b,"])
def test_nor_do_its_headers(name: str, piece: bytes) -> None:
    data = f"{name}: ".encode() + piece * (60 * KILO // len(piece)) + b"\n\nx\n"
    start = time.thread_time()
    assert judge(data) in Verdict
    assert time.thread_time() - start < SECONDS


@pytest.mark.parametrize("piece", [b"\n", b"Action: failed\n\n", b"Status: 5", b"a: b\n", b" ", b"\n \n"])
def test_nor_does_a_report_of_nonsense(piece: bytes) -> None:
    data = b"Content-Type: message/delivery-status\n\n" + piece * (250 * KILO // len(piece))
    start = time.thread_time()
    assert judge(data) in Verdict
    assert time.thread_time() - start < SECONDS
