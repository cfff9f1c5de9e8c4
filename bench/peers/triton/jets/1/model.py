"""The net in Triton's Python backend: what was batched runs as one."""
import numpy as np
import triton_python_backend_utils as backend
from net import INPUT, OUTPUT, open_net


class TritonPythonModel:
    def initialize(self, args):
        self.run = open_net()

    def execute(self, requests):
        rows = [backend.get_input_tensor_by_name(each, INPUT).as_numpy() for each in requests]
        scores = self.run(np.concatenate(rows) if len(rows) > 1 else rows[0])
        answers, start = [], 0
        for each in rows:
            part = scores[start : start + len(each)]
            start += len(each)
            answers.append(backend.InferenceResponse([backend.Tensor(OUTPUT, part)]))
        return answers
