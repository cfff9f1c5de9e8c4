"""Writes what conifer makes of an integer graph of trees as Verilog: graph.json, a folder, rows.json.

Trees, limits and leaves are those of the graph, so both designs answer the same integers. conifer has one width for
features, thresholds and scores; it prints the width, the cycles it names itself, and its answers to the rows.
"""

import json
import math
import subprocess
import sys

import numpy as np
from conifer.backends.vhdl import make_model, set_simulator, writer

graph_file, folder, rows_file = sys.argv[1:]
graph = json.load(open(graph_file))
trees, sums = graph["nodes"]
if len(sums["bias"]) != 1:
    raise SystemExit("only ensembles of one score are compared")
count = len(trees["features"])
if any(feature["bytes"] != 1 for feature in trees["features"]):
    raise SystemExit("only features of one byte are compared")


def as_conifer(tree):
    branches = [node if "limit" in node else None for node in tree]
    return {
        "feature": [node["feature"] if node else -2 for node in branches],
        "threshold": [float(node["limit"]) if node else -2.0 for node in branches],
        "value": [0.0 if node else float(leaf["values"][0]) for node, leaf in zip(branches, tree)],
        "children_left": [node["yes"] if node else -1 for node in branches],
        "children_right": [node["no"] if node else -1 for node in branches],
        "weight": [
            [int(node["feature"] == at) if node else 0 for at in range(count)] for node in branches
        ],
    }


def depth(tree, at=0):
    node = tree[at]
    if "limit" not in node:
        return 0
    return 1 + max(depth(tree, node["yes"]), depth(tree, node["no"]))


# Codes of features need a sign bit above their eight.
width = max(9, sums["width"])


class Integers:
    """In place of conifer's own converter, which needs a vendor's headers to compile: here all numbers are integers."""

    def __init__(self, precision):
        self.width = self.integer_bits = width
        self.fractional_bits = 0

    def to_int(self, value):
        return int(value)

    def from_int(self, value):
        return int(value)


writer.FixedPointConverter = Integers
ensemble = {
    "n_classes": 2,
    "n_features": count,
    "n_trees": len(trees["trees"]),
    "max_depth": max(depth(tree) for tree in trees["trees"]),
    "init_predict": [float(sums["bias"][0])],
    "norm": 1.0,
    "library": "boardwalk",
    "splitting_convention": "<",
    "trees": [[as_conifer(tree)] for tree in trees["trees"]],
}
set_simulator("ghdl")
model = make_model(
    ensemble,
    {
        "backend": "vhdl",
        "output_dir": folder,
        "project_name": "peer",
        "precision": f"ap_fixed<{width},{width}>",
        "xilinx_part": "unused",
    },
)
if not model.compile():
    raise SystemExit("ghdl does not take what conifer wrote")
rows = np.array(json.load(open(rows_file)), float)
answers = model.decision_function(rows)[:, 0]
verilog = subprocess.run(
    "ghdl --synth --std=08 -frelaxed-rules --out=verilog --work=BDT BDTTop".split(),
    cwd=folder,
    capture_output=True,
    text=True,
    check=True,
)
open(f"{folder}/peer.v", "w").write(verilog.stdout)
cycles = 1 + ensemble["max_depth"] + math.ceil(math.log2(ensemble["n_trees"]))
print(json.dumps({"width": width, "cycles": cycles, "answers": [int(each) for each in answers]}))
