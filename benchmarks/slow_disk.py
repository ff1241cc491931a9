"""A slow disk for any program: a preloaded library that delays and counts its syncs (slow_disk.c)."""

import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

SOURCE = Path(__file__).with_name("slow_disk.c")


class SlowDisk:
    """A library compiled into a folder. `available` is False without a C compiler."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._library = folder / "slow_disk.so"
        compiler = shutil.which("cc")
        if compiler:
            command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(self._library), str(SOURCE), "-ldl"]
            subprocess.run(command, check=True)
        self.available = compiler is not None

    def settings(self, milliseconds: float, counter: str) -> dict[str, str]:
        """Return the environment in which a program's syncs take so much longer. A file of this name counts them."""
        file = self._folder / f"{counter}.count"
        file.write_bytes(bytes(8))
        return {
            "LD_PRELOAD": str(self._library),
            "SLOW_DISK_MICROSECONDS": str(round(milliseconds * 1000)),
            "SLOW_DISK_COUNT": str(file),
        }


def syncs(settings: Mapping[str, str]) -> int:
    """Return how many syncs the program with this environment has made so far; 0 if they are not counted."""
    file = settings.get("SLOW_DISK_COUNT")
    return int(struct.unpack("l", Path(file).read_bytes())[0]) if file else 0
