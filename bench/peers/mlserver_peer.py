"""The net as a runtime of MLServer."""
from mlserver import MLModel
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceRequest, InferenceResponse
from net import OUTPUT, open_net


class Net(MLModel):
    async def load(self) -> bool:
        self.run = open_net()
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        scores = self.run(NumpyCodec.decode_input(payload.inputs[0]))
        return InferenceResponse(
            id=payload.id,
            model_name=self.name,
            model_version=self.version,
            outputs=[NumpyCodec.encode_output(OUTPUT, scores)],
        )
