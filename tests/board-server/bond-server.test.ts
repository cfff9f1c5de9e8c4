import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBondServer } from "@/board-server/bond";
import { createDevices } from "@/board-server/devices";
import { type BoardServer, startBoardServer } from "@/board-server/server";
import { InputRequestSchema, LoadRequestSchema, readOutcome } from "@/proto/bond";
import { bundle } from "@/scripts/bundle.mjs";
import { recorded, repliesOf, transcript } from "@/tests/support/bond/transcript";
import { sendGrpc } from "@/tests/support/grpc-call";
import { breakOff, exchange } from "@/tests/support/raw";
import { bondArtifact, irisArtifact, loadOf, makeSigner } from "./support/artifacts";
import { type FakePortal, startFakePortal } from "./support/fake-portal";

// What clients of BondMachine's original boards send, byte for byte, and what ours answers to it.

type Answers = (rows: readonly number[][]) => { scores: number[]; classes: bigint[] };

/** A slot of the banknote firmware, which answers as the original's board did. */
function banknote(answers: Answers) {
  const { manifest } = bondArtifact();
  const slot = {
    command: { revisionId: "rev_1", endpointName: "banknote", manifest },
    report: { slotEpoch: 1 },
    async infer({ inputs: [input] }: { inputs: { data: Float32Array }[] }) {
      const numbers = [...(input?.data ?? [])];
      const rows = Array.from({ length: numbers.length / 4 }, (_, row) =>
        numbers.slice(row * 4, row * 4 + 4),
      );
      const { scores, classes } = answers(rows);
      return {
        outputs: [
          { name: "output", datatype: "FP32", shape: [], data: Float32Array.from(scores) },
          { name: "class", datatype: "INT64", shape: [], data: BigInt64Array.from(classes) },
        ],
      };
    },
  };
  return () => ({
    reports: () => [{ slotId: "slt_1", state: "serving" }] as never,
    find: () => slot as never,
  });
}

const asRecorded: Answers = (rows) => ({
  scores: rows.flatMap(([first]) =>
    first === -1
      ? [0.11920291930437088, 0.8807970285415649]
      : [0.8212892413139343, 0.17871078848838806],
  ),
  classes: rows.map(([first]) => (first === -1 ? 1n : 0n)),
});

let server: Awaited<ReturnType<typeof startBondServer>>;
let client: Client;
beforeAll(async () => {
  server = await startBondServer(banknote(asRecorded), { host: "127.0.0.1", port: 0 });
  client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.close();
});

const say = (note: string) => {
  const { method, requestHex } = recorded(note);
  return sendGrpc(client, method, { message: Buffer.from(requestHex, "hex") });
};

describe("clients of the original's boards", () => {
  it("are refused a prediction before a load, in the type that they know", async () => {
    const { code, answer } = await say("predict: two rows");
    expect(code).toBe(0);
    expect(readOutcome(answer)).toMatchObject({
      success: false,
      text: expect.stringMatching(/^Unable to make prediction/),
    });
  });

  it.each([
    "load: unknown bitstream",
    "load: empty name",
    "load: without arch",
    "load: with arch",
    "predict: two rows",
    "predict: one row",
    "predict: no inputs",
    "predict: Python repr with single quotes",
    "load: build asked, fields missing",
  ])("get the very bytes of the original: %s", async (note) => {
    const { code, answer } = await say(note);
    expect(code).toBe(0);
    expect(answer.toString("hex")).toBe(repliesOf(note)[0]?.toString("hex"));
  });

  it.each(["predict: three features for four", "predict: not JSON"])(
    "are refused alike, in other words behind the first: %s",
    async (note) => {
      const { answer } = await say(note);
      const { success, text } = readOutcome(answer);
      expect(success).toBe(false);
      expect(text).toMatch(/^Unable to make prediction./);
    },
  );

  it.each([
    ["predict after a load without arch: success, no results", "predict: two rows"],
    ["predict: flat row", "predict: one row"],
  ])("get results where the original has none: %s", async (note, better) => {
    await say("load: without arch");
    const { answer } = await say(note);
    expect(answer.toString("hex")).toBe(repliesOf(better)[0]?.toString("hex"));
  });

  it("are sent to the portal for a build", async () => {
    const { answer } = await say("load with build: stream ends with a stored name");
    expect(readOutcome(answer)).toMatchObject({ success: false, text: /Deploy/ });
    expect(readOutcome((await say("predict: one row")).answer).success).toBe(true);
  });

  it("are told of a method that there is not", async () => {
    expect(await say("unknown method")).toMatchObject({ code: 12 });
  });

  it("hear of all that was recorded", () => {
    const ours = transcript.filter(({ method }) => method.startsWith("/bondPackage."));
    expect(ours).toHaveLength(16);
  });

  it.each([
    ["no protobuf", Buffer.from("ffffffff", "hex")],
    ["a text for a number", Buffer.from("120361626318016162", "hex")],
  ])("who send %s are refused, and the next is answered", async (_, message) => {
    const { code } = await sendGrpc(client, "/bondPackage.BondServer/load", { message });
    expect(code).not.toBe(0);
    expect((await say("predict: one row")).code).toBe(0);
  });

  it("who send more than 4 MiB are refused before it is read", async () => {
    const message = Buffer.alloc(4 * 1024 * 1024 + 1);
    const { code } = await sendGrpc(client, "/bondPackage.BondServer/predict", { message });
    expect(code).toBe(8);
    expect((await say("predict: one row")).code).toBe(0);
  });

  it.each(["../x", "a;reboot", "$(id)", "banknote\n", "__proto__"])(
    "find nothing called %j",
    async (bitfileName) => {
      const message = toBinary(LoadRequestSchema, create(LoadRequestSchema, { bitfileName }));
      const { answer } = await sendGrpc(client, "/bondPackage.BondServer/load", { message });
      expect(readOutcome(answer)).toEqual({
        success: false,
        text: "Downloaded bitstream is not correct",
      });
    },
  );
});

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/** A frame of HTTP/2: its payload behind length, kind, flags and stream. */
const frame = (kind: number, flags: number, stream: number, payload = "") => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(kind, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return head.toString("latin1") + payload;
};
const settings = preface + frame(4, 0, 0);

