import { emulationHelpers } from "../emulation";

/** Name of the script in the work folder of a build. */
export const scriptPath = "convert.py";

/**
 * Python that turns an ensemble of trees into conifer's C++ project and compiles its emulation, for the private environment
 * with conifer. It needs the model, the rows and the harness in its folder, and leaves the executable, what conifer's own
 * library answers to the rows, what the original answers to them, and the project as a zip. Where it refuses, it says why in
 * a file.
 *
 * Argument: the task, a JSON file with the names of all those, the ensemble and its number types.
 */
export const convertScript = String.raw`import base64
import ctypes
import json
import math
import os
import pathlib
import subprocess
import sys
import traceback
import zipfile

os.environ.update({name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")})
# conifer writes down who made a project: nobody, so that equal requests give equal files.
os.environ["USER"] = os.environ["LOGNAME"] = "boardwalk"

import numpy

TASK = json.loads(pathlib.Path(sys.argv[1]).read_text())
ENSEMBLE = TASK["ensemble"]
PROJECT = "firmware_model"
FOLDER = pathlib.Path("project")
FLAGS = ["-O3", "-fPIC", "-w", "-fno-gnu-unique", "-std=c++14", "-Iap_types", "-Ihls", "-I."]


${emulationHelpers}def build():
    rows = read_rows()
    convert().write()
    settle_project()
    write_sources()
    pack_project()
    print("Compiling the emulation.", flush=True)
    compile_sources()
    scores, answers = ask_library(rows)
    require_arithmetic(rows, scores)
    pathlib.Path(TASK["answers"]).write_bytes(answers.tobytes())
    write_answers(TASK["original"], original_answers(rows), [output["size"] for output in TASK["outputs"]])
    print(f"conifer and the original answer {len(rows[0])} rows.", flush=True)


def convert():
    try:
        from conifer.model import make_model

        configuration = {
            **TASK["configuration"],
            "backend": "xilinxhls",
            "output_dir": str(FOLDER),
            "project_name": PROJECT,
            "input_precision": type_of("feature"),
            "threshold_precision": type_of("feature"),
            # A node reads one feature.
            "weight_precision": "ap_ufixed<1,1>",
            "score_precision": type_of("score"),
        }
        trees = [[with_weights(tree) for tree in trees] for trees in ENSEMBLE["trees"]]
        return make_model({**ENSEMBLE, "trees": trees, "norm": 1, "library": "boardwalk"}, configuration)
    except Exception as error:
        traceback.print_exc()
        message = f"conifer does not convert the model: {first_line(error)}"
        raise Refused("OPERATOR_UNSUPPORTED", message, "The boardwalk engine may take it; the log says more.") from error


def type_of(kind):
    asked = TASK["types"][kind]
    modes = ",AP_TRN,AP_SAT" if TASK["saturates"] else ""
    return f"ap_fixed<{asked['width']},{asked['integerBits']}{modes}>"


def with_weights(tree):
    columns = range(ENSEMBLE["n_features"])
    return {**tree, "weight": [[int(feature == column) for column in columns] for feature in tree["feature"]]}


def settle_project():
    """Takes out what is another each time: who made it and when, a stamp, the folder."""
    saved = FOLDER / f"{PROJECT}.json"
    model = json.loads(saved.read_text())
    model["metadata"] = []
    model["config"]["output_dir"] = "."
    saved.write_text(json.dumps(model))
    bridge = FOLDER / "bridge.cpp"
    lines = bridge.read_text().splitlines()
    settled = ["PYBIND11_MODULE(conifer_bridge, m) {" if "PYBIND11_MODULE" in line else line for line in lines]
    bridge.write_text("\n".join(settled) + "\n")


def write_sources():
    """conifer's own bridge without its door to Python, and a door to C beside it."""
    bridge = (FOLDER / "bridge.cpp").read_text()
    pathlib.Path("bridge.cpp").write_text(bridge[: bridge.index("#include <pybind11/")])
    features, scores = ENSEMBLE["n_features"], len(ENSEMBLE["init_predict"])
    first = TASK["first"]
    pair = [f"s.insert(s.begin(), {first['constant']!r} + {first['factor']!r} * s[0]);"] if first else []
    copies = [f"x.insert(x.end(), in[{at}], in[{at}] + {size});" for at, size in enumerate(TASK["inputs"])]
    heads = [f"head_{output['activation']}(s, out[{at}]);" for at, output in enumerate(TASK["outputs"])]
    pathlib.Path("door.cpp").write_text(
        "\n".join(
            [
                '#include "heads.h"',
                "std::vector<double> decision_function(std::vector<double> x);",
                f"static_assert({features} > 0 && {scores} > 0, \"sizes\");",
                'extern "C" void scores(const double *row, double *out) {',
                f"    const std::vector<double> s = decision_function(std::vector<double>(row, row + {features}));",
                "    std::copy(s.begin(), s.end(), out);",
                "}",
                'extern "C" void emulate(float **in, float **out) {',
                "    std::vector<double> x;",
                *(f"    {line}" for line in copies),
                "    std::vector<double> s = decision_function(x);",
                *(f"    {line}" for line in (*pair, *heads)),
                "}",
                "",
            ]
        )
    )
    pathlib.Path("heads.h").write_text(HEADS)
    sizes = ", ".join(map(str, TASK["inputs"]))
    outputs = ", ".join(str(output["size"]) for output in TASK["outputs"])
    pathlib.Path("shape.h").write_text(
        "\n".join(
            [
                'extern "C" void emulate(float **in, float **out);',
                f"static const std::size_t input_sizes[] = {{{sizes}}};",
                f"static const std::size_t output_sizes[] = {{{outputs}}};",
                "static void call(float **in, float **out) { emulate(in, out); }",
                "",
            ]
        )
    )


# What the host makes of scores, in double precision.
HEADS = """#include <algorithm>
#include <cmath>
#include <vector>
typedef std::vector<double> Scores;
static inline void head_none(const Scores &s, float *out) {
    for (double each : s) *out++ = (float)each;
}
static inline void head_exp(const Scores &s, float *out) {
    for (double each : s) *out++ = (float)std::exp(each);
}
static inline void head_sigmoid(const Scores &s, float *out) {
    for (double each : s) *out++ = (float)(1 / (1 + std::exp(-each)));
}
static inline void head_softmax(const Scores &s, float *out) {
    const double most = *std::max_element(s.begin(), s.end());
    double sum = 0;
    for (double each : s) sum += std::exp(each - most);
    for (double each : s) *out++ = (float)(std::exp(each - most) / sum);
}
"""


def compile_sources():
    """conifer's sources are compiled as they stand, for the program and for the library."""
    import conifer
    import hls4ml

    show(pathlib.Path(hls4ml.__path__[0]) / "templates/vivado/ap_types", "ap_types")
    show(pathlib.Path(conifer.__path__[0]) / "external/hls", "hls")
    sources = {
        "bdt": FOLDER / "firmware/BDT.cpp",
        "bridge": "bridge.cpp",
        "door": "door.cpp",
        "harness": TASK["harness"],
    }
    for name, path in sources.items():
        arguments = ["g++", *FLAGS, f"-I{FOLDER}", f"-I{FOLDER}/firmware", "-c", str(path), "-o", f"{name}.o"]
        compiled = subprocess.run(arguments, stderr=subprocess.PIPE, text=True, errors="replace")
        if compiled.returncode != 0:
            refuse_source(compiled.stderr, "conifer")
    link("-static", "-s", "bdt.o", "bridge.o", "door.o", "harness.o", "-o", TASK["program"])
    link("-shared", "bdt.o", "bridge.o", "door.o", "-o", "model.so")


def show(target, name):
    path = pathlib.Path(name)
    if not path.exists():
        path.symlink_to(target)


def ask_library(rows):
    """conifer's raw scores of each row, and the answers that the host makes of them."""
    library = ctypes.cdll.LoadLibrary(str(pathlib.Path("model.so").resolve()))
    count, wanted = len(rows[0]), len(ENSEMBLE["init_predict"])
    sizes = [output["size"] for output in TASK["outputs"]]
    scores, answers = numpy.zeros((count, wanted)), numpy.zeros((count, sum(sizes)), "<f4")
    flat = numpy.concatenate([each.reshape(count, -1) for each in rows], axis=1)
    doubles, floats = flat.astype("<f8"), numpy.ascontiguousarray(flat, "<f4")
    real, single = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_float)
    for at in range(count):
        library.scores(doubles[at].ctypes.data_as(real), scores[at].ctypes.data_as(real))
        library.emulate(places(floats[at], TASK["inputs"], single), places(answers[at], sizes, single))
    return scores, answers


def places(row, sizes, pointer):
    starts = numpy.cumsum([0, *sizes[:-1]])
    parts = [row[start : start + size].ctypes.data_as(pointer) for start, size in zip(starts, sizes)]
    return (pointer * len(parts))(*parts)


def require_arithmetic(rows, scores):
    """The library answers as whole numbers worked out here do, so the C++ is what conifer means by these types."""
    feature, score = TASK["types"]["feature"], TASK["types"]["score"]
    flat = numpy.concatenate([each.reshape(len(each), -1) for each in rows], axis=1).astype("<f8")
    values = to_words(flat, feature)
    for at, base in enumerate(ENSEMBLE["init_predict"]):
        leaves = [leaf_words(trees[at], values, feature, score) for trees in ENSEMBLE["trees"]]
        total = fit(to_words(numpy.array(base), score) + reduced(leaves, score), score)
        wanted = total * 2.0 ** (score["integerBits"] - score["width"])
        wrong = numpy.flatnonzero(wanted != scores[:, at])
        if len(wrong) > 0:
            message = f"conifer's library answers row {wrong[0]} with {scores[wrong[0], at]}, and its arithmetic gives {wanted[wrong[0]]}."
            raise Refused("TOOL_FAILED", message, "This is a fault of conifer's, or of ours. Please report it.")


def to_words(values, kind):
    """Whole numbers of a fixed-point type; what is between two becomes the lower one."""
    return fit(numpy.floor(values * 2.0 ** (kind["width"] - kind["integerBits"])), kind)


def fit(words, kind):
    half = 2.0 ** (kind["width"] - 1)
    if TASK["saturates"]:
        return numpy.clip(words, -half, half - 1)
    return numpy.mod(words + half, 2 * half) - half


def leaf_words(tree, values, feature, score):
    thresholds, leaves = (to_words(numpy.array(tree[name]), kind) for name, kind in (("threshold", feature), ("value", score)))
    columns, left, right = (numpy.array(tree[name]) for name in ("feature", "children_left", "children_right"))
    at = numpy.zeros(len(values), int)
    for _ in range(ENSEMBLE["max_depth"]):
        asked = columns[at]
        own = values[numpy.arange(len(values)), numpy.maximum(asked, 0)]
        below = own < thresholds[at] if ENSEMBLE["splitting_convention"] == "<" else own <= thresholds[at]
        at = numpy.where(asked < 0, at, numpy.where(below, left[at], right[at]))
    return leaves[at]


def reduced(words, score):
    """The order of conifer's adder tree, which matters where sums saturate."""
    if len(words) == 1:
        return words[0]
    left = 2 ** math.floor(math.log2(len(words) - 1))
    return fit(reduced(words[:left], score) + reduced(words[left:], score), score)


def original_answers(rows):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(TASK["model"], options, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    return session.run([output["name"] for output in TASK["outputs"]], dict(zip(names, rows)))


main()
`;
