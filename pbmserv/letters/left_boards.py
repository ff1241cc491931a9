"""Letters to the others when a player leaves boards and tournaments: each says what becomes of their results."""

from collections.abc import Mapping
from dataclasses import replace

from pbmserv.boards.leaving import Left, LeftBoards
from pbmserv.boards.news import BoardNews, News, all_news
from pbmserv.boards.queued_moves import play_queued
from pbmserv.games.base.log import seen_by
from pbmserv.letters import tournament_letters
from pbmserv.letters.board_letters import write_news
from pbmserv.letters.letters import Letters
from pbmserv.model import Player


def write_left(letters: Letters, left: LeftBoards, actor: Player | None = None) -> None:
    """Play the moves that are queued on boards that somebody has left, and write all letters about it.

    `actor`: who left, if that is no news for them.
    """
    for x in left.boards:
        played = play_queued(letters.store, x.row, None, letters.now)
        news = all_news(news_of(letters, replace(x, row=played.row)), played.news)
        write_news(letters, BoardNews(played.row, x.since, actor, news=news))
    for consequence in left.others:
        tournament_letters.opponent_left(letters, consequence)


def news_of(letters: Letters, left: Left) -> Mapping[int, News]:
    """Return what a left board means for a tournament, by the ids of the other players."""
    if not left.told:
        return {}
    row, log = left.row, letters.replays.log(left.row)
    others = {p.id: p for p in row.players if p.id != left.player.id}
    return {id_: News(left.told, seen_by(log, row.seat_to_move(p))) for id_, p in others.items()}
