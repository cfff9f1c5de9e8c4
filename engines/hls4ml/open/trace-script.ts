/**
 * Python that makes adders of a network by da4ml, for the private environment with hls4ml: the integer graph that the plan
 * holds, or a Keras model with layers of HGQ2, becomes da4ml's program, which is cut into stages and written as Verilog. Of a
 * Keras model, the program itself is written too, after it was held against what Keras answers. Where it refuses, it says why
 * in a file.
 *
 * Argument: the task, a JSON file with the graph or the model's name, the names of files, how many stages there may be at most
 * and how much the part holds.
 */
export const traceScript = String.raw`import json
import math
import os
import pathlib
import sys
import traceback

# One thread is enough, and which of several ends first must not decide what is made.
threads = ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
os.environ.update({name: "1" for name in threads})
os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="2")
os.environ.update(KERAS_BACKEND="tensorflow")

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
    if "graph" in TASK:
        program = comb_trace(*trace_graph(TASK["graph"]))
    else:
        program = trace_keras()
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


def trace_keras():
    """A model with layers of HGQ2, by HGQ2's own plugin of da4ml, over inputs of the words that the host sends."""
    import hgq.layers  # Registers the layers of HGQ2, which files name.
    import keras
    from da4ml.converter import trace_model

    try:
        model = keras.saving.load_model(TASK["model"], compile=False, safe_mode=True)
    except Exception as error:
        raise Refused("MODEL_UNSUPPORTED", f"Keras cannot load the model: {first_line(error)}") from error
    width, integers = TASK["input"]["width"], TASK["input"]["integers"]
    try:
        inputs, outputs = trace_model(model, HARDWARE, inputs_kif=(1, integers - 1, width - integers))
        program = comb_trace(inputs, outputs)
    except KeyError as error:
        kind = getattr(error.args[0], "__name__", str(error.args[0])) if error.args else "unknown"
        raise Refused("OPERATOR_UNSUPPORTED", f"da4ml does not trace layers of the class {kind}.") from error
    except Exception as error:
        traceback.print_exc()
        raise Refused("MODEL_UNSUPPORTED", f"da4ml cannot trace the model: {first_line(error)}") from error
    strange = sorted({abs(op.opcode) for op in program.ops} - {0, 1, 2, 3, 4, 5, 6, 7})
    if strange:
        what = "a table of a function" if strange[0] == 8 else "an operation on bits"
        raise Refused("OPERATOR_UNSUPPORTED", f"The model becomes {what} in da4ml, which is not built here yet.")
    require_same(model, program, width - integers)
    write_program(program)
    return program


def require_same(model, program, fraction):
    """Keras answers every vector as da4ml's program does: both are exact, so they are equal."""
    rows = numpy.array(TASK["rows"], float) * 2.0**-fraction
    parts, at = [], 0
    for tensor in model.inputs:
        size = int(numpy.prod(tensor.shape[1:]))
        parts.append(rows[:, at : at + size].reshape(-1, *tensor.shape[1:]).astype("float32"))
        at += size
    answers = model(parts if len(parts) > 1 else parts[0], training=False)
    answers = answers if isinstance(answers, (list, tuple)) else [answers]
    original = numpy.concatenate([numpy.asarray(each).reshape(len(rows), -1) for each in answers], axis=1)
    traced = program.predict(rows)
    wrong = numpy.flatnonzero((original != traced).any(axis=1))
    if len(wrong):
        most = float(numpy.abs(original - traced).max())
        message = f"da4ml's program answers {len(wrong)} of {len(rows)} rows otherwise than Keras, by up to {most:g}."
        raise Refused("MODEL_UNSUPPORTED", message, "Its numbers may have more bits than the 24 of Keras's floats.")
    print(f"Keras and da4ml's program answer {len(rows)} rows alike.", flush=True)


CODES = {-1: "input", 0: "add", 1: "subtract", 2: "relu", 3: "wrap", 4: "offset", 5: "constant", 6: "choose", 7: "multiply"}


def write_program(program):
    """Every operation in plain words: da4ml packs several numbers into one of 64 bits."""
    operations = []
    for op in program.ops:
        code = -1 if op.opcode == -1 else abs(op.opcode)
        kif = [int(part) for part in minimal_kif(op.qint)]
        each = {"code": CODES[code], "from": [at for at in (op.id0, op.id1) if at >= 0], "kif": kif}
        if op.opcode in (-2, -3, -6):
            each["negated"] = True
        if code in (0, 1):
            each["shift"] = int(op.data)
        if code in (4, 5):
            each["value"] = op.data * op.qint.step
        if code == 6:
            shift = (op.data >> 32) & 0xFFFFFFFF
            each["shift"] = shift - (1 << 32) if shift >= 1 << 31 else shift
            each["from"].append(op.data & 0xFFFFFFFF)
        operations.append(each)
    if any(program.inp_shifts):
        raise Refused("MODEL_UNSUPPORTED", "da4ml shifts the inputs of the model, which is not built here.")
    ends = zip(program.out_idxs, program.out_shifts, program.out_negs)
    outputs = [{"from": int(at), "shift": int(shift), "negated": bool(sign)} for at, shift, sign in ends]
    pathlib.Path(TASK["program"]).write_text(json.dumps({"operations": operations, "outputs": outputs}))


def first_line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:500]


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
