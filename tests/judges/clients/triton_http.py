"""The unmodified tritonclient over HTTP, both of its kinds, against every model of the test's board."""
import asyncio
import sys

import numpy as np
import tritonclient.http as http
import tritonclient.http.aio as aio
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


def tensor(datatype, values, binary):
    array = np.array(values, dtype=triton_to_np_dtype(datatype))
    made = http.InferInput("x", list(array.shape), datatype)
    made.set_data_from_numpy(array, binary_data=binary)
    return made, array


def wanted(name, binary, **extra):
    return http.InferRequestedOutput(name, binary_data=binary, **extra)


def datatypes(client):
    for datatype, values in SAMPLES.items():
        for binary_in in (True, False):
            for binary_out in (True, False):
                if datatype == "FP16" and not (binary_in and binary_out):
                    continue  # the client itself refuses FP16 in JSON
                made, array = tensor(datatype, values, binary_in)
                answer = client.infer(
                    f"echo_{datatype.lower()}", [made], outputs=[wanted("y", binary_out)]
                )
                check(datatype, np.array_equal(answer.as_numpy("y"), array))
    words = np.array(["", "plain", "é", "x" * 70000], dtype=np.object_)
    for binary in (True, False):
        made = http.InferInput("x", [4], "BYTES")
        made.set_data_from_numpy(words, binary_data=binary)
        got = client.infer("echo_bytes", [made], outputs=[wanted("y", binary)]).as_numpy("y")
        texts = [each.decode() if isinstance(each, bytes) else each for each in got]
        check("BYTES", texts == list(words))
    empty, _ = tensor("FP32", [], True)
    check("no elements", client.infer("echo_fp32", [empty]).as_numpy("y").shape == (0,))


def model_control(client):
    index = client.get_model_repository_index()
    check("index", {"name": "add", "version": "2", "state": "READY", "reason": ""} in index)
    client.unload_model("single")
    check("unloaded", not client.is_model_ready("single"))
    client.load_model("single")
    check("loaded", client.is_model_ready("single"))
    refused(lambda: client.load_model("nope"), "404", "failed to load")


def main():
    client = http.InferenceServerClient(URL, concurrency=4)
    check("live", client.is_server_live() and client.is_server_ready())
    check("ready", client.is_model_ready("add") and not client.is_model_ready("loading"))
    check("server", client.get_server_metadata()["name"] == "boardwalk")
    check("model", client.get_model_metadata("add")["inputs"][0]["shape"] == [-1, 4])
    check("config", client.get_model_config("add")["max_batch_size"] == 8)
    datatypes(client)
    row = np.array([[3.0, 1.0, 2.0, 0.5]], dtype=np.float32)
    a, b = http.InferInput("a", [1, 4], "FP32"), http.InferInput("b", [1, 4], "FP32")
    a.set_data_from_numpy(row, binary_data=False)
    b.set_data_from_numpy(row)
    both = client.infer("add", [a, b], request_id="twice")
    check("all outputs", np.array_equal(both.as_numpy("sum"), row * 2))
    check("id", both.get_response()["id"] == "twice")
    for encoding in ("gzip", "deflate"):
        packed = client.infer(
            "add",
            [a, b],
            request_compression_algorithm=encoding,
            response_compression_algorithm=encoding,
        )
        check(encoding, np.array_equal(packed.as_numpy("difference"), row * 0))
    top = client.infer("add", [a, b], outputs=[wanted("sum", True, class_count=2)])
    check("classes", [c.decode() for c in top.as_numpy("sum")[0]] == ["6.000000:0", "4.000000:2"])
    pending = [client.async_infer("add", [a, b]) for _ in range(16)]
    check("async", all(np.array_equal(p.get_result().as_numpy("sum"), row * 2) for p in pending))
    stats = client.get_inference_statistics("add")["model_stats"]
    check("statistics", sum(each["inference_count"] for each in stats) >= 20)
    model_control(client)
    refused(lambda: client.get_model_metadata("nope"), "404", "Request for unknown model")
    short = http.InferInput("a", [1, 3], "FP32")
    short.set_data_from_numpy(np.zeros((1, 3), dtype=np.float32))
    refused(lambda: client.infer("add", [short, b]), "400", "unexpected shape for input 'a'")
    client.close()


async def main_aio():
    async with aio.InferenceServerClient(URL) as client:
        check("live", await client.is_server_live())
        check("model", (await client.get_model_metadata("add"))["name"] == "add")
        check("config", (await client.get_model_config("add"))["name"] == "add")
        made = aio.InferInput("x", [2], "FP32")
        made.set_data_from_numpy(np.array([1.5, -2], dtype=np.float32))
        answers = await asyncio.gather(*(client.infer("echo_fp32", [made]) for _ in range(16)))
        check("infer", all(list(each.as_numpy("y")) == [1.5, -2] for each in answers))
        packed = await client.infer("echo_fp32", [made], response_compression_algorithm="gzip")
        check("gzip", list(packed.as_numpy("y")) == [1.5, -2])


main()
asyncio.run(main_aio())
print("ok")
