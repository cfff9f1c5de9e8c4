import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { listModels, requestInspection, waitForInspection } from "@/domain/models";
import { inspectionSchema } from "@/lib/common/contract";
import { parseId } from "@/lib/server/db";
import { logger } from "@/lib/server/logger";
import { objectStore } from "@/lib/server/storage";
import { inspectProcessor } from "@/workers/inspect";
import { openDatabase, scope } from "../support/domain";
import { bundleFolder } from "../workers/folders";
import { badFile } from "./files";
import { badFiles } from "./table";

const folder = mkdtempSync(join(tmpdir(), "boardwalk-inspections-"));
const scratch = join(folder, "tmp");
const bucket = "boardwalk-samples";

openDatabase();
beforeAll(async () => {
  mkdirSync(scratch);
  vi.stubEnv("BOARDWALK_BUNDLES", await bundleFolder());
  vi.stubEnv("STORAGE_DIR", join(folder, "store"));
  vi.stubEnv("REDIS_URL", "redis://127.0.0.1:1");
  vi.stubEnv("TMPDIR", scratch);
  await objectStore().ensureBucket(bucket);
  for (const name of ["model.onnx", "card.json"]) {
    await store(`iris-mlp/${name}`, readFileSync(`public/samples/iris-mlp/${name}`));
  }
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function store(key: string, bytes: Uint8Array): Promise<void> {
  await objectStore().put(bucket, key, bytes, { sizeBytes: bytes.length });
}

/** Asks for an inspection, lets the worker's processor do it, and answers its end. */
async function inspect(url: string) {
  const { id } = await requestInspection(scope, { url });
  const context = { log: logger(), signal: new AbortController().signal, workerId: "test" };
  await inspectProcessor.handle({ inspectionId: parseId("ins", id) }, context);
  return await waitForInspection(scope, id, { timeoutMs: 10_000 });
}

describe("the inspecting worker", () => {
  it("tells what a sample is, with its card", async () => {
    const { state, result } = await inspect(`s3://${bucket}/iris-mlp/model.onnx`);
    expect(state).toBe("succeeded");
    expect(result).toMatchObject({
      format: "onnx",
      sizeBytes: 2586,
      inputs: [{ name: "features", datatype: "FP32", shape: [-1, 4] }],
      parameters: 243,
      card: { classes: ["setosa", "versicolor", "virginica"] },
    });
    expect(
      inspectionSchema
        .parse(result)
        .engines.filter(({ ok }) => ok)
        .map(({ id }) => id),
    ).toEqual(expect.arrayContaining(["boardwalk", "onnx"]));
  });

  it.each(["slip.tar.gz", "pickle-named.onnx", "shape-mismatch.onnx", "bomb.tar.gz"])(
    "refuses %s under any name, stores nothing and leaves nothing behind",
    async (name) => {
      await store(`bad/${name}.renamed.keras`, badFile(name));
      const { state, problem } = await inspect(`s3://${bucket}/bad/${name}.renamed.keras`);
      expect(state).toBe("failed");
      expect(problem?.reason).toBe(badFiles[name]?.reason);
      expect(readdirSync(scratch)).toEqual([]);
      expect((await listModels(scope, { limit: 10 })).items).toEqual([]);
    },
  );

  it("says that a model is not there", async () => {
    const { problem } = await inspect(`s3://${bucket}/none.onnx`);
    expect(problem?.reason).toBe("SOURCE_NOT_FOUND");
  });

  it("does nothing when the inspection is another's", async () => {
    const { id } = await requestInspection(scope, { url: `s3://${bucket}/iris-mlp/model.onnx` });
    const payload = { inspectionId: parseId("ins", id) };
    const context = { log: logger(), signal: new AbortController().signal, workerId: "test" };
    await Promise.all([
      inspectProcessor.handle(payload, context),
      inspectProcessor.handle(payload, { ...context, workerId: "other" }),
    ]);
    expect((await waitForInspection(scope, id, { timeoutMs: 1000 })).state).toBe("succeeded");
  });
});