describe("whoever speaks something else on its port", () => {
  it.each([
    ["HTTP/1.1", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    [
      "an upgrade",
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ],
    ["CONNECT", "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["noise", "\x00\xff\x16\x03\x01".repeat(4000)],
    ["a preface and noise", preface + "\xff".repeat(40_000)],
    ["headers that no table holds", settings + frame(1, 5, 1, "\xff\xff\xff\xff\x0f".repeat(9))],
    ["data on a stream that nobody opened", settings + frame(0, 1, 7, "x".repeat(100))],
    ["a continuation of nothing", settings + frame(9, 4, 3, "x")],
    ["a push", settings + frame(5, 4, 1, "\0\0\0\x02")],
  ])("is let go without harm: %s", async (_, bytes) => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.prependListener("uncaughtException", note);
    try {
      for (const how of ["reset", "close"] as const) await breakOff(server.port, bytes, how);
      // Node lets go of a protocol that it does not know after ten seconds.
      await Promise.race([exchange(server.port, bytes), delay(1000)]);
      const { code } = await say("predict: two rows");
      expect(code).toBe(0);
      expect(uncaught).toEqual([]);
    } finally {
      process.off("uncaughtException", note);
    }
  });
});

describe("a model that Boardwalk serves", () => {
  const signer = makeSigner();
  let folder: string;
  let portal: FakePortal;
  let boards: BoardServer;

  beforeAll(async () => {
    process.env["BOARDWALK_BUNDLES"] ??= await bundle();
    folder = await mkdtemp(path.join(tmpdir(), "bw-bond-srv-"));
    portal = await startFakePortal(signer);
    boards = await startBoardServer({
      name: "test",
      portalUrl: portal.url,
      stateDir: path.join(folder, "state"),
      listen: { kind: "unix", path: path.join(folder, "s") },
      enrolCode: portal.code,
      simulatedCapacity: 0,
      cpuSlots: 1,
      bond: { host: "127.0.0.1", port: 0 },
      devices: createDevices(),
    });
    const artifact = irisArtifact();
    portal.offer(artifact);
    portal.command(loadOf(artifact, signer, { endpointName: "bm-axist-bankote" }));
    await portal.until("slt_1", ({ state }) => state === "serving");
  });
  afterAll(async () => {
    await boards.close();
    await portal.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("answers the original's predictor under the name that it always asks for", async () => {
    const own = new Client(`127.0.0.1:${boards.bondPort}`, credentials.createInsecure());
    const load = create(LoadRequestSchema, { bitfileName: "bm-axist-bankote" });
    const loaded = await sendGrpc(own, "/bondPackage.BondServer/load", {
      message: toBinary(LoadRequestSchema, load),
    });
    expect(readOutcome(loaded.answer)).toMatchObject({ success: true });
    const inputs =
      '{"inputs": [{"name": "x", "data": [[5.1, 3.5, 1.4, 0.2], [6.7, 3, 5.2, 2.3]]}]}';
    const { answer } = await sendGrpc(own, "/bondPackage.BondServer/predict", {
      message: toBinary(InputRequestSchema, create(InputRequestSchema, { inputs })),
    });
    const { success, text } = readOutcome(answer);
    expect(success).toBe(true);
    const [{ classification }] = JSON.parse(text);
    expect(classification.classification).toEqual([0, 2]);
    expect(classification.probabilities.map((row: number[]) => row.length)).toEqual([3, 3]);
    own.close();
  });
});
