"""hls4ml's own `predict` over rows, timed. Rows come as JSON on standard input; the last line is JSON: nanoseconds of each
pass over all rows, and the answers of the last. Arguments: the Keras file, a folder to work in, passes, W and I."""

import json
import os
import sys
import time

os.environ.update(KERAS_BACKEND="tensorflow", CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="2")

import hls4ml
import keras
import numpy

path, folder, passes, width, integer = sys.argv[1:]
precision = f"fixed<{width},{integer}>"
model = keras.saving.load_model(path, compile=False)
config = hls4ml.utils.config_from_keras_model(
    model, granularity="name", default_precision=precision, default_reuse_factor=1, backend="Vitis"
)
for layer in config["LayerName"].values():
    for kind in {"weight", "bias", "result"} & set(layer["Precision"]):
        layer["Precision"][kind] = precision
project = hls4ml.converters.convert_from_keras_model(
    model, hls_config=config, output_dir=folder, backend="Vitis", io_type="io_parallel"
)
project.compile()
rows = numpy.ascontiguousarray(json.load(sys.stdin), "float32")
took = []
for _ in range(int(passes)):
    start = time.perf_counter_ns()
    answers = project.predict(rows)
    took.append(time.perf_counter_ns() - start)
print(json.dumps({"ns": took, "answers": answers.astype("float64").tolist()}))
