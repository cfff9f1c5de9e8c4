import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Build, Digest, NewEndpoint } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";
import { xilinxBitstream } from "../support/bitstreams";
import { scope } from "../support/domain";
import { pair } from "../support/pair";
import { tarOf, untar } from "../support/tar-file";
import { statesOf } from "./firmware";

// Two installations, one after the other: each with its own database, buckets and keys. Modules hold the connections of a
// process, so each installation gets them anew.

const pairUrl = "s3://boardwalk-samples/pair/model.onnx";
const simulated = { model: "icebreaker", kind: "simulated" } as const;
const cpu = { model: "cpu", kind: "cpu" } as const;
const rows: Tensor[] = [
  {
    name: pair.row.name,
    datatype: "FP32",
    shape: [3, 2],
    data: Float32Array.of(0.5, -0.25, 1, 1, -1, 0.125),
  },
];

interface Bench {
  readonly url: string;
  readonly options?: Record<string, unknown>;
}

async function startAnew() {
  vi.resetModules();
  const { startWorkerStack } = await import("./worker-stack");
  const artifacts = await import("@/domain/artifacts");
  const builds = await import("@/domain/builds");
  const db = await import("@/lib/server/db");
  const { buckets, uploadsBucket } = await import("@/lib/server/storage");
  const { loadModel } = await import("@/board-server/slots/loader");
  const { createDevices } = await import("@/board-server/devices");
  const { ArtifactCache } = await import("@/board-server/artifacts");
  const stack = await startWorkerStack();
  await artifacts.registerSigningKey(stack.key);
  const worker = stack.startBuilder();
  return {
    ...stack,
    getArtifact: (digest: string) => artifacts.getArtifact(scope, digest),
    async build(request: NewEndpoint): Promise<Build> {
      return await stack.ended(await stack.deploy(request));
    },
    async exported(digest: string): Promise<Buffer> {
      const { stream, sizeBytes } = await artifacts.openArtifactArchive(scope, digest);
      const bytes = await buffer(stream);
      expect(bytes.length).toBe(sizeBytes);
      return bytes;
    },
    /** Puts a file where an upload would lie; answers its URL. */
    async upload(bytes: Uint8Array, name?: string): Promise<string> {
      const bucket = uploadsBucket(scope);
      await stack.store.ensureBucket(bucket);
      const key = name ?? createHash("sha256").update(bytes).digest("hex");
      await stack.store.put(bucket, key, bytes, { sizeBytes: bytes.length });
      return `s3://${bucket}/${key}`;
    },
    /** Loads an artifact as a board server does, which trusts this installation's key alone, and asks it the rows. */
    async answers(digest: string, board: typeof simulated | typeof cpu): Promise<number[]> {
      const { manifest, signature } = await artifacts.getArtifact(scope, digest);
      const cache = new ArtifactCache(`${stack.home}/cache-${board.kind}`);
      await cache.open(new Set());
      const command = {
        kind: "load" as const,
        id: "one",
        slotId: "slot",
        slotEpoch: 1,
        revisionId: "revision",
        endpointName: "archived",
        version: "1",
        board: {
          id: "board",
          key: "",
          boardModel: board.model,
          kind: board.kind,
          part: manifest.part ?? null,
        },
        artifactDigest: digest,
        manifest,
        signature,
      };
      const { model } = await loadModel(
        command,
        {
          cache,
          source: {
            openFile: async (_: Digest, file: Digest) =>
              (await stack.store.get(buckets.artifacts, file.slice(7))).stream,
          },
          keys: () => [stack.key],
          devices: createDevices(),
        },
        { signal: AbortSignal.timeout(60_000), onTesting: async () => {} },
      );
      const { outputs } = await model.infer(rows);
      await model.close();
      return Array.from(outputs[0]?.data as Float32Array);
    },
    async objects(): Promise<number> {
      let count = 0;
      for await (const _ of stack.store.list(buckets.artifacts)) count += 1;
      return count;
    },
    /** A build for a real board, which need not be connected for that. */
    async onBench(model: string, { url, options = {} }: Bench): Promise<Build> {
      const id = await db.withTransaction((tx) =>
        builds.createBuild(tx, {
          projectId: scope,
          request: {
            engine: "prebuilt",
            model: { url },
            board: { model, kind: "physical" },
            options,
          },
          boardModel: model,
          boardKind: "physical",
          endpointName: null,
        }),
      );
      return await stack.ended(`bld_${id}`);
    },
    async stop() {
      await worker.close();
      await stack.stop();
    },
  };
}

