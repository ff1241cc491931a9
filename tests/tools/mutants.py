"""Mutation tests of central modules: `make mutants`. A mutant that no test of its module notices shows what they miss.

mutmut changes one thing in a function, such as a sign, a word or an argument, and runs the tests that call this
function. It works in a copy of the tree. With the same seed, the sample has the same mutants of each function that is
the same. mutmut changes no constants of modules, and no functions with decorators. What a function
remembers (`functools.cache`) it remembers in a mutant, too: such a mutant may survive although a test would notice it.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.stats import status_by_exit_code
from mutmut.utils.format_utils import get_mutant_name, orig_function_and_class_names_from_key

#: Files and folders of `pbmserv`, each with the tests in `tests` that are its own.
MODULES = {
    "boards/clocks": "boards/clocks",
    "boards/absences": "boards/absences commands/test_substitute.py",
    "inbox/replies": "inbox/test_replies.py",
    "inbox/lines/first_line.py": "inbox/test_first_line.py",
    "mail/reading/quotes.py": "mail/reading/test_quotes.py mail/reading/test_attributions.py "
    "mail/reading/test_originals.py",
    "server/committer.py": "server/test_committer.py",
    "server/outbox.py": "server/test_outbox.py server/test_relay_limits.py",
    "store/boards.py": "store/test_boards.py",
    "games/base/board.py": "games/base/test_board.py",
    "model/receipts.py": "boards/test_receipts.py",
    "boards/seasons/tournament_points.py": "boards/seasons/test_tournament_points.py boards/seasons/test_rungs.py",
    "games/capture/draughts": "games/capture/test_draughts.py",
    "games/race/backgammon": "games/race/test_backgammon.py games/records/test_sgf.py robots/test_matches.py",
}
_ROOT = Path(__file__).resolve().parents[2]
_SETTINGS = """[mutmut]
source_paths = pbmserv
only_mutate = {sources}
pytest_add_cli_args_test_selection = {tests}
pytest_add_cli_args = -mnot slow\n    --all-cases\n    -knot postgresql\n    --hypothesis-seed=0
also_copy = benchmarks\n    deploy\n    docs\n    migrations\n    templates
timeout_multiplier = 3
timeout_constant = 2
use_git_change_detection = no
"""
_COUNTED = ("killed", "timeout", "survived", "no tests")


def sampled(sources: Sequence[Path], size: int, seed: str) -> dict[str, Path]:
    """Return the names of some mutants of these files, each with its file."""
    found = {
        get_mutant_name(s, n): s for s in sources for n in mutate_file_contents(str(s), s.read_text()).mutant_names
    }
    order = sorted(found, key=lambda name: sha256(f"{seed} {name}".encode()).digest())
    return {name: found[name] for name in order[:size]}


def tried(mutants: Mapping[str, Path]) -> dict[str, str]:
    """Run these mutants. Return how each of them ended."""
    shutil.rmtree("mutants", ignore_errors=True)
    mutmut = Path(sys.executable).with_name("mutmut")
    done = subprocess.run([mutmut, "run", "--max-children", "1", *mutants], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    metas = [json.loads(Path(f"mutants/{source}.meta").read_text()) for source in set(mutants.values())]
    codes = {name: code for meta in metas for name, code in meta["exit_code_by_key"].items()}
    return {name: status_by_exit_code[codes[name]] for name in mutants}


def place(name: str, source: Path) -> str:
    """Return where a mutant differs from its file, as `file:line`, and the lines."""
    changed = [line for line in get_diff_for_mutant(name, path=source).splitlines()[2:] if line[0] in "+-"]
    function = re.compile(rf"\s*(async )?def {orig_function_and_class_names_from_key(name)[0]}\(")
    lines = source.read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if function.match(line))
    number = next((n for n in range(start, len(lines)) if lines[n].strip() == changed[0][1:].strip()), start)
    return "\n".join([f"{source}:{number + 1}", *changed])


def report(module: str, size: int, seed: str) -> Counter[str]:
    """Try mutants of a module in the working directory, a copy of the tree, and print those that survived."""
    path = Path("pbmserv", module)
    sources = [path] if path.is_file() else sorted(path.glob("*.py"))
    tests = [f"tests/{name}" for name in MODULES[module].split() if Path("tests", name).exists()]
    lists = {name: "\n    ".join(map(str, paths)) for name, paths in (("sources", sources), ("tests", tests))}
    Path("setup.cfg").write_text(_SETTINGS.format(**lists))
    mutants = sampled(sources, size, seed)
    if not tests:
        return Counter({"no tests": len(mutants)})
    ends = tried(mutants)
    for name in sorted(name for name in mutants if ends[name] not in ("killed", "timeout")):
        print(ends[name], place(name, mutants[name]), sep=": ", flush=True)
    return Counter(ends.values())


def main() -> None:
    """Print the mutants that survived, and a table."""
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="default: all")
    parser.add_argument("--sample", type=int, default=30, help="how many mutants of each module")
    parser.add_argument("--seed", default="0")
    args = parser.parse_args()
    rows = []
    with TemporaryDirectory(prefix="mutants") as folder:
        left_out = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "mutants", "var")
        with chdir(shutil.copytree(_ROOT, Path(folder, "tree"), ignore=left_out)):
            for module in args.modules or MODULES:
                ends = report(module, args.sample, args.seed)
                score = (ends["killed"] + ends["timeout"]) / ends.total()
                rows.append([module, ends.total(), *(ends[end] for end in _COUNTED), f"{score:.0%}"])
    print("\n| module | mutants |", *(f"{end} |" for end in _COUNTED), "score |\n|---|", "---:|" * 6)
    for row in rows:
        print("|", " | ".join(map(str, row)), "|")


if __name__ == "__main__":
    main()
