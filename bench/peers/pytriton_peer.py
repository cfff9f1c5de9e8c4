"""The net bound to pytriton; the arguments are the ports of HTTP and gRPC."""
import signal
import sys

import numpy as np
from net import CLASSES, INPUT, MAX_BATCH_SIZE, NAME, OUTPUT, WIDTH, open_net
from pytriton.decorators import batch
from pytriton.model_config import DynamicBatcher, ModelConfig, Tensor
from pytriton.triton import Triton, TritonConfig

run = open_net()
http_port, grpc_port = (int(port) for port in sys.argv[1:])
config = TritonConfig(
    http_address="127.0.0.1",
    http_port=http_port,
    grpc_address="127.0.0.1",
    grpc_port=grpc_port,
    allow_metrics=False,
)


@batch
def infer(**inputs):
    return {OUTPUT: run(inputs[INPUT])}


with Triton(config=config) as triton:
    triton.bind(
        model_name=NAME,
        infer_func=infer,
        inputs=[Tensor(name=INPUT, dtype=np.float32, shape=(WIDTH,))],
        outputs=[Tensor(name=OUTPUT, dtype=np.float32, shape=(CLASSES,))],
        config=ModelConfig(max_batch_size=MAX_BATCH_SIZE, batcher=DynamicBatcher()),
    )
    # Asked to end, it ends the server underneath too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    triton.serve()
