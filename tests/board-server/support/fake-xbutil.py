#!/usr/bin/python3
"""A fake xbutil: it lists the cards that a file names, and notes what it was asked. See XRT, xbutil."""

import json
import os
import sys

home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
arguments = sys.argv[1:]
with open(os.path.join(home, "calls"), "a") as calls:
    calls.write(" ".join(arguments) + "\n")
words = os.path.join(home, "fails")
if os.path.exists(words):
    sys.exit(open(words).read())
if "examine" in arguments:
    assert arguments[:4] == ["examine", "--format", "JSON", "--output"], arguments
    with open(os.path.join(home, "cards.json")) as cards:
        devices = json.load(cards)
    with open(arguments[4], "x") as report:
        # Values are texts, and an empty list an empty text: so writes the library that the real one uses.
        json.dump({"schema_version": {"schema": "JSON"}, "system": {"host": {"xrt": {"version": "2.13.0"}, "devices": devices or ""}}}, report)
elif "reset" in arguments:
    assert arguments == ["--force", "reset", "--device", arguments[-1]], arguments
    open(os.path.join(home, "was-reset"), "w").close()
else:
    sys.exit("ERROR: no such command")
