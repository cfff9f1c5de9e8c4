import { readdirSync, readFileSync } from "node:fs";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { exportOnnx } from "../../export-onnx";
import { parseXgboostJson, parseXgboostUbj } from ".";

const small = "tests/fixtures/xgboost";
const parse = (path: string) => {
  const bytes = readFileSync(path);
  return path.endsWith(".ubj") ? parseXgboostUbj(bytes) : parseXgboostJson(bytes);
};

/** What the imported model answers in ONNX Runtime, row by row. */
async function answers(path: string, rows: readonly (readonly (number | null)[])[]) {
  const graph = parse(path);
  const session = await InferenceSession.create(exportOnnx(graph), { intraOpNumThreads: 1 });
  const width = rows[0]?.length ?? 0;
  const values = Float32Array.from(rows.flat(), (value) => value ?? Number.NaN);
  const results = await session.run({
    features: new Tensor("float32", values, [rows.length, width]),
  });
  const [output] = graph.outputs;
  return {
    name: output?.name,
    values: Array.from(results[output?.name ?? ""]?.data ?? [], Number),
  };
}

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  const largest = Math.max(...expected.map(Math.abs), 1);
  for (const [index, value] of expected.entries())
    expect(Math.abs((actual[index] ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-6 * largest);
}

describe("a model of XGBoost", () => {
  const files = readdirSync(small).filter((name) => /^[^.]+\.(json|ubj)$/.test(name));
  it.each(files)("%s predicts as XGBoost does", async (file) => {
    const told = JSON.parse(readFileSync(`${small}/${file.split(".")[0]}.answers.json`, "utf8"));
    const { name, values } = await answers(`${small}/${file}`, told.rows);
    // Of two classes XGBoost tells the second one's probability only.
    const own =
      name === "probabilities" && file.startsWith("binary")
        ? values.filter((_, index) => index % 2 === 1)
        : values;
    expectClose(own, told.answers.flat());
  });

  it.each(["iris", "diabetes", "breast-cancer"].flatMap((id) => [`${id} json`, `${id} ubj`]))(
    "%s equals its reference",
    async (what) => {
      const [id, form] = what.split(" ");
      const folder = `tests/fixtures/models/${id}-xgboost`;
      const { inputs, outputs } = JSON.parse(readFileSync(`${folder}/reference.json`, "utf8"));
      const { shape, data } = inputs.features;
      const rows = Array.from({ length: shape[0] }, (_, row) =>
        data.slice(row * shape[1], (row + 1) * shape[1]),
      );
      const { name, values } = await answers(`${folder}/model.${form}`, rows);
      expectClose(values, outputs[name ?? ""].data);
    },
  );
});

describe("a file that is none", () => {
  const reason = (word: string) => expect.objectContaining({ reason: word });
  const ubj = readFileSync(`${small}/two-targets.ubj`);

  it("is told cut off wherever it is cut", () => {
    for (let size = 1; size < ubj.length; size += 97)
      expect(() => parseXgboostUbj(ubj.subarray(0, size))).toThrow(
        expect.objectContaining({ reason: expect.stringMatching(/^MODEL_(TRUNCATED|INVALID)$/) }),
      );
  });

  it("makes nothing of counts that the file has no bytes for", () => {
    const bytes = Uint8Array.from([
      0x7b, 0x69, 1, 0x61, 0x5b, 0x24, 0x64, 0x23, 0x6c, 0x7f, 255, 255, 255,
    ]);
    expect(() => parseXgboostUbj(bytes)).toThrow(reason("MODEL_TRUNCATED"));
    expect(() => parseXgboostUbj(new Uint8Array(5000).fill(0x5b))).toThrow(
      reason("MODEL_TOO_COMPLEX"),
    );
  });

  it.each(["T", "F", "Z"])("makes no list of %s, which take no bytes", (kind) => {
    // Each list may claim as many as the file has bytes: without a bound 2,500 times 20,000.
    const list = Buffer.from([0x5b, 0x24, kind.charCodeAt(0), 0x23, 0x49, 0x4e, 0x20]);
    const bytes = Buffer.concat([Buffer.from("["), ...Array<Buffer>(3000).fill(list)]);
    expect(() => parseXgboostUbj(bytes)).toThrow(reason("MODEL_INVALID"));
  });

  it("of an unknown objective says which are known", () => {
    const text = readFileSync(`${small}/reg-gamma.json`, "utf8").replace(
      "reg:gamma",
      "reg:mystery",
    );
    expect(() => parseXgboostJson(new TextEncoder().encode(text))).toThrow(
      expect.objectContaining({
        reason: "MODEL_UNSUPPORTED",
        hint: expect.stringContaining("reg:gamma"),
      }),
    );
  });
});
