import { expect } from "vitest";
import { LinkError } from "@/gateway/core";
import type { Gateway } from "@/gateway/gateway";
import { Life } from "@/gateway/intake";
import { createFrameLink } from "@/gateway/transport";
import { isAppError } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { startTestGateway } from "@/tests/support/gateway";
import { startRealBoard } from "@/tests/support/real-board";
import { echo } from "@/tests/support/real-models";
import { eachCase, type Outcome } from "../each-case";
import { randomOf } from "../random-of";
import { fuzz } from "../settings";
import type { EvilBoardServer } from "./evil-board-server";
import { converse } from "./evil-gateway";
import { oddConversation } from "./odd-frames";

/** A real board server with one model, and a gateway that uses it. */
export interface GoodBoard {
  readonly path: string;
  readonly call: Readonly<Record<string, unknown>>;
  /** Asks through the gateway; a wrong answer fails the test. */
  ask(): Promise<void>;
  close(): Promise<void>;
}

const row = [1, 2, 3, 4];
const shape = [1, 4];
const abreast = 32;

export async function startGoodBoard(): Promise<GoodBoard> {
  const board = await startRealBoard();
  const spec = { name: "x", datatype: "FP32", shape: [-1, 4] } as const;
  const endpoint = await board.serve(echo("good", spec, { maxBatchSize: 8 }));
  const gateway: Gateway = await startTestGateway([endpoint]);
  const [revision] = endpoint.revisions;
  const [replica] = revision?.replicas ?? [];
  if (replica?.address.kind !== "unix") throw new Error("a real board listens on a socket");
  const { path } = replica.address;
  const request = JSON.stringify({ inputs: [{ name: "x", datatype: "FP32", shape, data: row }] });
  return {
    path,
    call: { id: 1, slotId: replica.slotId, revisionId: revision?.id, slotEpoch: 1, waitMs: 1000 },
    async ask() {
      const url = `http://127.0.0.1:${gateway.httpPort}/v2/models/good/infer`;
      const answer = await fetch(url, { method: "POST", body: request });
      expect(await answer.json()).toMatchObject({ outputs: [{ data: row }] });
    },
    async close() {
      await gateway.close();
      await board.close();
    },
  };
}

/** Says to a board server what an evil gateway says, on a connection for each number. */
export async function sayMuch({ path, call, ask }: GoodBoard, count: number): Promise<Outcome> {
  const heads = [call, call, call, { ...call, slotId: "slt_none" }, { cancel: 1 }, { ping: 7 }];
  return await eachCase(count, {
    abreast,
    tryGood: ask,
    async tryOne(number) {
      const said = await converse(path, oddConversation(heads, randomOf(fuzz.seed, number)));
      return { said, fault: said.find((word) => word.startsWith("a fault")) ?? null };
    },
  });
}

/** Asks an evil board server, once for each number. */
export async function askMuch(
  evil: EvilBoardServer,
  path: string,
  count: number,
): Promise<Outcome> {
  const link = createFrameLink();
  const input: Tensor = { name: "x", datatype: "FP32", shape, data: Float32Array.from(row) };
  const replica = {
    slotId: "slt_evil",
    slotEpoch: 1,
    address: { kind: "unix", path } as const,
    outstanding: 0,
    withdrawnUntilMs: 0,
    isMisplaced: false,
  };
  try {
    return await eachCase(count, {
      abreast: 1,
      async tryOne(number) {
        evil.answerBy(fuzz.seed, number);
        const call = { replica, revisionId: "rev_1", id: "", requests: [[input]], waitMs: 1000 };
        try {
          await link.infer({ ...call, life: new Life() });
          return { said: ["answered"], fault: null };
        } catch (error) {
          if (error instanceof LinkError) return { said: ["connection lost"], fault: null };
          const isPrecise = isAppError(error) && error.reason !== "INTERNAL";
          return isPrecise
            ? { said: [error.reason], fault: null }
            : { said: [], fault: error instanceof Error ? `${error.stack}` : `${error}` };
        }
      },
    });
  } finally {
    await link.close();
  }
}
