/** Name of the script in the work folder of a build. */
export const scriptPath = "convert.py";

/**
 * Python that turns a SavedModel into ONNX, for the private environment with TensorFlow and tf2onnx. It needs
 * `saved_model.pb`, `variables.*` and the rows in its folder, and leaves the ONNX file and what the original answers.
 *
 * Arguments: signature, rows, answers, model.
 */
export const convertScript = `import base64
import json
import logging
import os
import pathlib
import sys

# One thread is enough for a few rows; the sandbox counts them, and a machine may have a hundred cores.
threads = ("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
os.environ.update({name: "1" for name in threads})
# Plain float32 arithmetic of the CPU, and no search for other devices.
os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="2")

import numpy
import tensorflow
from tf2onnx import convert

TAG = "serve"
OPSET = "17"
TYPES = {
    "BOOL": "?",
    "UINT8": "<u1",
    "UINT16": "<u2",
    "UINT32": "<u4",
    "UINT64": "<u8",
    "INT8": "<i1",
    "INT16": "<i2",
    "INT32": "<i4",
    "INT64": "<i8",
    "FP32": "<f4",
    "FP64": "<f8",
}
NAMES = {numpy.dtype(code): name for name, code in TYPES.items()}


def main(signature, rows, answers, model):
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout, force=True)
    folder = restore_folder()
    original = tensorflow.saved_model.load(str(folder), tags=[TAG]).signatures[signature]
    inputs = {each["name"]: to_tensor(each) for each in json.loads(pathlib.Path(rows).read_text())}
    outputs = {name: value.numpy() for name, value in original(**inputs).items()}
    answered = [to_json(name, outputs[name]) for name in sorted(outputs)]
    pathlib.Path(answers).write_text(json.dumps(answered))
    print(f"The original answers {', '.join(sorted(outputs))}.", flush=True)
    sys.argv = ["tf2onnx", "--saved-model", str(folder), "--tag", TAG, "--signature_def", signature]
    sys.argv += ["--opset", OPSET, "--output", model]
    convert.main()


def restore_folder():
    """The folder as TensorFlow wants it: weights lie in a folder of their own."""
    folder = pathlib.Path("saved_model")
    (folder / "variables").mkdir(parents=True)
    pathlib.Path("saved_model.pb").rename(folder / "saved_model.pb")
    for weights in sorted(pathlib.Path(".").glob("variables.*")):
        weights.rename(folder / "variables" / weights.name)
    return folder


def to_tensor(row):
    values = numpy.frombuffer(base64.b64decode(row["data"]), TYPES[row["datatype"]])
    return tensorflow.constant(values.reshape(row["shape"]))


def to_json(name, value):
    datatype = NAMES[value.dtype]
    data = numpy.ascontiguousarray(value, TYPES[datatype]).tobytes()
    shape = list(value.shape)
    return {"name": name, "datatype": datatype, "shape": shape, "data": base64.b64encode(data).decode()}


main(*sys.argv[1:])
`;
