import { emulationHelpers } from "../emulation";

/** Name of the script in the work folder of a build. */
export const scriptPath = "convert.py";

/**
 * Python that turns a model into hls4ml's C++ project and compiles its emulation, for the private environment with hls4ml.
 * It needs the model, the rows and the harness in its folder, and leaves the executable, what hls4ml's own `predict` answers
 * to the rows, what the original answers to them, and the project as a zip. Where it refuses, it says why in a file.
 *
 * Argument: the task, a JSON file with the names of all those and the options.
 */
export const convertScript = String.raw`import base64
import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys
import traceback
import zipfile

# One thread is enough for a few rows; the sandbox counts them, and a machine may have a hundred cores.
threads = ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
os.environ.update({name: "1" for name in threads})
# Plain float32 arithmetic of the CPU, and no search for other devices.
os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="2")
os.environ.update(KERAS_BACKEND="tensorflow")

import numpy

TASK = json.loads(pathlib.Path(sys.argv[1]).read_text())
OPTIONS = TASK["options"]
PROJECT = "firmware_model"
FOLDER = pathlib.Path("project")
# Of every machine of the kind: what is compiled here runs elsewhere. Warnings about the libraries help nobody.
FLAGS = ["-O3", "-fPIC", "-w", "-fno-gnu-unique", "-Ifirmware/ap_types/", "-I."]
NAME = re.compile("[A-Za-z_][A-Za-z0-9_]{0,199}")
KEYWORDS = set(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long main mutable
    namespace new noexcept not not_eq nnet nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast std struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq""".split()
)


${emulationHelpers}def build():
    rows = read_rows()
    original = OnnxModel() if TASK["format"] == "onnx" else KerasModel()
    model = convert(original)
    require_sizes("inputs", model.get_input_variables(), TASK["inputs"])
    require_sizes("outputs", model.get_output_variables(), TASK["outputs"])
    model.write()
    settle_project(model.config.config["Stamp"])
    pack_project()
    write_shape()
    loosen_weights()
    print("Compiling the emulation.", flush=True)
    compile_sources()
    answers = predict(model, rows)
    write_answers(TASK["answers"], answers, TASK["outputs"])
    write_answers(TASK["original"], original.answer(rows), TASK["outputs"])
    print(f"hls4ml and the original answer {len(rows[0])} rows.", flush=True)


def require_sizes(what, variables, wanted):
    sizes = [int(variable.size()) for variable in variables]
    if sizes != wanted:
        message = f"hls4ml made {what} of {sizes} values a row of a model that has {wanted}."
        raise Refused("OPERATOR_UNSUPPORTED", message)


class KerasModel:
    def __init__(self):
        import hgq.layers  # Registers the layers of HGQ2, which files name.
        import keras

        # Before Keras stumbles over one, in more words.
        require_names(keras_config())
        try:
            self.model = keras.saving.load_model(TASK["model"], compile=False, safe_mode=True)
        except Exception as error:
            raise Refused("MODEL_UNSUPPORTED", f"Keras cannot load the model: {first_line(error)}") from error
        layers = list(self.model._flatten_layers(include_self=False))
        for layer in layers:
            require_name(layer.name)
            if type(layer).__name__ == "Lambda":
                message = f"Layer {layer.name} is a Lambda layer: its Python code has no counterpart in hardware."
                raise Refused("MODEL_NOT_ALLOWED", message)
        # hls4ml calls layers as Keras does.
        self.parts = {}
        self.quantised = any(type(layer).__module__.startswith(("hgq.", "qkeras.")) for layer in layers)

    def answer(self, rows):
        return as_list(self.model(rows if len(rows) > 1 else rows[0], training=False))

    def config(self, **arguments):
        import hls4ml

        return hls4ml.utils.config_from_keras_model(self.model, **arguments)

    def convert(self, **arguments):
        import hls4ml

        return hls4ml.converters.convert_from_keras_model(self.model, **arguments)


def keras_config():
    """What the file says of its layers."""
    if TASK["format"] == "keras":
        with zipfile.ZipFile(TASK["model"]) as archive:
            return json.loads(archive.read("config.json"))
    import h5py

    with h5py.File(TASK["model"], "r") as file:
        return json.loads(file.attrs["model_config"])


def require_names(config):
    if isinstance(config, dict):
        layers = config.get("layers")
        for layer in layers if isinstance(layers, list) else []:
            require_name(layer["config"]["name"])
        config = list(config.values())
    for part in config if isinstance(config, list) else []:
        require_names(part)


class OnnxModel:
    def __init__(self):
        from qonnx.core.modelwrapper import ModelWrapper
        from qonnx.transformation.channels_last import ConvertToChannelsLastAndClean
        from qonnx.transformation.gemm_to_matmul import GemmToMatMul
        from qonnx.transformation.remove import remove_node_and_rewire
        from qonnx.util.cleanup import cleanup_model

        try:
            model = ModelWrapper(TASK["model"])
            # hls4ml knows the shapes of one row; those that were written for any number of them are worked out again.
            for tensor in (*model.graph.input, *model.graph.output):
                dimensions = tensor.type.tensor_type.shape.dim
                if dimensions and not dimensions[0].dim_value:
                    dimensions[0].dim_value = 1
            del model.graph.value_info[:]
            settle_padding(model)
            for node in [each for each in model.graph.node if each.op_type == "Identity"]:
                remove_node_and_rewire(model, node)
            # QONNX gives nodes names of its own; what they were called stays with them.
            for node in model.graph.node:
                node.doc_string = node.name
            model = cleanup_model(model)
            called = {output: node.doc_string for node in model.graph.node for output in node.output}
            model = model.transform(GemmToMatMul())
            for node in model.graph.node:
                if not node.doc_string and node.output[0] in called:
                    node.doc_string = called[node.output[0]]
            model = cleanup_model(model)
            if model.get_nodes_by_op_type("Conv"):
                model = cleanup_model(model.transform(ConvertToChannelsLastAndClean()))
            # hls4ml looks for the shapes of constants there too.
            known = {value.name for value in model.graph.value_info}
            for constant in model.graph.initializer:
                if constant.name not in known:
                    model.set_tensor_shape(constant.name, list(constant.dims))
        except Exception as error:
            traceback.print_exc()
            raise Refused("MODEL_UNSUPPORTED", f"QONNX cannot prepare the model: {first_line(error)}") from error
        for node in model.graph.node:
            require_name(node.name)
        self.model = model
        self.parts = parts_by_name(model)
        self.quantised = any(
            node.domain.startswith("qonnx") or node.op_type in ("Quant", "QuantizeLinear", "BipolarQuant")
            for node in model.graph.node
        )

    def answer(self, rows):
        import onnxruntime

        try:
            session = onnxruntime.InferenceSession(TASK["model"], providers=["CPUExecutionProvider"])
            return session.run(None, dict(zip([each.name for each in session.get_inputs()], rows)))
        except Exception as error:
            print(f"ONNX Runtime does not run the model, so QONNX does: {first_line(error)}", flush=True)
        from qonnx.core.onnx_exec import execute_onnx

        inputs = [each.name for each in self.model.graph.input]
        outputs = [each.name for each in self.model.graph.output]
        answers = [
            execute_onnx(self.model, {name: value[at : at + 1] for name, value in zip(inputs, rows)})
            for at in range(len(rows[0]))
        ]
        return [numpy.concatenate([answer[name] for answer in answers]) for name in outputs]

    def config(self, **arguments):
        import hls4ml

        return hls4ml.utils.config_from_onnx_model(self.model, **arguments)

    def convert(self, **arguments):
        import hls4ml

        return hls4ml.converters.convert_from_onnx_model(self.model, **arguments)


def parts_by_name(model):
    """By what a layer was called in the file: its node, the sum of its biases, and their constants, as hls4ml calls them."""
    constants = {value.name for value in model.graph.initializer}

    def with_constants(node):
        return [node.name, *(name for name in node.input if name in constants)]

    parts = {}
    for node in model.graph.node:
        behind = model.find_direct_successors(node) or []
        has_sum = node.op_type in ("MatMul", "Conv") and len(behind) == 1 and behind[0].op_type == "Add"
        names = [*with_constants(node), *(with_constants(behind[0]) if has_sum else [])]
        for called in (node.doc_string, behind[0].doc_string if has_sum else ""):
            if called:
                parts.setdefault(called, names)
    return parts


def settle_padding(model):
    """Exporters leave out padding that is none; QONNX wants it written."""
    import onnx

    for node in model.graph.node:
        if node.op_type not in ("Conv", "MaxPool", "AveragePool"):
            continue
        given = {attribute.name: attribute for attribute in node.attribute}
        automatic = given["auto_pad"].s.decode() if "auto_pad" in given else "NOTSET"
        if "pads" in given or automatic not in ("NOTSET", "VALID"):
            continue
        if "auto_pad" in given:
            node.attribute.remove(given["auto_pad"])
        rank = len(given["kernel_shape"].ints) if "kernel_shape" in given else 2
        node.attribute.append(onnx.helper.make_attribute("pads", [0] * 2 * rank))


def require_name(name):
    """Names become those of C++ types and variables, in files that a compiler reads."""
    if NAME.fullmatch(name) and name not in KEYWORDS:
        return
    message = f"Layer {json.dumps(name[:80])} has a name that C++ does not take."
    hint = "Give it one of letters, digits and underscores that is no word of C++, and save the model again."
    raise Refused("MODEL_UNSUPPORTED", message, hint)


def convert(original):
    try:
        import hls4ml

        config = configure(original)
        return original.convert(
            hls_config=config,
            output_dir=str(FOLDER),
            project_name=PROJECT,
            backend=OPTIONS["backend"],
            io_type=OPTIONS["ioType"],
            # Weights in the program itself: it reads no files.
            write_weights_txt=False,
            **TASK["target"],
        )
    except Refused:
        raise
    except Exception as error:
        traceback.print_exc()
        message = f"hls4ml does not convert the model: {first_line(error)}"
        hint = "The hls4ml engine takes what hls4ml takes; the log says more. Other engines may take the model."
        raise Refused("OPERATOR_UNSUPPORTED", message, hint) from error


def configure(original):
    arguments = {
        "backend": OPTIONS["backend"],
        "default_precision": fixed(OPTIONS),
        "default_reuse_factor": OPTIONS["reuseFactor"],
    }
    config = original.config(granularity=OPTIONS["granularity"], **arguments)
    config["Model"]["Strategy"] = OPTIONS["strategy"]
    inferred = OPTIONS.get("results", "inferred" if original.quantised else "fixed") == "inferred"
    if not inferred:
        for layer in [*config.get("LayerName", {}).values(), *config.get("LayerType", {}).values()]:
            set_precision(layer, fixed(OPTIONS), only_auto=True)
    if OPTIONS["layers"]:
        known = original.config(granularity="name", **arguments)["LayerName"]
        for name, wanted in OPTIONS["layers"].items():
            parts = original.parts.get(name, [])
            override(config, known, *parts[:1] or [name], wanted)
            if "width" in wanted or "integerBits" in wanted:
                # hls4ml makes dense layers of them, whose weights and biases it looks up under the same names.
                bits = dict.fromkeys(("weight", "bias", "result"), fixed({**OPTIONS, **wanted}))
                for part in parts:
                    entry = config.setdefault("LayerName", {}).setdefault(part, known.get(part, {}))
                    entry["Precision"] = {**entry.get("Precision", {}), **bits}
    return config


def override(config, known, name, wanted):
    if name not in known:
        message = f"Option layers: there is no layer {json.dumps(name[:80])}."
        raise Refused("OPTION_INVALID", message, f"Layers are {', '.join(known)[:600]}.")
    layer = config.setdefault("LayerName", {}).setdefault(name, known[name])
    if "width" in wanted or "integerBits" in wanted:
        set_precision(layer, fixed({**OPTIONS, **wanted}), only_auto=False)
    for option, entry in (("reuseFactor", "ReuseFactor"), ("strategy", "Strategy")):
        if option in wanted:
            layer[entry] = wanted[option]


def set_precision(layer, precision, only_auto):
    """Sums keep the bits that hls4ml works out: else every one of them could wrap round."""
    kinds = layer.get("Precision", {})
    for kind in ("weight", "bias", "result"):
        if kind in kinds and (not only_auto or kinds[kind] == "auto"):
            kinds[kind] = precision


def fixed(options):
    return f"fixed<{options['width']},{options['integerBits']}>"


def settle_project(stamp):
    """Takes out what is another each time, a random stamp and the hour: equal requests give equal files."""
    for name in ("build_lib.sh", "hls4ml_config.yml"):
        path = FOLDER / name
        path.write_text(path.read_text().replace(stamp, "boardwalk"))
    saved = FOLDER / "keras_model.keras"
    if not saved.exists():
        return
    with zipfile.ZipFile(saved) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    metadata = {**json.loads(parts["metadata.json"]), "date_saved": "1980-01-01@00:00:00"}
    parts["metadata.json"] = json.dumps(metadata).encode()
    write_zip(saved, {name: (bytes, 0o644) for name, bytes in parts.items()})


def write_shape():
    inputs, outputs = TASK["inputs"], TASK["outputs"]
    names = [*(f"in[{at}]" for at in range(len(inputs))), *(f"out[{at}]" for at in range(len(outputs)))]
    lines = [
        f'extern "C" void {PROJECT}_float({", ".join(["float *"] * len(names))});',
        f"static const std::size_t input_sizes[] = {{{', '.join(map(str, inputs))}}};",
        f"static const std::size_t output_sizes[] = {{{', '.join(map(str, outputs))}}};",
        f"static void call(float **in, float **out) {{ {PROJECT}_float({', '.join(names)}); }}",
    ]
    (FOLDER / "shape.h").write_text("\n".join(lines) + "\n")


# An array of fixed-point numbers as hls4ml writes it, one line of decimals.
WEIGHTS = re.compile(r"^(\w+) (\w+)\[(\d+)\] = (\{[-+0-9.eE, ]+\});$", re.MULTILINE)
LOOSE = r"""static const double \2_decimals[\3] = \4;
\1 \2[\3];
static const bool \2_filled = [] { for (int at = 0; at < \3; at++) \2[at] = \2_decimals[at]; return true; }();"""


def loosen_weights():
    """
    Has the program make its numbers in a loop when it starts: of a constructor for each weight, g++ makes a function that
    it spends most of its time on. The project is packed already, and stays as hls4ml wrote it.
    """
    for path in sorted((FOLDER / "firmware" / "weights").glob("*.h")):
        path.write_text(WEIGHTS.sub(LOOSE, path.read_text()))


def standard():
    """The one that hls4ml compiles by: the newest, where this compiler knows it."""
    probe = ["g++", "-fsyntax-only", "-std=c++23", "-xc++", "-"]
    return "-std=c++23" if subprocess.run(probe, input=b"", capture_output=True).returncode == 0 else "-std=c++11"


def compile_sources():
    """One object file of each, for the library that hls4ml loads and for the program: large models take gigabytes."""
    sources = {"model": f"firmware/{PROJECT}.cpp", "bridge": f"{PROJECT}_bridge.cpp", "harness": f"../{TASK['harness']}"}
    common = ["g++", *FLAGS, standard()]
    for name, path in sources.items():
        compiled = subprocess.run(
            [*common, "-c", path, "-o", f"../{name}.o"], cwd=FOLDER, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        if compiled.returncode != 0:
            refuse_source(compiled.stderr, "hls4ml")
    link("-static", "-s", "model.o", "bridge.o", "harness.o", "-o", TASK["program"])
    link("-shared", "model.o", "bridge.o", "-o", "model.so")


def predict(model, rows):
    """What hls4ml itself answers, through its library."""
    model._top_function_lib = ctypes.cdll.LoadLibrary(str(pathlib.Path("model.so").resolve()))
    return model.predict(rows if len(rows) > 1 else rows[0])


main()
`;
