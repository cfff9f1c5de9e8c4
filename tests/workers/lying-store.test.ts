import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findDamage, getArtifact, openArtifactFile } from "@/domain/artifacts";
import { readLog } from "@/domain/builds";
import type { Build, NewEndpoint } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database } from "@/lib/server/db";
import { digestOf, hexOf } from "@/lib/server/digest";
import { buckets, uploadsBucket } from "@/lib/server/storage";
import { fetchSource } from "@/workers/fetch";
import type { WorkerHandle } from "@/workers/runtime";
import { bare, scope } from "../support/domain";
import { cut, flip, LyingStore } from "../support/lying-store";
import { startWorkerStack, type WorkerStack } from "./worker-stack";

let stack: WorkerStack;
let store: LyingStore;
let worker: WorkerHandle;

beforeAll(async () => {
  stack = await startWorkerStack();
  store = new LyingStore(stack.store);
  worker = stack.startBuilder({ builderStore: store });
});
beforeEach(() => {
  store.onPut = () => null;
  store.onGet = () => null;
});
afterAll(async () => {
  await worker.close();
  await stack.stop();
});

/** `title` makes a plan of its own. */
const onCpu = (name: string, title: string, url?: string): NewEndpoint => ({
  name,
  engine: "onnx",
  model: { url: url ?? "s3://boardwalk-samples/iris-mlp/model.onnx", card: { title } },
  board: { model: "cpu", kind: "cpu" },
});
const damageOf = async ({ artifactDigest }: Build) =>
  await findDamage(stack.store, (await getArtifact(scope, artifactDigest ?? "")).manifest.files);
const logOf = async ({ id }: Build) =>
  (await readLog(scope, id, { from: 1, limit: 1000 })).lines.map(({ text }) => text).join("\n");
/** What happens to a disk between two builds. */
async function spoil(build: Build, role: string): Promise<void> {
  const { manifest } = await getArtifact(scope, build.artifactDigest ?? "");
  const file = manifest.files.find((each) => each.role === role);
  const key = hexOf(file?.digest ?? "");
  const { stream } = await stack.store.get(buckets.artifacts, key);
  const bytes = flip(Buffer.concat(await stream.toArray()));
  await stack.store.put(buckets.artifacts, key, bytes, { sizeBytes: bytes.length });
}

// Models for the CPU: they go the way of all artifacts, without a tool that takes long.
describe("a store that keeps other bytes than it is given", { timeout: 300_000 }, () => {
  it("at first: the build stores them again, and its artifact is right", async () => {
    const lies = [flip, cut];
    store.onPut = (bucket) => (bucket === buckets.artifacts ? (lies.pop() ?? null) : null);
    const build = await stack.ended(await stack.deploy(onCpu("first", "at first")));
    expect(build).toMatchObject({ state: "succeeded", attempt: 1 });
    expect(lies).toEqual([]);
    expect(await damageOf(build)).toBeNull();
  });

  it("for ever: other attempts try, the build ends with the reason, and no row names them", async () => {
    store.onPut = (bucket) => (bucket === buckets.artifacts ? cut : null);
    const build = await stack.ended(await stack.deploy(onCpu("ever", "for ever")));
    expect(build).toMatchObject({
      state: "failed",
      attempt: 4,
      problem: { reason: "OBJECT_DAMAGED", hint: expect.stringMatching(/object store/) },
    });
    const { planDigest } = build;
    expect(await database().artifact.count({ where: { planDigest: planDigest ?? "" } })).toBe(0);
  });
});

