"""Letters about tournaments: one for each season or round that begins or ends, and what concerns one player."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from pbmserv import games
from pbmserv.boards.absences.vacations import wants_auto
from pbmserv.boards.closing_accounts import Left, LeftBoards
from pbmserv.boards.news import BoardNews, News, all_news
from pbmserv.boards.queued_moves import play_queued
from pbmserv.boards.seasons.cross_tables import season_of, table
from pbmserv.boards.seasons.withdrawal import Consequence
from pbmserv.games.base.log import seen_by
from pbmserv.letters.board_letters import write_news
from pbmserv.letters.board_page import BesideTheLog, Pages
from pbmserv.letters.letters import Letters
from pbmserv.letters.site import Site
from pbmserv.letters.text import table_lines, times
from pbmserv.letters.text.templates import ENGLISH
from pbmserv.letters.text.translations import Say
from pbmserv.letters.text.wording import terms
from pbmserv.mail import signed_addresses
from pbmserv.model import BoardRow, EntrantRow, PairingRow, Player, TournamentRow
from pbmserv.model.boards import options_text
from pbmserv.model.preferences import Preferences
from pbmserv.store import Store
from pbmserv.tournaments.forms import GROUPS, LADDER, LEAGUE
from pbmserv.tournaments.forms.league import FALLING, RISING
from pbmserv.tournaments.forms.team_match import team_points
from pbmserv.tournaments.standings import TableLine

_MOST_WINNERS = 20  #: of divisions, in the letter to the organiser
_LIST = "tournaments"  #: the word by which readers can filter these letters
_LINKED = 4  #: boards of a player that begin, and have a link in the letter about them
_MANY = 4  #: boards that begin at once, after which a player may want fewer letters
_AT_ONCE = 500  #: to how many addresses an announcement is written at once


def subject_of(tournament: TournamentRow) -> str:
    """Return the subject of all letters about a tournament, so that mail programs keep them together."""
    return f"Tournament {tournament.number}: {tournament.plan.name}"


def answer_address(site: Site, tournament: TournamentRow, player: Player) -> str:
    """Return where a player answers such a letter with join, leave, show or challenge."""
    return site.signer.sign(signed_addresses.TOURNAMENT, tournament.number, player.id)


def facts(site: Site, store: Store, tournament: TournamentRow, say: Say, zone: tzinfo) -> dict[str, object]:
    """Return what all letters say of a tournament: its game, its start, its terms."""
    plan = tournament.plan
    organiser = store.players.by_id(tournament.organiser) if tournament.organiser else None
    return {
        "tournament": tournament,
        "plan": plan,
        "game": games.find(plan.game).info.name,
        "starts": say(times.shown(plan.start, zone)),
        "conditions": ", ".join([*filter(None, [options_text(plan.options)]), *terms(plan.settings, say)]),
        "organiser": organiser.userid if organiser else "",
        "web_page": f"{site.policy.web_url}/tournaments/{tournament.number}" if site.policy.web_url else "",
    }


def announce(letters: Letters, tournament: TournamentRow) -> int:
    """Tell all who get broadcasts of a new tournament. Return to how many addresses the letter goes."""
    readers = letters.store.readers.broadcast_addresses(tournament.organiser or 0)
    to, sign = list(readers), letters.site.signer.sign
    for n in range(0, len(to), _AT_ONCE):
        part = to[n : n + _AT_ONCE]
        stops = {a: sign(signed_addresses.STOP, readers[a], signed_addresses.BROADCASTS) for a in part}
        replies = {a: sign(signed_addresses.TOURNAMENT, tournament.number, readers[a]) for a in part}
        known, usual = letters.store.readers.languages(part), ENGLISH
        for language in letters.site.renderer.languages:
            same_language = [address for address in part if known.get(address.casefold(), usual) == language]
            _announce(letters, tournament, same_language, language, stops=stops, replies=replies)
    return len(to)


def _announce(
    letters: Letters,
    tournament: TournamentRow,
    to: Sequence[str],
    language: str,
    *,
    stops: Mapping[str, str],
    replies: Mapping[str, str],
) -> None:
    """Write the announcement to these addresses, whose players read this language."""
    say = letters.site.renderer.to(language).say
    data = facts(letters.site, letters.store, tournament, say, times.zone(tournament.plan.zone)) | {
        "answers": ["join", "show"]
    }
    letters.write(
        "tournament_new",
        to,
        subject_of(tournament),
        data,
        language=language,
        kind_of_list=_LIST,
        stops=stops,
        replies=replies,
    )


# --- a season or a round begins ---------------------------------------------------------------------------------------


def round_begun(
    letters: Letters, tournament: TournamentRow, entrant: EntrantRow, pairings: Sequence[PairingRow]
) -> None:
    """Write one letter about all boards of a player that begin, instead of one for each of them.

    It is answered like a digest, with a line for each board. A program that wants boards as files gets turn letters.
    """
    store, player = letters.store, entrant.player
    begun = store.boards.find_many({p.board for p in pairings if p.board})
    there = (begun[p.board] for p in pairings if p.board in begun)
    rows = [row for row in there if row.board.result is None]
    if not letters.addresses(player):  # a robot of this server looks at its boards itself
        return
    wants = store.players.preferences([player.id])[player.id]
    if wants.wants_record:
        for row in rows:
            write_news(letters, BoardNews(row, 0, only=player))
        return
    data = _facts_to(letters, tournament, wants) | _boards(letters, player, wants, rows)
    data |= {
        "reader": player.userid,
        "round": pairings[0].round if pairings else tournament.round,
        "division": pairings[0].division if pairings else entrant.division,
        "rung": entrant.rung,
        "has_bye": any(p.second is None for p in pairings),
        "team": entrant.team,
        "opponents": _other_team(tournament, entrant.team),
        "rows": _last_table(store, tournament, pairings[0]) if pairings else [],
        "makes_many": len(rows) >= _MANY and wants.wants_own and not wants.wants_digest,
        "answers": _first_answers(data) if rows else ["challenge", "show"] if (entrant.rung or 0) > 1 else ["show"],
    }
    reply_to = ""
    if boards := [(row.number, row.seats_of(player)[0], row.board.length) for row in rows]:
        digest = store.readers.add_digest(player.id, boards, letters.now)
        reply_to = letters.site.signer.digest(digest, player.epoch)
    _write(letters, "tournament_start", tournament, player, wants, data, reply_to=reply_to)


def _boards(letters: Letters, player: Player, wants: Preferences, rows: Sequence[BoardRow]) -> dict[str, object]:
    """Return the boards that begin, and pages of those where the player is to move."""
    made, pages, listed = Pages(letters.site, letters.replays), list[dict[str, object]](), list[tuple[int, str, bool]]()
    for row in rows:
        seat = row.seats_of(player)[0]
        other = next(p for p in row.players if p.id != player.id)
        is_mine = seat in row.board.to_move
        listed.append((row.number, other.shown, is_mine))
        if is_mine:
            log = letters.replays.log(row)
            beside = BesideTheLog.of(letters.store, row, letters.now, wants_auto(letters.store, row.players))
            page = made.page(row, log, seat, seen_by(log, seat), wants, beside=beside, at=letters.now)
            pages.append(page | {"opponent": other.shown})
    commitments = [(page["number"], page["commitment"]) for page in pages if page["chance"]]
    return {"boards": listed, "pages": pages, "commitments": commitments, "below": pages[0]["below"] if pages else []}


def _first_answers(data: Mapping[str, Any]) -> list[str]:
    """Return lines that answer the letter about boards that begin by a link: of the first ones where it is a turn."""
    pages = [f"{page['number']}: moves" for page in data["pages"]]
    return (pages or [f"{number}: show" for number, *_ in data["boards"]])[:_LINKED]


def _last_table(store: Store, tournament: TournamentRow, pairing: PairingRow) -> list[table_lines.TableRow]:
    """Return the table that a letter at the beginning shows: of the division in the season before, or until now.

    At the very beginning there is none.
    """
    is_first, is_league = pairing.round == 1, tournament.plan.form == LEAGUE
    if (is_first and not is_league) or (is_league and pairing.season == 1):
        return []
    season = pairing.season - 1 if is_league else pairing.season
    season_table = table(store, tournament, season, pairing.division)
    names = {e.player.id: e.player.shown for e in season_table.entrants}
    return table_lines.crossed(season_table.lines, season_table.pairings, names)


# --- a season ends ----------------------------------------------------------------------------------------------------


def season_over(
    letters: Letters, tournament: TournamentRow, entrant: EntrantRow, standings: Sequence[TableLine]
) -> None:
    """Tell a player how the season of the own division or group ended, who rises and who falls, and what follows."""
    store, player = letters.store, entrant.player
    wants = store.players.preferences([player.id])[player.id]
    names = {p.id: p.shown for p in store.players.by_ids([line.player for line in standings])}
    rows = table_lines.crossed(standings, (), names)
    division = entrant.division if tournament.plan.form == LEAGUE else 0
    has_next = bool(division and store.tournaments.entrants(tournament.number, entrant.season, division + 1))
    count, own = len(rows), next((row for row in rows if row.player == player.id), None)
    data = (
        _facts_to(letters, tournament, wants)
        | _score(store, tournament, entrant.season)
        | {
            "reader": player.userid,
            "season": entrant.season,
            "team": entrant.team,
            "division": division,
            "rows": rows,
            "place": entrant.place if tournament.plan.form == GROUPS and entrant.place else own and own.line.rank,
            "has_won": (entrant.place or (own and own.place)) == 1,
            "rising": [r.name for r in rows if division > 1 and r.place <= RISING],
            "falling": [r.name for r in rows if has_next and r.place > max(count - FALLING, RISING)],
            "renews": entrant.renews and not entrant.out,
            "goes_on": (goes_on := _goes_on(letters, tournament)),
            "answers": [*(["leave"] if entrant.renews else ["join"]) * goes_on, "show"],
        }
    )
    _write(letters, "tournament_end", tournament, player, wants, data)


def _other_team(tournament: TournamentRow, team: str) -> str:
    """Return the team that plays against one in a match; "" if there are no teams."""
    return next((other for other in tournament.plan.teams or () if other != team), "")


def _score(store: Store, tournament: TournamentRow, season: int) -> dict[str, object]:
    """Return the points of the teams of a match, the better one first, and which has won; of another form nothing."""
    if not tournament.plan.teams:
        return {"score": [], "winner": ""}
    points = team_points(season_of(store, tournament, season))
    best = sorted(points.items(), key=lambda team: -team[1])
    is_won = len({half for _, half in best}) > 1
    return {"score": [(t, table_lines.points_text(half)) for t, half in best], "winner": best[0][0] if is_won else ""}


def won(letters: Letters, tournament: TournamentRow, season: int) -> None:
    """Tell the organiser who has won: the player who announced it, or the people who run the server."""
    store = letters.store
    places = store.tournaments.entrants(tournament.number, season)
    winners = sorted((e.division, e.player.shown) for e in places if e.place == 1)
    organiser = store.players.by_id(tournament.organiser) if tournament.organiser else None
    if organiser and organiser.password_hash is not None:
        to, language = letters.addresses(organiser), letters.language(organiser)
        reply_to = answer_address(letters.site, tournament, organiser)
    else:
        to, language, reply_to = [*filter(None, [letters.site.policy.operator])], ENGLISH, ""
    say = letters.site.renderer.to(language).say
    about = facts(letters.site, store, tournament, say, times.zone(tournament.plan.zone))
    data = (
        about
        | _score(store, tournament, season)
        | {
            "season": season,
            "winners": winners[:_MOST_WINNERS],
            "more": max(0, len(winners) - _MOST_WINNERS),
            "count": len(places),
            "left": sum(bool(e.out) for e in places),
            "goes_on": _goes_on(letters, tournament),
        }
    )
    subject = subject_of(tournament)
    letters.write("tournament_won", to, subject, data, reply_to=reply_to, language=language, kind_of_list=_LIST)


# --- what concerns one player -----------------------------------------------------------------------------------------


def warned(letters: Letters, tournament: TournamentRow, entrant: EntrantRow, pairing: PairingRow) -> None:
    """Warn a player after a first forfeit: the next one puts out of the season."""
    running = letters.store.tournaments.running_of(tournament.number, entrant.season, entrant.player.id)
    boards = sorted(p.board for p in running if p.board)
    _about_player(letters, "tournament_warning", tournament, entrant, board=pairing.board, running=boards)


def removed(letters: Letters, tournament: TournamentRow, entrant: EntrantRow, all_void: bool) -> None:
    """Tell a player that a second forfeit has ended the season for them, and by which rule their boards count."""
    _about_player(letters, "tournament_removed", tournament, entrant, all_void=all_void)


def opponent_left(letters: Letters, consequence: Consequence) -> None:
    """Tell a player that an opponent has left, and how their board counts now, which is over or has not begun."""
    row = consequence.row
    tournament = letters.store.tournaments.find(row.tournament)
    other = letters.store.tournaments.entrant(row.tournament, row.season, row.other(consequence.leaver.id) or 0)
    if tournament is not None and other is not None and letters.addresses(other.player):
        data = {"leaver": consequence.leaver.userid, "board": row.board, "is_void": consequence.after.is_of_nobody}
        _about_player(letters, "tournament_left", tournament, other, **data)


def cancelled(letters: Letters, tournament: TournamentRow, entrant: EntrantRow) -> None:
    """Tell a player that the organiser has cancelled the tournament."""
    _about_player(letters, "tournament_off", tournament, entrant, is_cancelled=True)


def not_begun(letters: Letters, tournament: TournamentRow, entrant: EntrantRow) -> None:
    """Tell a player that the season did not begin, because too few had entered."""
    _about_player(letters, "tournament_off", tournament, entrant, is_cancelled=False)


def _about_player(letters: Letters, kind: str, tournament: TournamentRow, entrant: EntrantRow, **data: object) -> None:
    player = entrant.player
    wants = letters.store.players.preferences([player.id])[player.id]
    words = {"reader": player.userid, "season": entrant.season, "answers": ["show"], **data}
    _write(letters, kind, tournament, player, wants, _facts_to(letters, tournament, wants) | words)


def _goes_on(letters: Letters, tournament: TournamentRow) -> bool:
    """Return whether another season is to begin."""
    is_series = tournament.plan.form in (LEAGUE, LADDER) or bool(tournament.plan.every)
    return is_series and tournament.plan.start > letters.now and tournament.state in ("open", "closed")


def _facts_to(letters: Letters, tournament: TournamentRow, wants: Preferences) -> dict[str, object]:
    return facts(letters.site, letters.store, tournament, _say(letters, wants), times.zone(wants.timezone))


def _say(letters: Letters, wants: Preferences) -> Say:
    return letters.site.renderer.to(wants.language).say


def _write(
    letters: Letters,
    kind: str,
    tournament: TournamentRow,
    player: Player,
    wants: Preferences,
    data: Mapping[str, object],
    *,
    reply_to: str = "",
) -> None:
    letters.write(
        kind,
        letters.addresses(player),
        subject_of(tournament),
        data,
        reply_to=reply_to or answer_address(letters.site, tournament, player),
        language=wants.language,
        kind_of_list=_LIST,
    )


def write_left(letters: Letters, left: LeftBoards, actor: Player | None = None) -> None:
    """Play the moves that are queued on boards that somebody has left, and write all letters about it.

    `actor`: who left, if that is no news for them.
    """
    for x in left.boards:
        played = play_queued(letters.store, x.row, None, letters.now)
        news = all_news(news_of(letters, replace(x, row=played.row)), played.news)
        write_news(letters, BoardNews(played.row, x.since, actor, news=news))
    for consequence in left.others:
        opponent_left(letters, consequence)


def news_of(letters: Letters, left: Left) -> Mapping[int, News]:
    """Return what a left board means for a tournament, by the ids of the other players."""
    if not left.told:
        return {}
    row, log = left.row, letters.replays.log(left.row)
    others = {p.id: p for p in row.players if p.id != left.player.id}
    return {id_: News(left.told, seen_by(log, row.seat_to_move(p))) for id_, p in others.items()}
