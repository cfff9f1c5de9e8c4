"""The unmodified tritonclient over gRPC, all of its kinds, against every model of the test's board."""
import asyncio
import queue
import sys

import numpy as np
import tritonclient.grpc as grpc
import tritonclient.grpc.aio as aio
from tritonclient.grpc import service_pb2, service_pb2_grpc
from tritonclient.utils import InferenceServerException, triton_to_np_dtype

URL = sys.argv[1]
SAMPLES = {
    "BOOL": [True, False, True],
    "UINT8": [0, 1, 255],
    "UINT16": [0, 1, 65535],
    "UINT32": [0, 1, 2**32 - 1],
    "UINT64": [0, 1, 2**64 - 1],
    "INT8": [-128, 0, 127],
    "INT16": [-(2**15), 0, 2**15 - 1],
    "INT32": [-(2**31), 0, 2**31 - 1],
    "INT64": [-(2**63), 0, 2**63 - 1],
    "FP16": [0.5, -2.0, 65504.0],
    "FP32": [0.1, -2.5, 3e38],
    "FP64": [0.1, -2.5, 1e300],
}
CONTENTS = {
    "BOOL": "bool_contents",
    "INT8": "int_contents",
    "INT16": "int_contents",
    "INT32": "int_contents",
    "INT64": "int64_contents",
    "UINT8": "uint_contents",
    "UINT16": "uint_contents",
    "UINT32": "uint_contents",
    "UINT64": "uint64_contents",
    "FP32": "fp32_contents",
    "FP64": "fp64_contents",
}


def check(what, holds):
    if not holds:
        raise AssertionError(what)


def refused(call, status, words):
    try:
        call()
    except InferenceServerException as error:
        check(f"{words}: {error}", words in str(error.message()) and error.status() == status)
        return
    raise AssertionError(f"not refused: {words}")


def tensor(name, array, datatype):
    made = grpc.InferInput(name, list(array.shape), datatype)
    made.set_data_from_numpy(array)
    return made


def datatypes(client):
    for datatype, values in SAMPLES.items():
        array = np.array(values, dtype=triton_to_np_dtype(datatype))
        answer = client.infer(f"echo_{datatype.lower()}", [tensor("x", array, datatype)])
        check(datatype, np.array_equal(answer.as_numpy("y"), array))
        response = answer.get_response()
        check("raw", len(response.raw_output_contents) == len(response.outputs) == 1)
    words = np.array([b"", b"plain", "é".encode(), b"x" * 70000], dtype=np.object_)
    got = client.infer("echo_bytes", [tensor("x", words, "BYTES")]).as_numpy("y")
    check("BYTES", list(got) == list(words))
    empty = tensor("x", np.zeros((0,), dtype=np.float32), "FP32")
    check("no elements", client.infer("echo_fp32", [empty]).as_numpy("y").shape == (0,))


def typed_contents(stub):
    for datatype, field in CONTENTS.items():
        request = service_pb2.ModelInferRequest(model_name=f"echo_{datatype.lower()}", id="t")
        made = request.inputs.add(name="x", datatype=datatype, shape=[3])
        getattr(made.contents, field).extend(SAMPLES[datatype])
        raw = stub.ModelInfer(request).raw_output_contents[0]
        got = np.frombuffer(raw, dtype=triton_to_np_dtype(datatype))
        check(f"typed {datatype}", list(got) == list(np.array(SAMPLES[datatype], got.dtype)))
        request.parameters["binary_data_output"].bool_param = False
        output = stub.ModelInfer(request).outputs[0]
        check(f"typed out {datatype}", len(getattr(output.contents, field)) == 3)


def streaming(client):
    answers = queue.Queue()
    client.start_stream(callback=lambda result, error: answers.put((result, error)))
    for i in range(100):
        width = 3 if i == 50 else 4
        row = np.full((1, width), i, dtype=np.float32)
        client.async_stream_infer("single", [tensor("x", row, "FP32")], request_id=str(i))
    for i in range(100):
        result, error = answers.get(timeout=10)
        if i == 50:
            check("the bad one", error is not None and "unexpected shape" in str(error))
        else:
            check(f"order {i} {error}", error is None and result.get_response().id == str(i))
            check("row", result.as_numpy("y")[0][0] == i)
    client.stop_stream()


