"""The forms of tournaments. A ladder has no rounds: its rungs are in `boards/seasons/rungs.py`."""

from pbmserv.tournaments.forms.form import TournamentForm
from pbmserv.tournaments.forms.groups import Groups
from pbmserv.tournaments.forms.league import League
from pbmserv.tournaments.forms.swiss import Swiss
from pbmserv.tournaments.forms.team_match import Match

__all__ = ["FORMS", "GROUPS", "LADDER", "LEAGUE", "MATCH", "SWISS", "TournamentForm"]

FORMS: dict[str, TournamentForm] = {form.key: form for form in (League(), Groups(), Swiss(), Match())}
LEAGUE, GROUPS, SWISS, MATCH, LADDER = League.key, Groups.key, Swiss.key, Match.key, "ladder"
