"""Makes public/samples/banknote-mlp: a network of the shape 4-1-2 that BondMachine's examples have, on made-up rows.

The public data set of 1,372 banknotes is not used: rows are drawn here, from two overlapping clouds over features of the same names.
Run from the project's folder by the Python of `npm run setup -- hls4ml`, which has numpy, onnx and ONNX Runtime. Equal runs
write equal files.
"""

import hashlib
import json
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

FOLDER = pathlib.Path("public/samples/banknote-mlp")
NAMES = ["variance", "skewness", "curtosis", "entropy"]
CLASSES = ["synthetic genuine", "synthetic forged"]
ROWS, HELD_BACK, REFERENCE = 1372, 372, 32


def draw(random):
    labels = random.integers(0, 2, ROWS)
    middle = np.array([[2.2, 4.0, 0.9, -1.1], [-1.8, -1.2, 2.1, -1.3]])[labels]
    spread = np.array([[2.0, 4.6, 3.2, 2.1], [1.9, 4.9, 4.4, 2.0]])[labels]
    return (middle + spread * random.standard_normal((ROWS, 4))).astype("f4"), labels


def train(rows, labels, random):
    """Adam on the cross entropy, in float64."""
    mean, deviation = rows.mean(0), rows.std(0)
    x = (rows - mean) / deviation
    wanted = np.eye(2)[labels]
    weights = [random.standard_normal((4, 1)) * 0.7, np.full(1, 0.5), random.standard_normal((1, 2)), np.zeros(2)]
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
    for step in range(1, 2001):
        sums = x @ weights[0] + weights[1]
        hidden = np.maximum(sums, 0)
        scores = hidden @ weights[2] + weights[3]
        odds = np.exp(scores - scores.max(1, keepdims=True))
        error = (odds / odds.sum(1, keepdims=True) - wanted) / len(x)
        back = (error @ weights[2].T) * (sums > 0)
        slopes = [x.T @ back, back.sum(0), hidden.T @ error, error.sum(0)]
        for at, slope in enumerate(slopes):
            first, second = moments[at]
            first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
            moments[at] = first, second
            weights[at] = weights[at] - 0.01 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    # The model takes rows as they are.
    kernel = weights[0] / deviation[:, None]
    return [kernel, weights[1] - mean @ kernel, weights[2], weights[3]]


def graph_of(weights):
    names = ["hidden/kernel", "hidden/bias", "output/kernel", "output/bias"]
    constants = [numpy_helper.from_array(each.astype("f4"), name) for name, each in zip(names, weights)]
    nodes = [
        helper.make_node("MatMul", ["features", names[0]], ["hidden/product"], "hidden/MatMul"),
        helper.make_node("Add", ["hidden/product", names[1]], ["hidden/sum"], "hidden/Add"),
        helper.make_node("Relu", ["hidden/sum"], ["hidden"], "hidden/Relu"),
        helper.make_node("MatMul", ["hidden", names[2]], ["output/product"], "output/MatMul"),
        helper.make_node("Add", ["output/product", names[3]], ["scores"], "output/Add"),
        helper.make_node("Softmax", ["scores"], ["probabilities"], "output/Softmax", axis=-1),
    ]
    tensor = lambda name, size: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", size])
    graph = helper.make_graph(nodes, "banknote-mlp", [tensor("features", 4)], [tensor("probabilities", 2)], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="boardwalk")
    onnx.checker.check_model(model)
    return model.SerializeToString(deterministic=True)


def shortest(values):
    return [float(str(each)) for each in np.asarray(values, "f4").ravel()]


def write(name, content):
    (FOLDER / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def tensor_of(values):
    return {"shape": list(values.shape), "datatype": "FP32", "data": shortest(values)}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(4)
    rows, labels = draw(random)
    held, own = slice(0, HELD_BACK), slice(HELD_BACK, None)
    model = graph_of(train(rows[own].astype("f8"), labels[own], random))
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    answers = session.run(None, {"features": rows[held]})[0]
    accuracy = float((answers.argmax(1) == labels[held]).mean())
    print(f"accuracy {accuracy:.3f} on {HELD_BACK} rows that were held back")
    write("model.onnx", model)
    lines = [",".join([*map(str, shortest(row)), str(label)]) for row, label in zip(rows[held], labels[held])]
    write("test.csv", "\n".join([",".join([*NAMES, "label"]), *lines]) + "\n")
    reference = {
        "computedBy": "onnxruntime on model.onnx",
        "inputs": {"features": tensor_of(rows[:REFERENCE])},
        "outputs": {"probabilities": tensor_of(answers[:REFERENCE])},
    }
    write("reference.json", json.dumps(reference) + "\n")
    trained = rows[own]
    ranges = {"min": trained.min(0), "max": trained.max(0), "mean": trained.mean(0), "std": trained.std(0)}
    card = {
        "id": "banknote-mlp",
        "title": "Banknote shape 4-1-2 (synthetic data)",
        "task": "classification",
        "dataset": f"SYNTHETIC ({ROWS} generated rows; no banknotes)",
        "licence": "generated by the make script, no rights claimed (CC0)",
        "framework": f"numpy {np.__version__}",
        "architecture": "4-1-2, relu, softmax",
        "parameters": 9,
        "inputs": [{"name": "features", "datatype": "FP32", "shape": [-1, 4]}],
        "outputs": [{"name": "probabilities", "datatype": "FP32", "shape": [-1, 2]}],
        "classes": CLASSES,
        "featureNames": NAMES,
        "inputRange": {name: shortest(values) for name, values in ranges.items()},
        "metric": {"name": "accuracy", "value": round(accuracy, 3), "split": f"held-back rows, {HELD_BACK} (test.csv)"},
        "notes": "Only the shape, the names of the features and the number of rows are those of the public data set of banknotes. Accuracy says nothing about banknotes.",
    }
    write("card.json", json.dumps(card, indent=2) + "\n")
    for name in ("model.onnx", "card.json", "test.csv", "reference.json"):
        content = (FOLDER / name).read_bytes()
        print(name, len(content), "sha256:" + hashlib.sha256(content).hexdigest())


main()
