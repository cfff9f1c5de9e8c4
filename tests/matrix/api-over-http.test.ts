import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationsOf } from "@/tests/fuzz/api-requests";
import { abreast, askMany } from "@/tests/fuzz/ask-many";
import { deploy, predict, sampleReference, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";

// The requests of `tests/fuzz/api.test.ts`, many more of them, through the front and the pages of a whole installation, beside somebody
// who uses it: no process ends, nobody waits, and the good requests among them are answered.

const count = Number(process.env["FUZZ_COUNT"] ?? 5000);
const seed = Number(process.env["FUZZ_SEED"] ?? 2026);
const askEvery = 200;
const name = "good";
const { input, output } = sampleReference("iris-mlp");
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation("fuzz");
  await deploy(installation, {
    name,
    engine: "onnx",
    model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
    board: { model: "cpu", kind: "cpu" },
  });
  await untilReady(installation, name);
}, 180_000);
afterAll(async () => installation?.stop());

const pids = () => [...installation.processes.running.values()].map(({ pid }) => pid);
const residentMiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
const portalMiB = () => residentMiB(installation.processes.running.get("portal")?.pid as number);

describe(`${count} requests from seed ${seed} to a whole installation`, () => {
  it("are answered or refused in words, and hurt nothing", async () => {
    const { body } = await installation.api(`/endpoints/${name}`);
    const { buildId } = body as { buildId: string };
    // The endpoint that is used is none of those that may be deleted.
    const known = ["fuzz-a", "fuzz-b", "fuzz-c", buildId, "icebreaker", "onnx", "cpu"];
    const before = pids();
    const memory: number[] = [];
    const verdicts = await askMany({
      ...{ count, seed, operations: operationsOf(), known },
      send: ({ method, target, headers, body: sent }, signal) =>
        fetch(`${installation.portalUrl}/api/v1${target}`, {
          method,
          headers,
          signal,
          ...(sent ? { body: Uint8Array.from(sent) } : {}),
        }),
      async after(done) {
        if (done % askEvery === 0) {
          const { status, values } = await predict(installation, name, {
            name: input.name,
            row: input.rows[0] ?? [],
          });
          expect(status).toBe(200);
          expect(values[0]).toBeCloseTo(output.rows[0]?.[0] ?? Number.NaN, 4);
        }
        if (done % Math.ceil(count / 8 / abreast / abreast) === 0) memory.push(portalMiB());
      },
    });
    const shown = memory.filter((_, i) => i % Math.ceil(memory.length / 8) === 0);
    console.log(
      `answers: ${JSON.stringify(Object.fromEntries(verdicts.statuses))}; portal, MiB: ${shown.map(Math.round).join(" ")}`,
    );
    expect(verdicts.faults.slice(0, 10)).toEqual([]);
    expect(pids()).toEqual(before);
  }, 1_800_000);
});
