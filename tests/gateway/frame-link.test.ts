import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { serveSlot } from "@/board-server/devices/serve-slot";
import type { LinkCall } from "@/gateway/core";
import { Life } from "@/gateway/intake";
import { createFrameLink } from "@/gateway/transport/frame-link";
import type { Timing } from "@/lib/common/contract";
import { fail, toAppError } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { type AnsweredCall, type AskedCall, answerCalls } from "@/lib/server/board-protocol";

// The gateway's way to slots, at the sockets of a board server and of models that are made up.

const folder = mkdtempSync(join(tmpdir(), "bw-fl-"));
const board = join(folder, "board");
const model = join(folder, "model");
const stops: (() => Promise<void>)[] = [];
let link = createFrameLink();
afterEach(async () => {
  await link.close();
  for (const stop of stops.splice(0)) await stop();
  link = createFrameLink();
});

type Answer = (call: AskedCall, inputs: readonly Tensor[]) => Promise<AnsweredCall>;

/** Its `stop` ends every connection too, as the end of a process does. */
async function listen(path: string, answer: Answer) {
  rmSync(path, { force: true });
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    answerCalls(socket, answer);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  stops.push(stop);
  return { stop, connections: () => sockets.size };
}

/** A board server that answers everything with these words. */
async function listenRaw(head: string) {
  rmSync(board, { force: true });
  const words = Buffer.from(`[${head},[]]`);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(words.length);
  const server = createServer((socket) => {
    socket.on("error", () => {}).on("data", () => socket.write(Buffer.concat([lengths, words])));
  });
  await new Promise<void>((resolve) => server.listen(board, resolve));
  stops.push(() => new Promise((resolve) => server.close(() => resolve())));
}

const echo =
  (more: Partial<AnsweredCall> = {}): Answer =>
  async ({ revisionId }, outputs) => ({ revisionId, outputs, timing: {}, ...more });
const address = { kind: "unix", path: board } as const;
const input: Tensor = { name: "x", datatype: "FP32", shape: [1], data: Float32Array.of(1) };

function ask(slotId = "slt_1") {
  const replica = {
    slotId,
    slotEpoch: 1,
    address,
    outstanding: 0,
    withdrawnUntilMs: 0,
    isMisplaced: false,
  };
  const life = new Life();
  const call: LinkCall = {
    replica,
    revisionId: "rev_1",
    id: "",
    requests: [[input]],
    waitMs: 1000,
    life,
  };
  return { life, answer: link.infer(call) };
}

const untilAnswered = () =>
  expect
    .poll(() =>
      ask().answer.then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => {});

describe("the link to a board server", () => {
  it("is one connection for the calls of all slots, and another after a restart", async () => {
    const first = await listen(board, echo());
    await Promise.all(["a", "b", "c"].map((slotId) => ask(slotId).answer));
    expect(first.connections()).toBe(1);
    await first.stop();
    await listen(board, echo());
    await untilAnswered();
  });

  it("is told of nothing that fits no answer", async () => {
    await listen(board, async (call, outputs) => ({
      ...(await echo()(call, outputs)),
      outputs: [{ ...input, shape: [7] }],
    }));
    await expect(ask().answer).rejects.toMatchObject({
      reason: "UPSTREAM_MISMATCH",
      message: expect.stringContaining("another shape"),
    });
  });

  const noText = '{"toString":1,"valueOf":1}';
  it.each([
    ["no times", '{"id":1,"ok":true,"revisionId":"rev_1","timing":7}', "UPSTREAM_MISMATCH"],
    [
      "a reason that nobody knows",
      '{"id":1,"ok":false,"code":"?","reason":"?"}',
      "UPSTREAM_MISMATCH",
    ],
    [
      "words that are no text",
      `{"id":1,"ok":false,"code":"unavailable","reason":"UPSTREAM_RESET","message":${noText}}`,
      "UPSTREAM_MISMATCH",
    ],
  ])("ends a call that is answered with %s, and nothing else", async (_, head, reason) => {
    await listenRaw(head);
    await expect(ask().answer).rejects.toMatchObject({ reason });
  });

  it.each(["-1", '"1"', "null", noText])("ends a connection that answers call %s", async (id) => {
    await listenRaw(`{"id":${id},"ok":true}`);
    await expect(ask().answer).rejects.toMatchObject({ name: "LinkError", sent: true });
  });

  it("begins nothing where nobody listens", async () => {
    rmSync(board, { force: true });
    await expect(ask().answer).rejects.toMatchObject({ name: "LinkError", sent: false });
  });

  it("asks a model on its own socket, and the board server when that is gone", async () => {
    const asked: string[] = [];
    const noting =
      (who: string, answer: Answer): Answer =>
      (call, inputs) => {
        asked.push(who);
        return answer(call, inputs);
      };
    await listen(board, noting("board", echo({ direct: model })));
    const { stop } = await listen(model, noting("model", echo()));
    for (let i = 0; i < 3; i++) await ask().answer;
    expect(asked).toEqual(["board", "model", "model"]);
    await stop();
    await untilAnswered();
    expect(asked.at(-1)).toBe("board");
  });

  it.each([
    ["simulated, which is silent with it", { simulated: true }, true],
    ["on the CPU, a process of its own", {}, false],
  ] satisfies [string, Timing, boolean][])(
    "that is silent is given up, and a model %s: %j",
    async (_, timing, isGivenUp) => {
      await listen(board, echo({ direct: model, timing }));
      let asked = 0;
      await listen(model, () => {
        asked++;
        return never();
      });
      await ask().answer;
      const { answer, life } = ask();
      const outcome = answer.then(
        () => "answered",
        (error: unknown) => error,
      );
      await expect.poll(() => asked).toBe(1);
      link.giveUp(address);
      if (isGivenUp) expect(await outcome).toMatchObject({ name: "LinkError", sent: true });
      await pause(50);
      life.end("left");
      if (!isGivenUp) expect(await outcome).toBe("left");
    },
  );

  it("loses no call of those that are on their way when the model leaves its socket", async () => {
    const place = { revisionId: "rev_1", slotId: "slt_1", slotEpoch: 1 };
    const left: string[] = [];
    await listen(board, async (call, outputs) => {
      if (left.length > 0) throw fail("REVISION_MISMATCH", "it left");
      return await echo({ direct: model })(call, outputs);
    });
    rmSync(model, { force: true });
    const served = await serveSlot({ ...place, path: model }, async (outputs) => ({
      outputs,
      timing: { hostNs: 0, computeNs: 0 },
    }));
    await ask().answer;
    const seen = new Map<string, number>();
    const callers = Array.from({ length: 20 }, async () => {
      for (;;) {
        const word = await ask().answer.then(
          () => "answered",
          (error: unknown) => toAppError(error).reason,
        );
        seen.set(word, (seen.get(word) ?? 0) + 1);
        if (word !== "answered") break;
      }
    });
    await expect.poll(() => seen.get("answered") ?? 0).toBeGreaterThan(100);
    left.push("slt_1");
    await served.leave();
    await Promise.all(callers);
    expect([...seen.keys()].toSorted()).toEqual(["REVISION_MISMATCH", "answered"]);
  });
});
