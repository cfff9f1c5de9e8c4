import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDevices } from "@/board-server/devices";
import { type BoardServer, startBoardServer } from "@/board-server/server";
import { encodeFrame, FrameDecoder, frameKinds, parseIdentity } from "@/boards/links/uart";
import {
  type Asker,
  getLease,
  joinWaiting,
  loadOnLease,
  reconcileLeases,
  releaseLease,
  takeLease,
} from "@/domain/board-leases";
import { createEnrolment } from "@/domain/board-servers";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { reconcileEndpoints } from "@/domain/endpoints";
import { askOnLease, readConsole, speakOnLease, storeLines } from "@/domain/lease-calls";
import type { Lease, LeaseConsole, Scope } from "@/lib/common/contract";
import { database, uuidv7, withTransaction } from "@/lib/server/db";
import { digestOfJson, hexOf } from "@/lib/server/digest";
import { buckets, objectStore } from "@/lib/server/storage";
import { bundle } from "@/scripts/bundle.mjs";
import { deploy } from "@/tests/support/deploy";
import { bare, iris, openDatabase, scope } from "../support/domain";
import { loadOf, makeSigner, type TestArtifact, trialArtifact } from "./support/artifacts";
import { type ControlPlane, startControlPlane } from "./support/control-plane";

// The holder of a lease speaks with what they loaded: real database, route handlers of the board protocol, a board server with
// simulated boards, of which one runs the core behind a shell in software and one the shell itself, bit by bit.

openDatabase();

