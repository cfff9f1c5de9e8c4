import { describe, expect, it } from "vitest";
import { deploy, predict, sampleReference, untilReady } from "../support/client";
import { type Installation, startInstallation } from "../support/installation";

// What a person does who moves: export where it was built, import into an empty installation, deploy, predict. Two whole
// installations, one after the other.

const cpu = { model: "cpu", kind: "cpu" };
const simulated = { model: "icebreaker", kind: "simulated" };
const model = { url: "s3://boardwalk-samples/iris-mlp/model.onnx" };
const { input } = sampleReference("iris-mlp");
const rows = input.rows.slice(0, 5);

async function answersOf(installation: Installation, name: string): Promise<number[][]> {
  const answers: number[][] = [];
  for (const row of rows) {
    const { status, values } = await predict(installation, name, { name: input.name, row });
    expect(status).toBe(200);
    answers.push(values);
  }
  return answers;
}

async function inInstallation<T>(name: string, work: (here: Installation) => Promise<T>) {
  const installation = await startInstallation(name);
  try {
    return await work(installation);
  } finally {
    await installation.stop();
  }
}

describe("an artifact that moves", { timeout: 900_000 }, () => {
  it.each([
    ["cpu", "onnx", cpu, {}],
    ["fpga", "boardwalk", simulated, { clockHz: 24_000_000 }],
  ] as const)(
    "answers the same in another installation: %s",
    async (kind, engine, board, options) => {
      const name = `moving-${kind}`;
      const { archive, digest, answers } = await inInstallation("from", async (from) => {
        await deploy(from, { name, engine, model, board, options });
        const { artifactDigest } = await untilReady(from, name, 600_000);
        const answer = await fetch(`${from.portalUrl}/api/v1/artifacts/${artifactDigest}/archive`);
        expect(answer.status).toBe(200);
        const bytes = await answer.arrayBuffer();
        return { archive: bytes, digest: artifactDigest, answers: await answersOf(from, name) };
      });
      await inInstallation("to", async (to) => {
        const form = new FormData();
        form.append("file", new Blob([archive]), "artifact.tar");
        const { status, body } = await to.api("/artifacts", { method: "POST", body: form });
        expect(body).toMatchObject({ digest });
        expect(status).toBe(201);
        const { url } = body as { url: string };
        await deploy(to, { name, engine: "prebuilt", model: { url }, board });
        const ready = await untilReady(to, name);
        expect(ready).toMatchObject({
          artifactDigest: digest,
          reused: true,
          origin: { kind: "archive", proof: expect.stringContaining("another installation") },
        });
        expect(ready.proof).toBeUndefined();
        expect(await answersOf(to, name)).toEqual(answers);
      });
    },
  );
});
