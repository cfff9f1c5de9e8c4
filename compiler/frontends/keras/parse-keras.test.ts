import { existsSync, readdirSync, readFileSync } from "node:fs";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { beforeAll, describe, expect, it } from "vitest";
import { exportOnnx } from "../../export-onnx";
import type { Graph } from "../../graph/graph";
import { loadHdf5, parseKeras, parseKerasH5 } from ".";

interface Listed {
  readonly shape: readonly number[];
  readonly datatype: string;
  readonly data: readonly number[];
}
interface Reference {
  readonly inputs: Readonly<Record<string, Listed>>;
  readonly outputs: Readonly<Record<string, Listed>>;
}

const files = ["models", "keras"].flatMap((folder) =>
  readdirSync(`tests/fixtures/${folder}`).flatMap((id) =>
    ["model.keras", "model.h5"]
      .map((name) => `${folder}/${id}/${name}`)
      .filter((path) => existsSync(`tests/fixtures/${path}`)),
  ),
);

beforeAll(loadHdf5);

const read = (path: string): Graph =>
  (path.endsWith(".h5") ? parseKerasH5 : parseKeras)(readFileSync(`tests/fixtures/${path}`));

const tensorOf = ({ datatype, data, shape }: Listed) =>
  datatype === "INT32"
    ? new Tensor("int32", Int32Array.from(data), shape)
    : new Tensor("float32", Float32Array.from(data), shape);

describe("a Keras model as ONNX", () => {
  it.each(files)("%s answers as Keras does", async (path) => {
    const graph = read(path);
    const reference: Reference = JSON.parse(
      readFileSync(`tests/fixtures/${path.replace(/[^/]+$/, "reference.json")}`, "utf8"),
    );
    const session = await InferenceSession.create(exportOnnx(graph), { logSeverityLevel: 3 });
    const feeds = Object.entries(reference.inputs).map(([name, listed]) => [
      name,
      tensorOf(listed),
    ]);
    const answers = await session.run(Object.fromEntries(feeds));
    const wanted = Object.entries(reference.outputs);
    expect(graph.outputs).toHaveLength(wanted.length);
    for (const [name, { data, shape }] of wanted) {
      // The models of the first folder have one output, called otherwise in their other formats.
      const own =
        wanted.length === 1 ? graph.outputs[0] : graph.outputs.find((each) => each.name === name);
      const answer = answers[own?.name ?? ""];
      expect(answer?.dims).toEqual(shape);
      expect(own?.shape.map((size, axis) => (size < 0 ? shape[axis] : size))).toEqual(shape);
      const largest = Math.max(...data.map(Math.abs));
      const got = answer?.data as Float32Array;
      const error = Math.max(...data.map((value, index) => Math.abs(value - (got[index] ?? NaN))));
      expect(error / largest).toBeLessThan(1e-5);
    }
    await session.release();
  });

  it("keeps channels first between layers that work so", () => {
    const operators = read("models/digits-cnn/model.keras").nodes.map(({ operator }) => operator);
    expect(operators.filter((operator) => operator === "Transpose")).toHaveLength(2);
  });
});
