import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Datatype, datatypes } from "@/lib/common/tensor";
import { deploy, untilReady, upload } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { identityOnnx } from "@/tests/support/onnx";

// Every model file that we have, by the engine of its format, from upload to an answer of the gateway: as the model itself
// answered where it was made.

const fixtures = "tests/fixtures/models";
const samples = "public/samples";
const engines: Readonly<Record<string, string>> = {
  "model.onnx": "onnx",
  "model.keras": "tensorflow",
  "model.h5": "tensorflow",
  "model.json": "xgboost",
  "model.ubj": "xgboost",
};
const files = readdirSync(fixtures).flatMap((id) =>
  Object.entries(engines).flatMap(([file, engine]) => {
    const path = [`${fixtures}/${id}/${file}`, `${samples}/${id}/${file}`].find(existsSync);
    return path ? [{ id, file, engine, path }] : [];
  }),
);
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation("references");
}, 180_000);
afterAll(async () => installation?.stop());

interface TensorJson {
  readonly name: string;
  readonly datatype: string;
  readonly shape: number[];
  readonly data: (number | boolean | string | null)[];
}

async function serve(name: string, file: string, bytes: Uint8Array, engine: string) {
  const { url } = (await upload(installation, file, bytes)).body;
  await deploy(installation, {
    name,
    engine,
    model: { url },
    board: { model: "cpu", kind: "cpu" },
  });
  await untilReady(installation, name);
}

async function infer(name: string, input: TensorJson): Promise<TensorJson[]> {
  const answer = await fetch(`${installation.gatewayUrl}/v2/models/${name}/infer`, {
    method: "POST",
    body: JSON.stringify({ inputs: [input] }),
  });
  const body = await answer.json();
  expect({ status: answer.status, error: body.error }).toEqual({ status: 200 });
  return body.outputs;
}

const remove = (name: string) => installation.api(`/endpoints/${name}`, { method: "DELETE" });

describe("a served model answers as it did where it was made", { timeout: 300_000 }, () => {
  it("has all files at hand", () => {
    expect(files.length).toBeGreaterThanOrEqual(25);
  });

  it.each(files)("$id/$file by $engine", async ({ id, file, engine, path }) => {
    const name = `${id}-${file.replace("model.", "")}`;
    await serve(name, file, readFileSync(path), engine);
    const reference = JSON.parse(
      readFileSync(`${fixtures}/${id}/reference.json`, "utf8"),
    ) as Record<"inputs" | "outputs", Record<string, Omit<TensorJson, "name">>>;
    const [[input, tensor]] = Object.entries(reference.inputs) as [[string, TensorJson]];
    const outputs = await infer(name, { ...tensor, name: input });
    const isTrees = /xgboost|forest/.test(id);
    for (const { name: output, data } of outputs) {
      // Keras and XGBoost files have names of their own for their one output.
      const wanted = reference.outputs[output] ?? Object.values(reference.outputs).at(-1);
      const numbers = wanted?.data.map(Number) ?? [];
      const largest = Math.max(...numbers.map(Math.abs));
      expect(data).toHaveLength(numbers.length);
      for (const [index, value] of numbers.entries()) {
        const distance = Math.abs(Number(data[index]) - value);
        expect(distance / largest).toBeLessThanOrEqual(isTrees ? 1e-6 : 1e-5);
      }
    }
    await remove(name);
  });

  it.each(Object.keys(datatypes) as Datatype[])("an identity of %s by onnx", async (datatype) => {
    const name = `same-${datatype.toLowerCase()}`;
    await serve(name, "model.onnx", identityOnnx(datatype, [-1, 2]), "onnx");
    const data = datatype === "BYTES" ? ["é", ""] : datatype === "BOOL" ? [true, false] : [1, 0];
    const [output] = await infer(name, { name: "x", datatype, shape: [1, 2], data });
    expect(output).toEqual({ name: "y", datatype, shape: [1, 2], data });
    await remove(name);
  });
});
