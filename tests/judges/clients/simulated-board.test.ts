import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { found } from "@/tests/clients/gateway";
import { deploy, predict, sampleReference, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";

// A program of others before a compiled design on a simulated board, through everything between.

const run = promisify(execFile);
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation("judges");
}, 180_000);
afterAll(async () => installation?.stop());

const script = `
import json, sys, numpy as np, tritonclient.http as http
client = http.InferenceServerClient(sys.argv[1])
assert client.is_server_live() and client.is_model_ready("digits-mlp")
meta = client.get_model_metadata("digits-mlp")
row = np.array([json.loads(sys.argv[2])], dtype=np.float32)
answers = []
for binary in (True, False):
    x = http.InferInput("pixels", [1, 64], "FP32")
    x.set_data_from_numpy(row, binary_data=binary)
    out = http.InferRequestedOutput("logits", binary_data=binary)
    answers.append(client.infer("digits-mlp", [x], outputs=[out]).as_numpy("logits")[0].tolist())
print(json.dumps({"answers": answers, "shape": meta["inputs"][0]["shape"]}))
`;

it("tritonclient gets the same numbers from a board as JSON and as bytes", async () => {
  await deploy(installation, {
    name: "digits-mlp",
    engine: "boardwalk",
    model: { url: "s3://boardwalk-samples/digits-mlp/model.onnx" },
    board: { model: "icebreaker", kind: "simulated" },
  });
  await untilReady(installation, "digits-mlp", 600_000);
  const { input } = sampleReference("digits-mlp");
  const row = input.rows[3] as number[];
  const mine = await predict(installation, "digits-mlp", { name: "pixels", row });
  const { stdout } = await run(found("TRITON_PYTHON"), [
    "-c",
    script,
    new URL(installation.gatewayUrl).host,
    JSON.stringify(row),
  ]);
  const { answers, shape } = JSON.parse(stdout);
  expect(shape).toEqual([-1, 64]);
  // Python widens FP32 to its own doubles; the JSON text is the shortest that reads back as the same FP32.
  const same = mine.values.map(Math.fround);
  expect(answers).toEqual([same, same]);
}, 900_000);
