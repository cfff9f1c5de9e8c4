/**
 * Python that makes adders of a network by da4ml, for the private environment with hls4ml: the integer graph that the plan
 * holds becomes da4ml's program, which is cut into stages and written as Verilog. Where it refuses, it says why in a file.
 *
 * Argument: the task, a JSON file with the graph, the names of files, how many stages there may be at most and how much the
 * part holds.
 */
export const traceScript = String.raw`import json
import math
import os
import pathlib
import sys

# One thread is enough, and which of several ends first must not decide what is made.
os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")})

import numpy
from da4ml.codegen.rtl.verilog import pipeline_logic_gen
from da4ml.trace import FixedVariableArray, HWConfig, comb_trace
from da4ml.trace.pipeline import to_pipeline
from da4ml.types import minimal_kif

TASK = json.loads(pathlib.Path(sys.argv[1]).read_text())
# Adders of one bit each are what cost and delay are counted in.
HARDWARE = HWConfig(1, -1, -1)


class Refused(Exception):
    def __init__(self, reason, message, hint=None):
        super().__init__(message)
        self.problem = {"reason": reason, "message": message, **({"hint": hint} if hint else {})}


def main():
    try:
        build()
    except Refused as refused:
        pathlib.Path(TASK["problem"]).write_text(json.dumps(refused.problem))
        sys.exit(f"ERROR: {refused}")


def build():
    inputs, outputs = trace_graph(TASK["graph"])
    program = comb_trace(inputs, outputs)
    levels = math.ceil(program.latency[1])
    print(f"da4ml: {len(program.ops)} operations of {program.cost:.0f} bits, {levels} levels.", flush=True)
    refuse_too_large(program)
    pipeline = staged(program, TASK["stages"])
    write(program, pipeline)


def trace_graph(graph):
    """Nodes of an integer graph as da4ml's arithmetic; values are the graph's integers."""
    size, width = graph["input"]["size"], graph["input"]["width"]
    full = lambda value: numpy.full(size, value)
    inputs = FixedVariableArray.from_kif(full(True), full(width - 1), full(0), hwconf=HARDWARE)
    values = inputs
    for node in graph["nodes"]:
        if node["op"] == "dense":
            weights = numpy.array(node["weights"], float).reshape(node["outputSize"], node["inputSize"])
            values = values @ weights.T + numpy.array(node["bias"], float)
        elif node["op"] == "requantize":
            signed = int(node["signed"])
            steps = values * 2.0 ** -numpy.array(node["shift"], float)
            values = steps.quantize(signed, node["width"] - signed, 0, "SAT", "RND")
        else:
            raise Refused("OPERATOR_UNSUPPORTED", f"Node {node['name']} is {node['op']}, which is not traced.")
    return inputs, values


def refuse_too_large(program):
    """da4ml counts the bits of its adders, which is what cells are made of."""
    most, per_bit, besides = TASK["mostCells"], TASK["cellsPerBit"], TASK["cellsBesides"]
    cells = round(program.cost * per_bit) + besides
    if cells <= most:
        return
    message = f"The network does not fit {TASK['board']}: its adders need about {cells:,} logic cells of {most:,} usable."
    hint = "Every weight has adders of its own. Choose fewer bits or a larger board, or the boardwalk engine, which shares its arithmetic."
    raise Refused("MODEL_TOO_LARGE", message, hint)


def staged(program, most):
    """As few levels between registers as so many stages allow."""
    for cutoff in range(1, math.ceil(program.latency[1]) + 2):
        pipeline = to_pipeline(program, cutoff, verbose=False)
        if len(pipeline.solutions) <= most:
            return pipeline
    raise Refused("TOOL_FAILED", f"da4ml cannot cut the network into {most} stages.")


def write(program, pipeline):
    modules = pipeline_logic_gen(pipeline, "adders", timescale=None)
    sources = pathlib.Path(sys.modules["da4ml.codegen.rtl.verilog"].__file__).parent / "source"
    parts = [path.read_text() for path in sorted(sources.glob("*.v")) if path.stem != "lookup_table"]
    pathlib.Path(TASK["network"]).write_text("\n".join([*parts, *(modules[name] for name in sorted(modules))]))
    kifs = lambda ranges: [[int(part) for part in minimal_kif(each)] for each in ranges]
    ports = {
        "inputs": kifs(pipeline.inp_qint),
        "outputs": kifs(pipeline.out_qint),
        "stages": len(pipeline.solutions),
        "operations": len(program.ops),
        "bits": program.cost,
    }
    pathlib.Path(TASK["ports"]).write_text(json.dumps(ports))


main()
`;