type Installation = Awaited<ReturnType<typeof startAnew>>;

const boards = { cpu, simulated };
const engineOf = { cpu: "onnx", simulated: "boardwalk" };
type Kind = keyof typeof boards;
const kinds: readonly Kind[] = ["cpu", "simulated"];

describe("an artifact's archive", { timeout: 900_000 }, () => {
  const made = new Map<Kind, { archive: Buffer; digest: string; answers: number[] }>();
  let second: Installation;

  beforeAll(async () => {
    const first = await startAnew();
    try {
      for (const kind of kinds) {
        const build = await first.build({
          name: `first-${kind}`,
          engine: engineOf[kind],
          model: { url: pairUrl },
          board: boards[kind],
          ...(kind === "simulated" ? { options: { clockHz: 24_000_000 } } : {}),
        });
        expect(build.problem).toBeNull();
        const digest = build.artifactDigest ?? "";
        const archive = await first.exported(digest);
        expect(await first.exported(digest)).toEqual(archive);
        made.set(kind, { archive, digest, answers: await first.answers(digest, boards[kind]) });
        if (kind === "cpu") await takenBack(first, archive, digest);
      }
    } finally {
      await first.stop();
    }
    second = await startAnew();
  }, 900_000);
  afterAll(() => second?.stop());

  const get = (kind: Kind) => {
    const found = made.get(kind);
    if (!found) throw new Error(`no ${kind} artifact`);
    return found;
  };

  it.each(kinds)("answers the same in an empty installation: %s", async (kind) => {
    const { archive, digest, answers } = get(kind);
    const build = await second.build({
      name: `second-${kind}`,
      engine: "prebuilt",
      model: { url: await second.upload(archive) },
      board: boards[kind],
    });
    expect(build.problem).toBeNull();
    expect(build.artifactDigest).toBe(digest);
    expect(statesOf(build)).toMatchObject({
      inspect: "succeeded",
      synthesise: "skipped",
      verify: "skipped",
      store: "succeeded",
    });
    expect(build.report?.proof).toBeUndefined();
    expect(build.report?.origin).toMatchObject({
      kind: "archive",
      proof: expect.stringContaining("made by another installation"),
    });
    expect(answers.every(Number.isFinite)).toBe(true);
    expect(await second.answers(digest, boards[kind])).toEqual(answers);
  });

  it("is exported again as it came, and signed by its maker", async () => {
    for (const kind of kinds)
      expect(await second.exported(get(kind).digest)).toEqual(get(kind).archive);
  });

  it("is taken once, however often it comes", async () => {
    const { archive, digest } = get("cpu");
    const again = await second.build({
      name: "again",
      engine: "prebuilt",
      model: { url: await second.upload(archive) },
      board: cpu,
    });
    expect(again).toMatchObject({ artifactDigest: digest, reused: true });
  });

  it("is known as made here once a build of the same makes the same bytes", async () => {
    const { digest } = get("cpu");
    const build = await second.build({
      name: "own",
      engine: "onnx",
      model: { url: pairUrl },
      board: cpu,
    });
    expect(build).toMatchObject({ state: "succeeded", artifactDigest: digest, reused: false });
    expect(build.report?.origin).toBeUndefined();
    expect((await second.getArtifact(digest)).origin).toBeUndefined();
  });

  it.each([
    ["another board", { model: "icesugar", kind: "simulated" }, "FIRMWARE_MISMATCH"],
    ["a CPU", cpu, "FIRMWARE_MISMATCH"],
  ] as const)("is refused for %s, and leaves nothing", async (_, board, reason) => {
    const before = await second.objects();
    const build = await second.build({
      name: `wrong-${board.model}`,
      engine: "prebuilt",
      model: { url: await second.upload(get("simulated").archive) },
      board,
    });
    expect(build).toMatchObject({ state: "failed", problem: { reason } });
    expect(await second.objects()).toBe(before);
  });

  it("is refused with one bit of a file turned round, and leaves nothing", async () => {
    const before = await second.objects();
    const files = [...untar(get("simulated").archive)].map(([name, bytes]) => {
      const copy = Buffer.from(bytes);
      if (name === "files/simulation") copy[copy.length >> 1] = (copy[copy.length >> 1] ?? 0) ^ 1;
      return [name, copy] as const;
    });
    const build = await second.build({
      name: "turned",
      engine: "prebuilt",
      model: { url: await second.upload(tarOf(files)) },
      board: simulated,
    });
    expect(build).toMatchObject({ state: "failed", problem: { reason: "ARTIFACT_INVALID" } });
    expect(build.problem?.message).toContain("files/simulation");
    expect(await second.objects()).toBe(before);
  });

  it("gives its bitstream, which is kept where a person says how it is spoken to", async () => {
    const { archive, digest } = get("simulated");
    const bitstream = untar(archive).get("files/bitstream") ?? Buffer.alloc(0);
    const { manifest } = await second.getArtifact(digest);
    const options = {
      planDigest: manifest.planDigest,
      clockHz: manifest.clockHz,
      core: manifest.core,
      io: manifest.io,
    };
    const url = await second.upload(bitstream);
    const refused = await second.build({
      name: "bare-simulated",
      engine: "prebuilt",
      model: { url },
      board: simulated,
      options,
    });
    expect(refused).toMatchObject({ state: "failed", problem: { reason: "FIRMWARE_UNSERVABLE" } });
    const kept = await second.onBench("icebreaker", { url, options });
    expect(kept.problem).toBeNull();
    expect(kept.report?.origin).toEqual({ kind: "bitstream", proof: "not verified" });
    const artifact = await second.getArtifact(kept.artifactDigest ?? "");
    expect(artifact.manifest).toMatchObject({
      engine: "prebuilt",
      planDigest: manifest.planDigest,
    });
    expect(artifact.manifest.files.map(({ role }) => role)).toEqual(["bitstream", "report"]);
  });
});

