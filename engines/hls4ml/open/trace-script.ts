import { scriptRefusal } from "../../script-refusal";

/**
 * Python that makes adders of a network by da4ml, for the private environment with hls4ml: the integer graph that the plan
 * holds, or a Keras model with layers of HGQ2, becomes da4ml's program, which is cut into stages and written as Verilog. Of a
 * Keras model, the program itself is written too, after it was held against what Keras answers. Where it refuses, it says why
 * in a file.
 *
 * Argument: the task, a JSON file with the graph or the model's name, the names of files, how many stages there may be at most
 * and how much the part holds.
 */
export const traceScript = String.raw`import functools
import json
import math
import os
import pathlib
import re
import sys
import traceback

# One thread is enough, and which of several ends first must not decide what is made.
threads = ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
os.environ.update({name: "1" for name in threads})
os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="2")
os.environ.update(KERAS_BACKEND="tensorflow")

import numpy
from da4ml.codegen.rtl.verilog import pipeline_logic_gen, table_mem_gen
from da4ml.trace import FixedVariable, FixedVariableArray, HWConfig, comb_trace
from da4ml.trace.pipeline import to_pipeline
from da4ml.types import minimal_kif

TASK = json.loads(pathlib.Path(sys.argv[1]).read_text())
# Adders of one bit each are what cost and delay are counted in.
HARDWARE = HWConfig(1, -1, -1)


${scriptRefusal}def build():
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
    made = []
    for node in graph["nodes"]:
        trace = NODES.get(node["op"])
        if trace is None:
            raise Refused("OPERATOR_UNSUPPORTED", f"Node {node['name']} is {node['op']}, which is not traced.")
        places = node["from"] if isinstance(node["from"], list) else [node["from"]]
        made.append(trace(node, *(inputs if place < 0 else made[place] for place in places)))
    return inputs, made[-1]


def dense(node, values):
    weights = numpy.array(node["weights"], float).reshape(node["outputSize"], node["inputSize"])
    return values @ weights.T + numpy.array(node["bias"], float)


def requantize(node, values):
    """Shifted, rounded and clamped, element by element or, of maps, channel by channel."""
    signed, width = int(node["signed"]), node["width"]
    shifts = numpy.resize(numpy.array(node["shift"]), len(values))
    rounding, bounds = node.get("rounding"), node.get("bounds")
    if rounding is None and bounds is None:
        return (values * 2.0**-shifts).quantize(signed, width - signed, 0, "SAT", "RND")
    results = []
    for value, shift in zip(elements(values), shifts):
        value = rounded(value, int(shift), rounding)
        if bounds is not None:
            value = value.max_of(float(bounds["min"])).min_of(float(bounds["max"]))
        results.append(value.quantize(signed, width - signed, 0, "SAT", "TRN"))
    return array(results)


def rounded(value, shift, rounding):
    """Halves go up, or to the even or the odd neighbour, as the last bit of what lies below says; floor leaves them."""
    steps = value * 2.0**-shift
    if rounding == "floor" or shift <= 0:
        return whole(steps)
    if rounding is None:
        return whole(steps + 0.5)
    last = whole(steps).quantize(0, 1, 0, "WRAP", "TRN") * 2.0**-shift
    return whole(steps + (0.5 - 2.0**-shift) + last if rounding == "half-even" else steps + 0.5 - last)


def whole(value):
    signed, integers, _ = value.kif
    return value.quantize(signed, integers, 0, "WRAP", "TRN")


def table(node, values):
    """A function of one number, whose entries stand in the order of bit patterns: of signed numbers, the second half first."""
    entries = numpy.array(node["values"], float)
    lowest = -(1 << node["inputWidth"] - 1) if node["inputSigned"] else 0
    entries = numpy.roll(entries, -lowest)
    span = (float(lowest), float(lowest + len(entries) - 1), 1.0)
    return array([looked_up(value, entries, span) for value in elements(values)])


def looked_up(value, entries, span):
    low, high, step = value.qint
    seen = entries[int(low - span[0]) : int(high - span[0]) + 1 : max(1, int(step))]
    if (seen == seen[0]).all():
        return FixedVariable.from_const(float(seen[0]), HARDWARE)
    return value.lookup(entries, span)


def convolution(node, values):
    """Every pixel has a product of its own; what lies outside of the map is a constant."""
    output, groups, outside = node["output"], node["groups"], node["paddingValue"]
    inputs, outputs = node["input"]["channels"] // groups, output["channels"] // groups
    stride = node["input"]["strides"][2]
    weights = numpy.array(node["weights"], float).reshape(output["channels"], -1, inputs)
    bias = numpy.array(node["bias"], float)
    results = []
    for taps in pixels(node):
        inside = [at for at, place in enumerate(taps) if place is not None]
        out = [at for at, place in enumerate(taps) if place is None]
        for group in range(groups):
            own = slice(group * outputs, (group + 1) * outputs)
            first = group * inputs * stride
            seen = values[[taps[at] + first + c * stride for at in inside for c in range(inputs)]]
            constant = bias[own] + outside * weights[own][:, out].sum(axis=(1, 2))
            results.extend(elements(seen @ weights[own][:, inside].reshape(outputs, -1).T + constant))
    return array(results)


def max_pool(node, values):
    stride, channels = node["input"]["strides"][2], node["output"]["channels"]
    results = []
    for taps in pixels(node):
        for channel in range(channels):
            seen = [values[place + channel * stride] for place in taps if place is not None]
            results.append(functools.reduce(lambda a, b: a.max_of(b), seen))
    return array(results)


def pixels(node):
    """For every output pixel, where the input pixels that it sees begin: None outside of the map."""
    view, window, output = node["input"], node["window"], node["output"]
    (rows, columns), (down, right), (top, left) = window["kernel"], window["strides"], window["padding"]
    for y in range(output["height"]):
        for x in range(output["width"]):
            taps = []
            for k in range(rows):
                for l in range(columns):
                    row = y * down - top + k * window["dilations"][0]
                    column = x * right - left + l * window["dilations"][1]
                    inside = 0 <= row < view["height"] and 0 <= column < view["width"]
                    place = view.get("first", 0) + row * view["strides"][0] + column * view["strides"][1]
                    taps.append(place if inside else None)
            yield taps


def add(node, left, right):
    first, second = node.get("factors", (1, 1))
    return left * float(first) + right * float(second) + float(node.get("bias", 0))


def concat(node, *maps):
    count = node["output"]["height"] * node["output"]["width"]
    sizes = node["channels"]
    parts = [elements(each) for each in maps]
    return array([v for at in range(count) for part, size in zip(parts, sizes) for v in part[at * size : (at + 1) * size]])


def elements(values):
    return [values[at] for at in range(len(values))]


def array(values):
    return FixedVariableArray(numpy.array(values, dtype=object), hwconf=HARDWARE)


NODES = {
    "dense": dense,
    "requantize": requantize,
    "table": table,
    "convolution": convolution,
    "max-pool": max_pool,
    "add": add,
    "concat": concat,
}


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
    if any(abs(op.opcode) > 8 for op in program.ops):
        raise Refused("OPERATOR_UNSUPPORTED", "The model becomes an operation on bits in da4ml, which is not built here yet.")
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


CODES = {-1: "input", 0: "add", 1: "subtract", 2: "relu", 3: "wrap", 4: "offset", 5: "constant", 6: "choose", 7: "multiply", 8: "lookup"}


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
        if code == 8:
            table = program.lookup_tables[op.data]
            low, _, step = program.ops[op.id0].qint
            each.update(low=low, step=step, entries=[float(entry) for entry in table.float_table])
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


TABLE = re.compile(r'lookup_table #\((\d+), (\d+), "(table_[0-9a-f-]+\.mem)"\)')


def table_module(name, width_in, width_out, entries):
    """Entries that nothing looks up have no digits: any value does."""
    lines = [f"      {width_in}'d{at}: out = {width_out}'h{entry};" for at, entry in enumerate(entries) if "X" not in entry]
    head = f"module {name} (input [{width_in - 1}:0] in, output reg [{width_out - 1}:0] out);"
    return "\n".join([head, "  always @(*)", "    case (in)", *lines, f"      default: out = {width_out}'d0;", "    endcase", "endmodule", ""])


def write(program, pipeline):
    modules = pipeline_logic_gen(pipeline, "adders", timescale=None)
    sources = pathlib.Path(sys.modules["da4ml.codegen.rtl.verilog"].__file__).parent / "source"
    parts = [path.read_text() for path in sorted(sources.glob("*.v")) if path.stem != "lookup_table"]
    tables = {name: text for stage in pipeline.solutions for name, text in table_mem_gen(stage).items()}
    made = {}

    def inlined(found):
        """The contents of a table in a module of its own: files of memories are for simulators and AMD's tools."""
        width_in, width_out, name = int(found[1]), int(found[2]), found[3]
        module = f"table_{width_in}_{width_out}_{name[6:-4].replace('-', '_')}"
        made[module] = table_module(module, width_in, width_out, tables[name].split())
        return module

    texts = [TABLE.sub(inlined, modules[name]) for name in sorted(modules)]
    parts += [made[module] for module in sorted(made)]
    pathlib.Path(TASK["network"]).write_text("\n".join([*parts, *texts]))
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
