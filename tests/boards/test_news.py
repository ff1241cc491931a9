"""What letters tell each player besides the board: the news, in the order in which they came."""

from pbmserv.boards.news import BoardNews, News, all_news
from tests.world import World


def test_news_of_one_player_are_joined_in_their_order() -> None:
    first = {1: News("Played.", 5), 2: News("", 3)}
    more = {1: News("Lapsed.", 4), 3: News("Over.", 9)}
    assert all_news(first, more) == {1: News("Played.\nLapsed.", 4), 2: News("", 3), 3: News("Over.", 9)}


def test_the_actors_own_news_come_first(world: World) -> None:
    world.signup("alice", "bob")
    row, alice = world.row(world.board("alice", "bob")), world.player("alice")
    news = BoardNews(row, 7, alice, "Done.", news={alice.id: News("Played from your queue.", 6)})
    assert news.by_player == {alice.id: News("Done.\nPlayed from your queue.", 6)}
    assert BoardNews(row, 7, alice).by_player == {alice.id: News("", 7)}
    assert BoardNews(row, 7).by_player == {}
