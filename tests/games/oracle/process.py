"""The other process: answers questions about games of OpenSpiel, a line of JSON for each line of JSON.

{"ask": "new", "game": "othello", "parameters": {}}   begin a game
{"ask": "apply", "actions": ["d3"]}                   make these actions, one after the other, for whoever is to move
{"ask": "legal", "deep": 3}                           list all sequences of up to three actions of the player to move

The answers to the first two tell the state. An action is named by its text, and only legal actions are ever handed to
OpenSpiel, which ends the process otherwise. A question that cannot be answered gets {"error": "..."}.
"""

import json
import sys
from typing import Any

import pyspiel

Answer = dict[str, Any]


def told(state: Any) -> Answer:
    """Return what a reader needs to know of a state."""
    over = state.is_terminal()
    return {
        "player": None if over else state.current_player(),
        "over": over,
        "returns": state.returns(),
        "drawing": str(state),
    }


def actions(state: Any) -> dict[str, int]:
    """Return the number of each legal action by its text."""
    player = state.current_player()
    return {state.action_to_string(player, action): action for action in state.legal_actions()}


def sequences(state: Any, deep: int) -> list[list[str]]:
    """Return all sequences of actions that the player to move can make, ended by a change of turns or by `deep`."""
    found = []
    for text, action in actions(state).items():
        rest: list[list[str]] = [[]]
        if deep > 1:
            after = state.child(action)
            if not after.is_terminal() and after.current_player() == state.current_player():
                rest = sequences(after, deep - 1)
        found += [[text, *tail] for tail in rest]
    return found


class Table:
    """The game that is being played."""

    def __init__(self) -> None:
        self.state: Any = None

    def answer(self, question: Answer) -> Answer:
        """Answer one question. Raises KeyError for a wrong one."""
        match question["ask"]:
            case "new":
                self.state = pyspiel.load_game(question["game"], question["parameters"]).new_initial_state()
            case "apply":
                for text in question["actions"]:
                    self.state.apply_action(actions(self.state)[text])
            case "legal":
                return {"legal": [] if self.state.is_terminal() else sequences(self.state, question["deep"])}
        return told(self.state)


def main() -> None:
    """Answer until there are no more questions."""
    table = Table()
    for line in sys.stdin:
        try:
            answer = table.answer(json.loads(line))
        except (KeyError, pyspiel.SpielError) as wrong:
            answer = {"error": f"{type(wrong).__name__}: {wrong}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
