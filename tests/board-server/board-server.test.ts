import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDevices } from "@/board-server/devices";
import { type BoardServer, startBoardServer } from "@/board-server/server";
import { type LoadCommand, timingSchema } from "@/lib/common/contract";
import type { Tensor } from "@/lib/common/tensor";
import { uuidv7 } from "@/lib/server/db";
import { digestOf, digestOfJson } from "@/lib/server/digest";
import { bundle } from "@/scripts/bundle.mjs";
import { askSlot } from "@/tests/support/ask-slot";
import {
  irisArtifact,
  loadOf,
  makeSigner,
  type TestArtifact,
  trialArtifact,
} from "./support/artifacts";
import { type FakePortal, startFakePortal } from "./support/fake-portal";

const signer = makeSigner();
const iris = irisArtifact();
let trial: TestArtifact;
let shell: TestArtifact;
let folder: string;
let portal: FakePortal;
let server: BoardServer | null = null;

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  trial = await trialArtifact("core");
  shell = await trialArtifact("shell");
}, 120_000);
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bw-bs-"));
  portal = await startFakePortal(signer);
  for (const artifact of [iris, trial, shell]) portal.offer(artifact);
});
afterEach(async () => {
  await server?.close();
  server = null;
  await portal.close();
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => {
  delete process.env["BOARDWALK_BUNDLES"];
});

async function start({ corruptEvery = null as number | null } = {}): Promise<BoardServer> {
  server = await startBoardServer({
    name: "test",
    portalUrl: portal.url,
    stateDir: path.join(folder, "state"),
    listen: { kind: "unix", path: path.join(folder, "s") },
    enrolCode: portal.code,
    simulatedCapacity: 2,
    cpuSlots: 2,
    devices: createDevices({ simulated: { corruptEvery } }),
  });
  return server;
}

const serving = ({ state }: { state: string }) => state === "serving";
const failed = ({ problem }: { problem: unknown }) => problem !== null;
const fp32 = (name: string, width: number, ...data: number[]): Tensor => ({
  name,
  datatype: "FP32",
  shape: [data.length / width, width],
  data: Float32Array.from(data),
});

/** One inference over the server's socket, as the gateway sends it. */
async function infer(
  inputs: Tensor[],
  { slotId = "slt_1", revision: revisionId = "rev_1", epoch: slotEpoch = 1, waitMs = 10_000 } = {},
) {
  const call = { slotId, revisionId, slotEpoch, waitMs };
  const { answer, ...rest } = await askSlot(path.join(folder, "s"), inputs, call);
  const timing = answer ? timingSchema.parse(answer.timing) : undefined;
  return { ...rest, revision: answer?.revisionId, timing };
}

const values = (outputs: readonly Tensor[]) => [...(outputs[0]!.data as Float32Array)];

describe("a board server", () => {
  it("enrols with a key of its own, offers its boards, and remembers who it is", async () => {
    await start();
    await expect.poll(() => portal.polls.length).toBeGreaterThan(0);
    expect(portal.polls[0]).toMatchObject({
      boards: [{ key: "cpu-0", boardModel: "cpu", kind: "cpu", slots: 2 }],
      simulatedCapacity: 2,
      slots: [],
    });
    const key = await stat(path.join(folder, "state/identity.pem"));
    expect(key.mode & 0o777).toBe(0o600);
    await server?.close();
    const before = portal.polls.length;
    await start();
    // The code is used up: only a server that knows its key and id is heard again.
    await expect.poll(() => portal.polls.length).toBeGreaterThan(before);
  });

  it("serves a model on the CPU after a load, with the numbers that the model has", async () => {
    await start();
    portal.command(loadOf(iris, signer));
    const report = await portal.until("slt_1", serving);
    expect(report).toMatchObject({
      slotEpoch: 1,
      revisionId: "rev_1",
      artifactDigest: digestOfJson(iris.manifest),
      problem: null,
    });
    const reference = JSON.parse(
      await readFile("public/samples/iris-mlp/reference.json", "utf8"),
    ) as Record<"inputs" | "outputs", Record<string, { data: number[] }>>;
    const rows = reference.inputs["features"]?.data ?? [];
    const wanted = reference.outputs["probabilities"]?.data ?? [];
    const { status, outputs, revision, timing } = await infer([fp32("features", 4, ...rows)]);
    expect([status, revision]).toEqual([200, "rev_1"]);
    expect(outputs[0]?.shape).toEqual([rows.length / 4, 3]);
    for (const [i, value] of values(outputs).entries()) {
      expect(value).toBeCloseTo(wanted[i] ?? Number.NaN, 5);
    }
    expect(timing?.computeNs).toBeGreaterThan(0);
    expect(timing?.simulated).toBeUndefined();
  });

  it.each(["core", "shell"] as const)("runs a design on a simulated board as %s", async (kind) => {
    await start();
    portal.command(loadOf(kind === "core" ? trial : shell, signer));
    await portal.until("slt_1", serving);
    const { outputs, timing } = await infer([fp32("x", 5, 1, 2, 3, 4, 5, -1, 0, 0, 0, 0.4)]);
    // The trial core's byte k is the sum plus 5k; two bytes make a number.
    expect(values(outputs)).toEqual([15 + 256 * 20, 25 + 256 * 30, 255 + 256 * 4, 9 + 256 * 14]);
    expect(timing?.simulated).toBe(true);
    expect(timing?.clockHz).toBe(1_000_000);
    expect(timing?.cycles).toBeGreaterThan(80);
  });

  it("repeats what the serial line garbles", async () => {
    await start({ corruptEvery: 2 });
    portal.command(loadOf(shell, signer));
    await portal.until("slt_1", serving);
    for (let i = 0; i < 4; i++) {
      const { outputs } = await infer([fp32("x", 5, i, 0, 0, 0, 0)]);
      expect(values(outputs)[0]).toBe(i + 256 * (i + 5));
    }
  });

  it("takes each command once, and none of an older epoch", async () => {
    await start();
    const command = loadOf(iris, signer, { slotEpoch: 5 });
    portal.command(command, command);
    await portal.until("slt_1", serving);
    portal.command(command);
    portal.command(loadOf(trial, signer, { slotEpoch: 4, revisionId: "rev_old" }));
    portal.command({ kind: "unload", id: uuidv7(), slotId: "slt_1", slotEpoch: 3 });
    portal.command(loadOf(trial, signer, { slotId: "slt_2" }));
    await portal.until("slt_2", serving);
    const report = await portal.until("slt_1", serving);
    expect([report.slotEpoch, report.revisionId]).toEqual([5, "rev_1"]);
    expect(portal.downloads.filter((file) => iris.files.has(file))).toHaveLength(1);
    expect((await infer([fp32("features", 4, 5, 3, 1, 0)], { epoch: 5 })).status).toBe(200);
  });

  it("answers only for the revision and epoch that its slot holds", async () => {
    await start();
    portal.command(loadOf(iris, signer));
    await portal.until("slt_1", serving);
    const row = [fp32("features", 4, 5, 3, 1, 0)];
    expect(await infer(row, { revision: "rev_2" })).toMatchObject({
      status: 409,
      error: { reason: "REVISION_MISMATCH" },
    });
    expect(await infer(row, { epoch: 2 })).toMatchObject({
      status: 409,
      error: { reason: "SLOT_EPOCH_STALE" },
    });
    expect(await infer(row, { slotId: "slt_9" })).toMatchObject({ status: 409 });
    expect(await infer([fp32("nope", 4, 5, 3, 1, 0)])).toMatchObject({ status: 500 });
    expect((await infer(row)).status).toBe(200);
  });

  it("empties a slot, and loads another revision into it", async () => {
    await start();
    portal.command(loadOf(iris, signer));
    await portal.until("slt_1", serving);
    portal.command({ kind: "unload", id: uuidv7(), slotId: "slt_1", slotEpoch: 2 });
    await portal.until("slt_1", ({ state }) => state === "empty");
    expect((await infer([fp32("features", 4, 5, 3, 1, 0)])).status).toBe(409);
    portal.command(loadOf(trial, signer, { slotEpoch: 3, revisionId: "rev_3" }));
    await portal.until("slt_1", serving);
    const answer = await infer([fp32("x", 5, 1, 0, 0, 0, 0)], { revision: "rev_3", epoch: 3 });
    expect(answer.status).toBe(200);
  });

  it("serves again after a restart without the portal, having hashed and tested anew", async () => {
    await start();
    portal.command(loadOf(trial, signer));
    await portal.until("slt_1", serving);
    await server?.close();
    portal.vanish();
    await start();
    await expect.poll(async () => (await infer([fp32("x", 5, 1, 0, 0, 0, 0)])).status).toBe(200);
    portal.restore();
    await portal.until("slt_1", serving);
    expect(portal.downloads).toHaveLength(2);
  });

  it("loads again what lies changed on its disk", async () => {
    await start();
    portal.command(loadOf(trial, signer));
    await portal.until("slt_1", serving);
    await server?.close();
    const cache = path.join(folder, "state/artifacts");
    for (const name of await readdir(cache)) {
      const bytes = await readFile(path.join(cache, name));
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      await writeFile(path.join(cache, name), bytes);
    }
    const before = portal.polls.length;
    await start();
    await expect.poll(() => portal.polls.length).toBeGreaterThan(before);
    await portal.until("slt_1", serving);
    expect(portal.downloads).toHaveLength(4);
  });

  it("keeps asking while the portal is away", async () => {
    portal.vanish();
    await start();
    await new Promise((resolve) => setTimeout(resolve, 500));
    portal.restore();
    portal.command(loadOf(trial, signer));
    await portal.until("slt_1", serving);
  });

  it("drops who waits too long, and goes on", async () => {
    await start();
    portal.command(loadOf(shell, signer));
    await portal.until("slt_1", serving);
    const rows = [fp32("x", 5, ...new Array(5 * 16).fill(1))];
    const [first, ...others] = await Promise.all([
      infer(rows),
      ...Array.from({ length: 8 }, () => infer(rows, { waitMs: 1 })),
    ]);
    expect(first?.status).toBe(200);
    const late = others.filter(({ error }) => error?.reason === "QUEUE_TIMEOUT");
    expect(late.length).toBeGreaterThan(0);
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([503]));
    expect((await infer(rows)).status).toBe(200);
  });
});

