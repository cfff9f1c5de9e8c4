"""The net that each server runs, as all of them run it: one thread of onnxruntime."""
import os

import onnxruntime

NAME, INPUT, OUTPUT, WIDTH, CLASSES = "jets", "features", "probabilities", 16, 5
MAX_BATCH_SIZE = 64


def open_net():
    """Answers a function from rows to scores."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(os.environ["NET"], options)
    return lambda rows: session.run([OUTPUT], {INPUT: rows})[0]