const signer = makeSigner();
const limits = { minutes: 60, mostMinutes: 120, aheadDays: 30 };
const ice = { model: "icebreaker", kind: "simulated" } as const;
const stop = new AbortController();
const never = new AbortController().signal;
const artifacts: Record<string, string> = {};
let folder: string;
let portal: ControlPlane;
let server: BoardServer;
let ada: Asker;
let ben: Asker;
let reconciling: Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "bw-ll-"));
  process.env["STORAGE_DIR"] = path.join(folder, "store");
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  await objectStore().ensureBucket(buckets.artifacts);
  const [key] = signer.keys;
  await database().signingKey.create({ data: key ?? { keyId: "", publicKey: "" } });
  for (const link of ["core", "shell"] as const)
    artifacts[link] = await publish(link, await trialArtifact(link));
  portal = await startControlPlane();
  server = await start((await createEnrolment()).code);
  ada = await person("Ada");
  ben = await person("Ben");
  reconciling = (async () => {
    while (!stop.signal.aborted) {
      await reconcileEndpoints();
      await delay(50);
    }
  })();
}, 120_000);
beforeEach(async () => {
  for (const asker of [ada, ben])
    for (const { id } of await database().lease.findMany({
      where: { userId: asker.userId, releasedAt: null },
    }))
      await releaseLease(asker, `lse_${id}`).catch(() => {});
});
afterAll(async () => {
  stop.abort();
  await reconciling;
  await server?.close();
  await portal?.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (enrolCode: string | undefined) =>
  startBoardServer({
    name: "lines",
    portalUrl: portal.url,
    stateDir: path.join(folder, "state"),
    listen: { kind: "unix", path: path.join(folder, "s") },
    enrolCode,
    simulatedCapacity: 8,
    cpuSlots: 0,
    devices: createDevices(),
  });

async function person(name: string): Promise<Asker> {
  const id = uuidv7();
  await database().user.create({ data: { id, name } });
  await database().membership.create({ data: { userId: id, projectId: scope, role: "builder" } });
  return { scope, userId: id, mayEndOthers: false };
}

async function publish(name: string, trial: TestArtifact): Promise<string> {
  const { buildId } = await deploy(scope, iris(name));
  const attempt = await claimBuild(bare(buildId), "worker", { leaseS: 60, deadlineS: 600 });
  for (const [digest, bytes] of trial.files)
    await objectStore().put(buckets.artifacts, hexOf(digest), bytes, { sizeBytes: bytes.length });
  const { signature, artifactDigest } = loadOf(trial, signer);
  await succeedBuild(bare(buildId), attempt?.epoch ?? 0, {
    artifact: {
      digest: artifactDigest as `sha256:${string}`,
      planDigest: digestOfJson({ plan: name }),
      manifest: trial.manifest,
      signature,
      report: { resources: [] },
      sizeBytes: 1,
    },
  });
  await database().endpoint.updateMany({ data: { deletedAt: new Date() } });
  return artifactDigest;
}

const serves = (asker: Asker, id: string) =>
  expect
    .poll(async () => (await getLease(asker, id)).firmware?.state, { timeout: 20_000 })
    .toBe("serving");

/** Leases a simulated board, once its server has said that it has room. */
async function take(asker: Asker): Promise<Lease> {
  let lease: Lease | undefined;
  await expect
    .poll(
      async () =>
        (lease = await takeLease(asker, { board: ice, purpose: "" }, limits).catch(
          () => undefined,
        )),
    )
    .toBeDefined();
  if (!lease) throw new Error("no board is free");
  return lease;
}

/** Leases a board and loads what is simulated as `link` says. */
async function begin(asker: Asker, link = "core"): Promise<string> {
  const { id } = await take(asker);
  await loadOnLease(asker, id ?? "", artifacts[link] ?? "");
  await serves(asker, id ?? "");
  return id ?? "";
}

const say = (asker: Asker, id: string, bytes: Uint8Array | string, after = 0) =>
  speakOnLease(asker, id, { bytes: Buffer.from(bytes).toString("base64"), after }, never);
const refusal = async (run: Promise<unknown>): Promise<string> =>
  await run.then(
    () => "done",
    (error: { reason: string }) => error.reason,
  );
const bytesOf = ({ items }: LeaseConsole, toBoard: boolean): Buffer =>
  Buffer.concat(
    items
      .filter((each) => each.toBoard === toBoard)
      .map(({ bytes }) => Buffer.from(bytes, "base64")),
  );
/** Everything that the board said, once it has said so many bytes. */
async function heard(asker: Asker, id: string, count: number): Promise<Buffer> {
  await expect
    .poll(async () => bytesOf(await readConsole(asker, id), false).length)
    .toBeGreaterThanOrEqual(count);
  return bytesOf(await readConsole(asker, id), false);
}
const framesOf = (bytes: Uint8Array) => new FrameDecoder().push(bytes);
const question = encodeFrame({
  kind: frameKinds.identityRequest,
  sequence: 7,
  payload: new Uint8Array(0),
});
const row = Uint8Array.of(1, 2, 3, 4, 5);

describe("the line of a leased board", () => {
  it("is bytes both ways, the same whether the shell is simulated or not", async () => {
    const sent = Buffer.concat([
      question,
      encodeFrame({ kind: frameKinds.infer, sequence: 8, payload: row }),
      encodeFrame({ kind: frameKinds.infer, sequence: 9, payload: row.subarray(1) }),
      encodeFrame({ kind: frameKinds.result, sequence: 10, payload: new Uint8Array(0) }),
    ]);
    const answers: Buffer[] = [];
    for (const link of ["core", "shell"]) {
      const id = await begin(ada, link);
      // A request at a time: a shell holds no more.
      for (let at = 0; at < sent.length; ) {
        const end = sent.indexOf(0, at) + 1;
        await say(ada, id, sent.subarray(at, end));
        at = end;
      }
      const said = await heard(ada, id, 50 + 10);
      await expect.poll(async () => framesOf(await heard(ada, id, 1)).length).toBe(4);
      answers.push(await heard(ada, id, said.length));
      const window = await readConsole(ada, id);
      expect(bytesOf(window, true)).toEqual(sent);
      expect(window.items.every(({ isAfterGap }) => !isAfterGap)).toBe(true);
      await releaseLease(ada, id);
    }
    const [soft, hard] = answers;
    const [identity, result, short, unknown] = framesOf(soft ?? Buffer.alloc(0));
    expect(parseIdentity(identity?.payload ?? row)).toMatchObject({ core: { inputBytes: 5 } });
    expect([...(result?.payload ?? [])].slice(0, 4)).toEqual([15, 20, 25, 30]);
    expect([short?.payload, unknown?.payload]).toEqual([Uint8Array.of(3), Uint8Array.of(2)]);
    expect(soft).toEqual(hard);
  });

  it("answers rows with what the core gives, and says what does not fit", async () => {
    const id = await begin(ada);
    const ask = (text: string) => askOnLease(ada, id, text, never);
    const input = { name: "x", datatype: "FP32", shape: [1, 5], data: [...row] };
    const { answer, timing } = JSON.parse(await ask(JSON.stringify({ inputs: [input] })));
    expect(answer.outputs).toMatchObject([{ name: "y", data: [15 + 256 * 20, 25 + 256 * 30] }]);
    expect(timing).toMatchObject({ simulated: true, clockHz: 1_000_000 });
    const wrong = {
      inputs: [{ ...input, name: "a\u0000\ud800", shape: [1, 4], data: [1, 2, 3, 4] }],
    };
    expect(await refusal(ask(JSON.stringify(wrong)))).toBe("INFER_INVALID");
    // What was refused is told once: the board server goes on.
    expect(JSON.parse(await ask(JSON.stringify({ inputs: [input] }))).answer.outputs).toHaveLength(
      1,
    );
  });

  it("takes any bytes, and keeps a window of them", async () => {
    const id = await begin(ada);
    const hostile = [
      Buffer.alloc(4096, 0),
      Buffer.alloc(4096, 0xff),
      Buffer.from("\u001b[31m\u001b]0;title\u0007<script>alert(1)</script>\r\n".repeat(70)),
    ];
    for (const bytes of hostile) await say(ada, id, bytes);
    await expect
      .poll(async () => bytesOf(await readConsole(ada, id), true).equals(Buffer.concat(hostile)))
      .toBe(true);
    await say(ada, id, Uint8Array.of(0));
    await say(ada, id, question);
    expect(framesOf(await heard(ada, id, 50)).at(-1)?.kind).toBe(frameKinds.identity);
    for (let sent = 0; sent < 18; sent++) {
      await say(ada, id, Buffer.alloc(4096, sent));
      await delay(60);
    }
    const last = Buffer.alloc(4096, 17);
    await expect
      .poll(async () =>
        bytesOf(await readConsole(ada, id), true)
          .subarray(-4096)
          .equals(last),
      )
      .toBe(true);
    const window = await readConsole(ada, id);
    expect(bytesOf(window, true).length + bytesOf(window, false).length).toBeLessThanOrEqual(
      65_536,
    );
    expect(window.items[0]?.isAfterGap).toBe(true);
  });

  it("is the same in two tabs, each from where it was", async () => {
    const id = await begin(ada);
    const { newest } = await say(ada, id, "one");
    await expect.poll(async () => bytesOf(await readConsole(ada, id), true).toString()).toBe("one");
    const before = Math.max(newest, (await readConsole(ada, id)).newest);
    await Promise.all([say(ada, id, "two"), say(ada, id, "two")]);
    await expect
      .poll(async () => bytesOf(await readConsole(ada, id, before), true).toString())
      .toBe("twotwo");
  });

  it("is its holder's alone, and over with the lease", async () => {
    const id = await begin(ada);
    await say(ada, id, "mine");
    const stranger: Asker = { ...ben, scope: uuidv7() as Scope };
    for (const [asker, reason] of [
      [ben, "FORBIDDEN"],
      [{ ...ben, mayEndOthers: true }, "FORBIDDEN"],
      [stranger, "NOT_FOUND"],
    ] as const) {
      expect(await refusal(readConsole(asker, id))).toBe(reason);
      expect(await refusal(say(asker, id, "x"))).toBe(reason);
      expect(await refusal(askOnLease(asker, id, "{}", never))).toBe(reason);
    }
    await releaseLease(ada, id);
    expect(await refusal(readConsole(ada, id))).toBe("LEASE_OVER");
    expect(await refusal(say(ada, id, "x"))).toBe("LEASE_OVER");
    expect(await refusal(askOnLease(ada, id, "{}", never))).toBe("LEASE_OVER");
    expect(await database().leaseChunk.count()).toBe(0);
  });

  it("never hands the next holder what is late, neither way", async () => {
    const { id, boardId } = await take(ada);
    await loadOnLease(ada, id ?? "", artifacts["core"] ?? "");
    await serves(ada, id ?? "");
    await say(ada, id ?? "", "secret of Ada");
    await joinWaiting(ben, { board: { id: boardId }, purpose: "" }, limits);
    const slot = await database().slot.findFirst({ where: { board: { id: bare(boardId) } } });
    // Bytes that are under way as the board changes hands.
    const late = Promise.allSettled(
      Array.from({ length: 5 }, () => say(ada, id ?? "", "late of Ada")),
    );
    await releaseLease(ada, id ?? "");
    await expect
      .poll(
        async () => {
          await reconcileLeases();
          return await database().lease.count({ where: { userId: ben.userId, releasedAt: null } });
        },
        { timeout: 20_000 },
      )
      .toBe(1);
    for (const { status } of await late) expect(["rejected", "fulfilled"]).toContain(status);
    const next = await database().lease.findFirst({
      where: { userId: ben.userId, releasedAt: null },
    });
    const theirs = `lse_${next?.id}`;
    await loadOnLease(ben, theirs, artifacts["core"] ?? "");
    await serves(ben, theirs);
    // A report of the epoch before, as a board server that was cut off would still send it.
    const { boardServerId } =
      (await database().board.findFirst({ where: { id: bare(boardId) } })) ?? {};
    const chunk = {
      number: 1,
      toBoard: false,
      agoMs: 0,
      bytes: Buffer.from("old").toString("base64"),
    };
    const slotId = `slt_${slot?.id}`;
    const report = { slotId, slotEpoch: slot?.epoch ?? 0, tap: "old", chunks: [chunk] };
    await withTransaction((tx) => storeLines(tx, boardServerId ?? "", [report]));
    await say(ben, theirs, "Ben");
    await expect
      .poll(async () => bytesOf(await readConsole(ben, theirs), true).toString())
      .toBe("Ben");
    const rows = await database().leaseChunk.findMany();
    expect(rows.map(({ bytes }) => Buffer.from(bytes).toString()).join(" ")).not.toMatch(/Ada|old/);
  });

  it("goes on after its board server was started again", async () => {
    const id = await begin(ada);
    await say(ada, id, "before");
    await expect
      .poll(async () => bytesOf(await readConsole(ada, id), true).toString())
      .toBe("before");
    await server.close();
    const lost = say(ada, id, "while it is away").then(
      () => "done",
      (error: { reason: string }) => error.reason,
    );
    server = await start(undefined);
    expect(["done", "STATE_CONFLICT", "BOARD_OFFLINE"]).toContain(await lost);
    await serves(ada, id);
    await expect
      .poll(async () => await refusal(say(ada, id, "after")), { timeout: 20_000 })
      .toBe("done");
    await expect
      .poll(async () => bytesOf(await readConsole(ada, id), true).toString())
      .toMatch(/^before.*after$/);
  });

  it("is asked no more often than the board server can bear", async () => {
    const id = await begin(ada);
    const asked = await Promise.all(Array.from({ length: 40 }, () => refusal(say(ada, id, "x"))));
    expect(asked).toContain("RATE_LIMITED");
    expect(asked).toContain("done");
  });
});