describe("a disk of the worker's that is full", { timeout: 300_000 }, () => {
  const cause = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const full = (): never => {
    throw fail("NO_SPACE", "The storage is full.", { cause });
  };
  const outcomes = async ({ id }: Build) =>
    (
      await database().attempt.findMany({ where: { buildId: bare(id) }, orderBy: { epoch: "asc" } })
    ).map(({ outcome, charged }) => [outcome, charged]);

  it("for a while: the build is handed back, and another attempt ends it well", async () => {
    const refusals = [full, full];
    store.onPut = (bucket) => (bucket === buckets.artifacts ? (refusals.pop() ?? null) : null);
    const build = await stack.ended(await stack.deploy(onCpu("full", "full for a while")));
    expect(build).toMatchObject({ state: "succeeded", attempt: 3, problem: null });
    expect(await outcomes(build)).toEqual([
      ["lost", true],
      ["lost", true],
      ["succeeded", true],
    ]);
  });

  it("for ever: the build ends with the reason after four attempts", async () => {
    store.onPut = (bucket) => (bucket === buckets.artifacts ? full : null);
    const build = await stack.ended(await stack.deploy(onCpu("filled", "full for ever")));
    expect(build).toMatchObject({ state: "failed", attempt: 4, problem: { reason: "NO_SPACE" } });
  });
});

describe("a store that is away while an artifact is stored", { timeout: 300_000 }, () => {
  it("for longer than an attempt waits: the build is handed back, and the next attempt ends it", async () => {
    await worker.close();
    worker = stack.startBuilder({ builderStore: store, storePatienceS: 0 });
    const absences = [
      (): never => {
        throw fail("STORE_UNAVAILABLE", "The object store cannot be reached just now.");
      },
    ];
    store.onPut = (bucket) => (bucket === buckets.artifacts ? (absences.pop() ?? null) : null);
    const build = await stack.ended(await stack.deploy(onCpu("away", "away")));
    expect(build).toMatchObject({ state: "succeeded", attempt: 2, problem: null });
    await worker.close();
    worker = stack.startBuilder({ builderStore: store });
  });
});

describe("a store that gives other bytes of an upload than were put", { timeout: 300_000 }, () => {
  const bytes = readFileSync("public/samples/iris-mlp/model.onnx");
  const bucket = uploadsBucket(scope);
  const url = `s3://${bucket}/${hexOf(digestOf(bytes))}`;
  beforeAll(async () => {
    await stack.store.ensureBucket(bucket);
    await stack.store.put(bucket, hexOf(digestOf(bytes)), bytes, { sizeBytes: bytes.length });
  });

  it("is asked again, and the model that is built is the one that was uploaded", async () => {
    const lies = [flip, cut];
    store.onGet = (asked) => (asked === bucket ? (lies.pop() ?? null) : null);
    const build = await stack.ended(await stack.deploy(onCpu("upload", "an upload", url)));
    expect(build).toMatchObject({ state: "succeeded", attempt: 1 });
    expect(lies).toEqual([]);
  });

  it.each([
    ["wrong", flip],
    ["too few", cut],
  ])("%s for ever: the fetch ends with the reason", async (_why, lie) => {
    store.onGet = () => lie;
    const path = join(stack.home, `fetched-${lie.name}`);
    await expect(
      fetchSource(url, { projectId: scope, storage: store, path, retryForMs: 0 }),
    ).rejects.toMatchObject({ reason: "OBJECT_DAMAGED" });
  });
});

describe("an artifact whose bytes went bad", { timeout: 300_000 }, () => {
  it("is given to nobody and not reused: an equal build makes it again, in its place", async () => {
    const first = await stack.ended(await stack.deploy(onCpu("one", "rots")));
    const digest = first.artifactDigest ?? "";
    await spoil(first, "model");
    const { stream } = await openArtifactFile(scope, digest, "model");
    await expect(stream.toArray()).rejects.toMatchObject({ reason: "ARTIFACT_MISMATCH" });
    const isMarked = async () =>
      (await database().artifact.findUniqueOrThrow({ where: { digest } })).damagedAt !== null;
    await expect.poll(isMarked).toBe(true);

    const second = await stack.ended(await stack.deploy(onCpu("two", "rots")));
    expect(second).toMatchObject({ state: "succeeded", artifactDigest: digest });
    expect(await logOf(second)).toMatch(/is damaged/);
    expect(await damageOf(second)).toBeNull();
    expect(await isMarked()).toBe(false);

    const third = await stack.ended(await stack.deploy(onCpu("three", "rots")));
    expect(third).toMatchObject({ state: "succeeded", reused: true, artifactDigest: digest });
    expect(await logOf(third)).not.toMatch(/is damaged/);
  });
});
