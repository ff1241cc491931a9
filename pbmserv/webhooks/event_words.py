"""Events as words, for chats: in the language of their player."""

from pbmserv.games import names
from pbmserv.letters.text.templates import Renderer
from pbmserv.model.letters import EventKind
from pbmserv.model.rows import Json


def words(kind: EventKind, data: Json, renderer: Renderer) -> str:
    """Return what a chat shows for an event."""
    if kind is EventKind.CHALLENGE:
        return renderer.say(f"To get events here, send: set {data['player']} PASSWORD webhook={data['code']}")
    number, by = data["board"], data.get("from")
    if kind is EventKind.MESSAGE and number is None:
        return f"{renderer.say(f'{by} wrote:')}\n{data['text']}"
    key = data["game"]
    game = names()[key].info.name if key in names() else key
    if kind is EventKind.MESSAGE:
        return f"{renderer.say(f'{by} wrote about board {number} ({game}):')}\n{data['text']}"
    moves = ", ".join(f"{m['player']} {m['move']}" for m in data["moves"])
    turn, end = f"It is your turn on board {number} ({game}).", f"Board {number} ({game}) is over."
    return "\n".join(part for part in (renderer.say(turn if kind is EventKind.TURN else end), moves) if part)
