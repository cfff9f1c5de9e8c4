"""Reads a value change dump with pyvcd and prints what each signal was in the middle of every clock cycle.

Usage: read_vcd.py FILE CLOCK. Prints JSON: {"timescale", "widths": {name: bits}, "cycles": [{name: integer or null}]}.
Null stands for a value with an x or z in it. The middle of a cycle is where the clock falls.
"""

import json
import sys

from vcd.reader import TokenKind, tokenize


def main(path: str, clock: str) -> None:
    names: dict[str, list[str]] = {}
    widths: dict[str, int] = {}
    now: dict[str, object] = {}
    cycles: list[dict[str, object]] = []
    timescale = ""

    def change(code: str, value: object) -> None:
        for name in names.get(code, []):
            falls = name == clock and now.get(clock) == 1 and value == 0
            now[name] = value if isinstance(value, int) else None
            if falls:
                cycles.append(dict(now))

    with open(path, "rb") as file:
        for token in tokenize(file):
            if token.kind is TokenKind.TIMESCALE:
                timescale = str(token.timescale)
            elif token.kind is TokenKind.VAR:
                names.setdefault(token.var.id_code, []).append(token.var.reference)
                widths[token.var.reference] = token.var.size
            elif token.kind is TokenKind.CHANGE_SCALAR:
                bit = token.scalar_change.value
                change(token.scalar_change.id_code, int(bit) if bit in "01" else None)
            elif token.kind is TokenKind.CHANGE_VECTOR:
                change(token.vector_change.id_code, token.vector_change.value)
    print(json.dumps({"timescale": timescale, "widths": widths, "cycles": cycles}))


main(*sys.argv[1:])
