"""The unmodified KServe SDK: REST in both protocols, JSON and binary, and gRPC with arrays and lists."""
import asyncio
import sys

import numpy as np
from kserve import (
    InferenceGRPCClient,
    InferenceRESTClient,
    InferInput,
    InferRequest,
    RESTConfig,
)

HTTP, GRPC = sys.argv[1], sys.argv[2]
BASE = f"http://{HTTP}"
ROW = np.array([[3.0, 1.0, 2.0, 0.5]], dtype=np.float32)


def check(what, holds):
    if not holds:
        raise AssertionError(what)


def inputs(make):
    return [make(name) for name in ("a", "b")]


def from_array(name, **options):
    made = InferInput(name=name, shape=[1, 4], datatype="FP32")
    made.set_data_from_numpy(ROW, **options)
    return made


def from_list(name):
    return InferInput(name=name, shape=[1, 4], datatype="FP32", data=ROW.flatten().tolist())


async def rest_v2():
    client = InferenceRESTClient(RESTConfig(protocol="v2"))
    check("live", await client.is_server_live(BASE) and await client.is_server_ready(BASE))
    check("ready", await client.is_model_ready(BASE, "add"))
    check("not ready", not await client.is_model_ready(BASE, "loading"))
    for binary in (True, False):
        request = InferRequest(
            model_name="add",
            infer_inputs=inputs(lambda name: from_array(name, binary_data=binary)),
        )
        answer = await client.infer(BASE, request, model_name="add")
        check(f"binary {binary}", np.array_equal(answer.outputs[0].as_numpy(), ROW * 2))


async def rest_v1():
    client = InferenceRESTClient(RESTConfig(protocol="v1"))
    check("live", await client.is_server_live(BASE))
    check("ready", await client.is_model_ready(BASE, "single"))
    check("not ready", not await client.is_model_ready(BASE, "loading"))
    answer = await client.infer(BASE, {"instances": ROW.tolist()}, model_name="single")
    check("predictions", answer["predictions"] == ROW.tolist())


async def grpc():
    client = InferenceGRPCClient(GRPC)
    check("live", await client.is_server_live() and await client.is_server_ready())
    check("ready", await client.is_model_ready("add"))
    for make in (from_array, from_list):
        answer = await client.infer(InferRequest(model_name="add", infer_inputs=inputs(make)))
        check(str(make), np.array_equal(answer.outputs[0].as_numpy(), ROW * 2))


async def main():
    await rest_v2()
    await rest_v1()
    await grpc()
    print("ok")


asyncio.run(main())
