"""What letters about a vacation say: on which boards the time runs again before its end."""

from datetime import tzinfo

from pbmserv.boards.absences import vacation_caps
from pbmserv.letters.letters import Letters
from pbmserv.letters.text import times
from pbmserv.letters.text.translations import Say
from pbmserv.model import Player, Vacation
from pbmserv.store import Store


def runs_again(
    store: Store, player: Player, until: float, now: float, where: tzinfo, say: Say
) -> list[tuple[int, str]]:
    """Return the boards on which a player's time runs again before the end of a vacation, and from when on; "": now."""
    ends = vacation_caps.ends_before(store, player, until)
    return [(number, say(times.shown(times.from_seconds(at), where)) if at > now else "") for number, at in ends]


def taken_automatically(letters: Letters, player: Player, taken: Vacation) -> str:
    """Return the text for a player for whom a day of vacation has been taken."""
    wants = letters.store.players.preferences([player.id])[player.id]
    say = letters.site.renderer.to(wants.language).say
    now, where = letters.now.timestamp(), times.zone(wants.timezone)
    earlier = runs_again(letters.store, player, taken.ends, now, where, say)
    return letters.render("vacation_taken", player, length=say(length_of(taken)), earlier=earlier).text


def length_of(taken: Vacation) -> str:
    """Return `a day`, or how many hours if it is less."""
    hours = round((taken.ends - taken.begins) / 3600)
    return {1: "an hour", 24: "a day"}.get(hours, f"{hours} hours")