describe("a BondMachine firmware", { timeout: 300_000 }, () => {
  let installation: Installation;
  let url = "";
  const metadata = { board: "zedboard", n_inputs: 4, n_outputs: 2, predictor: "bondmachine" };
  beforeAll(async () => {
    installation = await startAnew();
    await installation.upload(xilinxBitstream(), "bm/net.bit");
    await installation.upload(Buffer.from('<EDKSYSTEM DEVICE="7z020"/>'), "bm/net.hwh");
    await installation.upload(xilinxBitstream(), "alone/net.bit");
    await installation.upload(Buffer.from(JSON.stringify(metadata)), "alone/net.json");
    url = await installation.upload(Buffer.from(JSON.stringify(metadata)), "bm/net.json");
  }, 300_000);
  afterAll(() => installation?.stop());

  it.each(["bit", "json"])("is fetched with what lies beside it, by its .%s", async (ending) => {
    const build = await installation.onBench("zedboard", { url: url.replace("json", ending) });
    expect(build.problem).toBeNull();
    const { manifest, origin } = await installation.getArtifact(build.artifactDigest ?? "");
    expect(origin).toEqual({ kind: "bondmachine", proof: "not verified" });
    expect(manifest.files.map(({ role }) => role)).toEqual([
      "bitstream",
      "hardware-handoff",
      "metadata",
      "report",
    ]);
  });

  it("is exported and taken back as any artifact", async () => {
    const { artifactDigest } = await installation.onBench("zedboard", { url });
    const archive = await installation.exported(artifactDigest ?? "");
    const build = await installation.onBench("zedboard", {
      url: await installation.upload(archive),
    });
    expect(build).toMatchObject({ problem: null, artifactDigest });
    expect((await installation.getArtifact(artifactDigest ?? "")).origin?.kind).toBe("bondmachine");
  });

  it("is refused when a file is missing, and leaves nothing", async () => {
    const before = await installation.objects();
    const build = await installation.onBench("zedboard", { url: url.replace("bm/", "alone/") });
    expect(build.problem).toMatchObject({ reason: "FIRMWARE_INVALID" });
    expect(build.problem?.message).toContain(".hwh");
    expect(await installation.objects()).toBe(before);
  });
});

/** Back where it was made, an archive is what it was: proven. */
async function takenBack(first: Installation, archive: Buffer, digest: string): Promise<void> {
  const build = await first.build({
    name: "back",
    engine: "prebuilt",
    model: { url: await first.upload(archive) },
    board: cpu,
  });
  expect(build).toMatchObject({ state: "succeeded", artifactDigest: digest, reused: true });
  const { origin } = await first.getArtifact(digest);
  expect(origin).toBeUndefined();
}
