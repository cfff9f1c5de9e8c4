"""Writes what da4ml makes of an integer graph as Verilog: graph.json, a folder, a latency cutoff."""

import json
import sys

import numpy as np
from da4ml.codegen import VerilogModel
from da4ml.trace import FixedVariableArray, HWConfig, comb_trace

graph = json.load(open(sys.argv[1]))
size = graph["input"]["size"]
inputs = FixedVariableArray.from_kif(
    np.ones(size, bool),
    np.full(size, graph["input"]["width"] - 1),
    np.zeros(size, int),
    hwconf=HWConfig(1, -1, -1),
)
values = inputs
for dense, requantize in zip(graph["nodes"][::2], graph["nodes"][1::2]):
    weights = np.array(dense["weights"], float).reshape(dense["outputSize"], dense["inputSize"])
    sums = values @ weights.T + np.array(dense["bias"], float)
    signed = int(requantize["signed"])
    steps = sums * 2.0 ** -np.array(requantize["shift"], float)
    values = steps.quantize(signed, requantize["width"] - signed, 0, "SAT", "RND")
program = comb_trace(inputs, values)
if len(sys.argv) > 4:
    rows = np.array(json.load(open(sys.argv[4])), float)
    print(json.dumps(program.predict(rows).tolist()))
VerilogModel(program, "peer", sys.argv[2], latency_cutoff=int(sys.argv[3]), print_latency=False).write()
