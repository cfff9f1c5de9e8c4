"""The net as a model of KServe's Python server."""
import logging

import uvicorn
from grpc import aio
from kserve import InferOutput, InferResponse, Model, ModelServer
from kserve.utils.utils import generate_uuid
from net import NAME, OUTPUT, open_net


class Net(Model):
    def __init__(self):
        super().__init__(NAME)
        self.run = open_net()
        self.ready = True

    async def predict(self, payload, headers=None, response_headers=None):
        scores = self.run(payload.inputs[0].as_numpy())
        output = InferOutput(name=OUTPUT, shape=list(scores.shape), datatype="FP32")
        output.set_data_from_numpy(scores, binary_data=payload.use_binary_outputs)
        return InferResponse(
            response_id=payload.id or generate_uuid(),
            model_name=self.name,
            infer_outputs=[output],
            use_binary_outputs=payload.use_binary_outputs,
        )


def stay_on_loopback():
    """It has no option for the address that it listens on."""
    config, server = uvicorn.Config.__init__, aio.server

    def on_loopback(self, app, **options):
        config(self, app, **{**options, "host": "127.0.0.1", "access_log": False})

    def grpc_on_loopback(*arguments, **options):
        made = server(*arguments, **options)
        add = made.add_insecure_port
        made.add_insecure_port = lambda address: add(f"127.0.0.1:{address.rsplit(':', 1)[1]}")
        return made

    uvicorn.Config.__init__, aio.server = on_loopback, grpc_on_loopback


stay_on_loopback()
logging.disable(logging.INFO)
ModelServer().start([Net()])
