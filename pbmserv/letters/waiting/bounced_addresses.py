"""Handles letters that do not arrive, and letters that their readers call spam.

If a letter does not arrive, the bounce counts against the address (suspension.py), and the seat loses no time.
"""

from collections.abc import Sequence
from datetime import datetime

from pbmserv.boards.absences import vacation_caps
from pbmserv.boards.clocks import deadlines
from pbmserv.boards.news import BoardNews
from pbmserv.letters.board_letters import write_news
from pbmserv.letters.letters import Letters
from pbmserv.letters.site import Site
from pbmserv.letters.waiting import suspension
from pbmserv.letters.waiting.finisher import marks_of
from pbmserv.mail import signed_addresses
from pbmserv.mail.bounce_reports import About
from pbmserv.mail.envelope import LetterStatus
from pbmserv.mail.signed_addresses import Signer, Token
from pbmserv.model import BoardRow, Player
from pbmserv.model.preferences import Preferences
from pbmserv.store import Store


def lost(store: Store, letters: Letters, letter_id: int, status: LetterStatus, receipt: str, now: datetime) -> None:
    """Note that a letter will never arrive because of its address. A second report about it changes nothing."""
    letter = store.letters.lose(letter_id, status, receipt, now)
    if letter is None:
        return
    suspension.count_bounce(store, letter.recipient, now)
    row = store.boards.find(letter.board) if letter.board is not None else None
    if row is not None and letter.created >= row.changed:  # otherwise the letter was about another turn
        _pause(store, letters, row, now)


def returned(store: Store, signer: Signer, about: About) -> int | None:
    """Return the letter that a report is about; None if it names none of ours, or none to a recipient that it names.

    Only who got a letter knows its Message-ID, because it is signed. So nobody else can report that it came back.
    """
    ours = [id_ for id_ in about.message_ids if signer.verify(id_[1:].partition("@")[0])]
    marks = [mark for id_ in ours for mark in marks_of(id_, signer)]
    return store.letters.sent_to(about.recipients, marks) if marks and about.recipients else None


def heard_from(store: Store, player_id: int, address: str, now: datetime) -> None:
    """Note that a proved player wrote from this address: if it is one of the player's addresses, it works."""
    if store.addresses.note_life(player_id, address):
        _resume(store, player_id, now)


def confirmed(store: Store, player_id: int, address_id: int, now: datetime) -> None:
    """Note that the owner of an address confirmed that it works."""
    if store.addresses.revive(address_id):
        _resume(store, player_id, now)


def unwanted(store: Store, site: Site, letters: Sequence[Token], who: str, now: datetime) -> None:
    """Note that readers called letters spam. They get fewer letters until they change this setting.

    `letters`: the contents of the addresses in the report that only these readers had; `who`: who sent the report.
    """
    for letter in letters:
        address = store.letters.recipient(letter.numbers[0]) if letter.purpose == signed_addresses.VERP else None
        players = store.players.at(address) if address else []
        if letter.purpose in signed_addresses.OF_A_BOARD and (row := store.boards.find(letter.numbers[0], lock=False)):
            players = [row.players[letter.numbers[1]]]
        for player in players:
            _spare(store, player, who, now)
        if address:
            store.challenges.refuse_invitations(site.signer.keyed_hash(address.lower()), now)


def _spare(store: Store, player: Player, who: str, now: datetime) -> None:
    """Let a player get fewer letters, and record this once."""
    if store.players.preferences([player.id])[player.id].wants_fewer:
        return
    for preference, value in ((Preferences.wants_fewer, "on"), (Preferences.wants_broadcasts, "off")):
        store.players.set_preference(player.id, "", preference.name, value)
    store.operations.add_event(now, who, f"player {player.userid}: fewer letters", "called a letter spam")


def _pause(store: Store, letters: Letters, row: BoardRow, now: datetime) -> None:
    """Stop the time of the seats that are to move and cannot be reached, and tell the others, once in a turn."""
    unreachable = store.addresses.unreachable({p.id for p in row.players})
    after = list(row.clocks)
    for seat in row.board.to_move:
        if row.players[seat].id in unreachable:
            after[seat] = deadlines.pause(row.clocks[seat], row.settings, now.timestamp())
            store.boards.set_clock(row.number, seat, after[seat])
    if after == list(row.clocks):
        return
    paused = store.boards.find(row.number)
    for player in dict.fromkeys(row.players):
        if paused is not None and player.id not in unreachable:
            write_news(letters, BoardNews(paused, row.board.length, only=player))


def _resume(store: Store, player_id: int, now: datetime) -> None:
    """Let the time of a player's seats run again."""
    moment = now.timestamp()
    paused = store.board_lists.paused_seats(player_id, moment)
    for number, seat in paused:
        row = store.boards.find(number)
        if row is not None:
            began = row.created.timestamp()
            away = vacation_caps.away_until(store, [player_id], row.settings, began, moment).get(player_id)
            store.boards.set_clock(number, seat, deadlines.resume(row.clocks[seat], row.settings, moment, away))