def sonic(client):
    """The order of calls of CMS's SONIC clients, with many inferences under way."""
    names = {m.name for m in client.get_model_repository_index().models if m.state == "READY"}
    check("indexed", "add" in names)
    config = client.get_model_config("add").config
    meta = client.get_model_metadata("add")
    check("inputs and outputs", len(meta.inputs) > 0 and len(meta.outputs) > 0)
    check("batched", config.max_batch_size > 0 and all(t.shape[0] == -1 for t in meta.inputs))
    done = queue.Queue()
    sent = []
    for i in range(64):
        rows = i % 4 + 1
        arrays = [np.full((rows, 4), i + k, dtype=np.float32) for k in range(2)]
        inputs = [tensor(spec.name, array, spec.datatype) for spec, array in zip(meta.inputs, arrays)]
        sent.append(arrays[0] + arrays[1])
        client.async_infer(
            "add",
            inputs,
            lambda result, error, i=i: done.put((i, result, error)),
            client_timeout=20,
        )
    for _ in range(64):
        i, result, error = done.get(timeout=20)
        check(f"sonic {i} {error}", error is None and np.array_equal(result.as_numpy("sum"), sent[i]))
    check("statistics", client.get_inference_statistics("add").model_stats[0].name == "add")
    # The C++ client says this with every unary request; this one may not.
    request = service_pb2.ModelInferRequest(model_name="echo_fp32", raw_input_contents=[b"\0" * 4])
    request.inputs.add(name="x", datatype="FP32", shape=[1])
    request.parameters["triton_enable_empty_final_response"].bool_param = True
    stub = service_pb2_grpc.GRPCInferenceServiceStub(client._channel)
    check("parameter", len(stub.ModelInfer(request).raw_output_contents) == 1)


def main():
    client = grpc.InferenceServerClient(URL)
    check("live", client.is_server_live() and client.is_server_ready())
    check("ready", client.is_model_ready("add") and not client.is_model_ready("loading"))
    check("server", client.get_server_metadata().name == "boardwalk")
    check("model", list(client.get_model_metadata("add").inputs[0].shape) == [-1, 4])
    config = client.get_model_config("add").config
    check("config", config.max_batch_size == 8 and list(config.input[0].dims) == [4])
    check("strings", client.get_model_config("echo_bytes").config.input[0].data_type == 13)
    datatypes(client)
    typed_contents(service_pb2_grpc.GRPCInferenceServiceStub(client._channel))
    row = np.array([[3.0, 1.0, 2.0, 0.5]], dtype=np.float32)
    inputs = [tensor("a", row, "FP32"), tensor("b", row, "FP32")]
    for encoding in (None, "gzip", "deflate"):
        answer = client.infer("add", inputs, compression_algorithm=encoding, request_id="é")
        check(f"add {encoding}", np.array_equal(answer.as_numpy("sum"), row * 2))
        check("id", answer.get_response().id == "é")
    top = client.infer("add", inputs, outputs=[grpc.InferRequestedOutput("sum", class_count=2)])
    check("classes", list(top.as_numpy("sum")[0]) == [b"6.000000:0", b"4.000000:2"])
    done = queue.Queue()
    for _ in range(32):
        client.async_infer("add", inputs, lambda result, error: done.put((result, error)))
    for _ in range(32):
        result, error = done.get(timeout=10)
        check(f"async {error}", np.array_equal(result.as_numpy("sum"), row * 2))
    sonic(client)
    streaming(client)
    large = np.ones((1, 8 * 1024 * 1024), dtype=np.float32)
    check("32 MiB", client.infer("matrix", [tensor("x", large, "FP32")]).as_numpy("y").size == large.size)
    too_large = np.ones((1, 17 * 1024 * 1024), dtype=np.float32)
    refused(
        lambda: client.infer("matrix", [tensor("x", too_large, "FP32")]),
        "StatusCode.RESOURCE_EXHAUSTED",
        "",
    )
    check("after it", client.is_server_live())
    stats = client.get_inference_statistics("add").model_stats
    check("statistics", sum(each.inference_count for each in stats) >= 30)
    check("all", len(client.get_inference_statistics().model_stats) > 10)
    index = {(m.name, m.version): m.state for m in client.get_model_repository_index().models}
    check("index", index[("add", "2")] == "READY")
    client.unload_model("single")
    check("unloaded", not client.is_model_ready("single"))
    client.load_model("single")
    check("loaded", client.is_model_ready("single"))
    not_found = "StatusCode.NOT_FOUND"
    refused(lambda: client.load_model("nope"), not_found, "failed to load")
    refused(lambda: client.get_model_metadata("nope"), not_found, "Request for unknown model")
    refused(lambda: client.is_model_ready("nope"), not_found, "Request for unknown model")
    short = tensor("a", np.zeros((1, 3), dtype=np.float32), "FP32")
    invalid = "StatusCode.INVALID_ARGUMENT"
    refused(lambda: client.infer("add", [short, inputs[1]]), invalid, "unexpected shape")
    refused(
        lambda: client.get_system_shared_memory_status(), "StatusCode.UNIMPLEMENTED", "not supported"
    )
    refused(lambda: client.get_trace_settings(), "StatusCode.UNIMPLEMENTED", "not supported")
    client.close()


async def main_aio():
    async with aio.InferenceServerClient(URL) as client:
        check("live", await client.is_server_live())
        made = tensor("x", np.array([1.5, -2], dtype=np.float32), "FP32")
        answers = await asyncio.gather(*(client.infer("echo_fp32", [made]) for _ in range(32)))
        check("infer", all(list(each.as_numpy("y")) == [1.5, -2] for each in answers))


main()
asyncio.run(main_aio())
print("ok")