describe("a load is refused", () => {
  const flip = (text: string) => `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}`;
  const cases: [string, string, (command: LoadCommand) => LoadCommand][] = [
    [
      "its manifest was changed",
      "ARTIFACT_MISMATCH",
      (command) => ({
        ...command,
        manifest: { ...command.manifest, maxBatchSize: command.manifest.maxBatchSize ^ 1 },
      }),
    ],
    [
      "its digest was changed",
      "ARTIFACT_MISMATCH",
      (command) => ({
        ...command,
        artifactDigest: flip(command.artifactDigest),
      }),
    ],
    [
      "the signed digest was changed",
      "ARTIFACT_MISMATCH",
      (command) => ({
        ...command,
        signature: { ...command.signature, digest: flip(command.signature.digest) },
      }),
    ],
    [
      "its signature was changed",
      "SIGNATURE_INVALID",
      (command) => {
        const bytes = Buffer.from(command.signature.signature, "base64");
        bytes[7] = (bytes[7] ?? 0) ^ 4;
        const signature = { ...command.signature, signature: bytes.toString("base64") };
        return { ...command, signature };
      },
    ],
    [
      "it is signed by a stranger under a known key's id",
      "SIGNATURE_INVALID",
      (command) => loadOf(trial, makeSigner(), { id: command.id }),
    ],
    [
      "its key is unknown",
      "SIGNATURE_INVALID",
      (command) => ({
        ...command,
        signature: { ...command.signature, keyId: "key-2" },
      }),
    ],
    [
      "the board is of another model",
      "DEVICE_MISMATCH",
      (command) => ({
        ...command,
        board: { ...command.board, boardModel: "upduino-3" },
      }),
    ],
    [
      "the board has another part",
      "DEVICE_MISMATCH",
      (command) => ({
        ...command,
        board: { ...command.board, part: "ice40hx8k-ct256" },
      }),
    ],
    [
      "the board is of a kind that is not here",
      "DEVICE_MISMATCH",
      (command) => ({
        ...command,
        board: { ...command.board, kind: "physical" },
      }),
    ],
  ];

  it.each(cases)("when %s: %s", async (_, reason, change) => {
    await start();
    portal.command(change(loadOf(trial, signer)));
    const report = await portal.until("slt_1", failed);
    expect(report).toMatchObject({ state: "empty", revisionId: null, problem: { reason } });
    expect(portal.downloads).toEqual([]);
    expect((await infer([fp32("x", 5, 1, 0, 0, 0, 0)])).status).toBe(409);
  });

  it.each([
    ["a flipped bit", (bytes: Buffer) => bytes.fill((bytes[99] ?? 0) ^ 1, 99, 100)],
    ["a byte too few", (bytes: Buffer) => bytes.subarray(0, -1)],
    ["a byte too many", (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1)])],
  ])("when a file comes with %s, and nothing of it is kept", async (_, tamper) => {
    await start();
    for (const [digest, bytes] of trial.files) {
      portal.files.set(digest, tamper(Buffer.from(bytes)));
    }
    portal.command(loadOf(trial, signer));
    const report = await portal.until("slt_1", failed);
    expect(report.problem?.reason).toBe("ARTIFACT_MISMATCH");
    expect(await readdir(path.join(folder, "state/artifacts"))).toEqual([]);
  });

  it("when the board answers otherwise than the build recorded", async () => {
    const vectors = trial.manifest.files.find(({ role }) => role === "vectors");
    const recorded = JSON.parse(
      Buffer.from(trial.files.get(vectors?.digest ?? "") ?? []).toString(),
    );
    const outputs = Buffer.from(recorded.outputs, "base64");
    outputs[0] = (outputs[0] ?? 0) ^ 1;
    const wrong = Buffer.from(JSON.stringify({ ...recorded, outputs: outputs.toString("base64") }));
    const digest = digestOf(wrong);
    portal.files.set(digest, wrong);
    const files = trial.manifest.files.map((file) =>
      file.role === "vectors" ? { ...file, digest, sizeBytes: wrong.length } : file,
    );
    await start();
    portal.command(loadOf({ ...trial, manifest: { ...trial.manifest, files } }, signer));
    const report = await portal.until("slt_1", failed);
    expect(report.problem?.reason).toBe("SELF_TEST_FAILED");
  });

  it("when the design on the line is another one", async () => {
    const manifest = { ...shell.manifest, planDigest: digestOf("another plan") };
    await start();
    portal.command(loadOf({ ...shell, manifest }, signer));
    const report = await portal.until("slt_1", failed);
    expect(report.problem?.reason).toBe("DEVICE_MISMATCH");
  });
});
