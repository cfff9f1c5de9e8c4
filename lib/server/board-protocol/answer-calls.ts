import type { Duplex } from "node:stream";
import { type AppError, fail, toAppError } from "@/lib/common/errors";
import { NumberMap } from "@/lib/common/number-map";
import { isRecord } from "@/lib/common/records";
import type { Tensor } from "@/lib/common/tensor";
import type { DirectAnswer, DirectCall, Leaving, Ping, Pong } from "./direct";
import { partsOf, readFrames, writeFrame } from "./frames";

/** What a call asks for. */
export type AskedCall = Omit<Extract<DirectCall, { id: number }>, "id">;

/** What it is answered with, and the outputs beside that. */
export interface AnsweredCall extends Omit<Extract<DirectAnswer, { ok: true }>, "id" | "ok"> {
  readonly outputs: readonly Tensor[];
}

/** How long a caller that heard of the end has to close the stream: its last calls may be on their way. */
const partingMs = 1000;

/** A stream whose calls are answered. */
export interface AnsweredStream {
  /**
   * Says that it leaves, refuses what still comes and lets what is under way end. The other side closes the stream then; if it
   * does not, it is ended.
   */
  close(): Promise<void>;
}

/**
 * Answers the calls that come on a stream, any number at a time. What comes and is no call ends the stream, and with it
 * everything that was asked on it.
 *
 * @param answer Its signal fires when nobody wants the answer any more. What it throws is told to the caller.
 */
export function answerCalls(
  stream: Duplex,
  answer: (
    call: AskedCall,
    inputs: readonly Tensor[],
    signal: AbortSignal,
  ) => Promise<AnsweredCall>,
): AnsweredStream {
  const underWay = new NumberMap<AbortController>();
  let closing = false;
  let hasParted = false;

  const send = (head: DirectAnswer | Leaving | Pong, outputs: readonly Tensor[] = []): void => {
    if (!stream.destroyed) writeFrame(stream, head, partsOf(outputs));
  };
  const endWhenIdle = (): void => {
    if (underWay.size === 0) stream.end(() => stream.destroy());
  };
  const carryOut = async (id: number, call: AskedCall, inputs: readonly Tensor[]) => {
    const life = new AbortController();
    underWay.set(id, life);
    try {
      const answered = await answer(call, inputs, life.signal);
      const { revisionId, outputs, timing, clipped, memoryBytes, direct } = answered;
      // Written out: V8 keeps what a spread with further properties makes until the whole heap is collected.
      send({ id, ok: true, revisionId, timing, clipped, memoryBytes, direct }, outputs);
    } catch (thrown) {
      send(refusal(id, toAppError(thrown)));
    }
    underWay.delete(id);
    if (hasParted) endWhenIdle();
  };

  stream.on("error", () => {});
  stream.on("close", () => {
    for (const life of underWay.values()) life.abort();
  });
  readFrames(stream, ({ head, tensors }) => {
    const call = toCall(head);
    if (!call) stream.destroy(new Error("a message is no call"));
    else if ("cancel" in call) underWay.get(call.cancel)?.abort();
    else if ("ping" in call) send({ pong: call.ping });
    else if (closing) send(refusal(call.id, fail("REVISION_MISMATCH", "It is leaving.")));
    else void carryOut(call.id, call, tensors);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        if (stream.closed) return resolve();
        closing = true;
        send({ leaving: true });
        const parting = setTimeout(() => {
          hasParted = true;
          endWhenIdle();
        }, partingMs);
        stream.once("close", () => {
          clearTimeout(parting);
          resolve();
        });
      }),
  };
}

const refusal = (id: number, { code, reason, message }: AppError): DirectAnswer => ({
  id,
  ok: false,
  code,
  reason,
  message,
});

function toCall(head: unknown): DirectCall | Ping | null {
  if (!isRecord(head)) return null;
  const { id, slotId, revisionId, slotEpoch, waitMs, cancel, ping } = head;
  if (isCount(cancel)) return { cancel };
  if (isCount(ping)) return { ping };
  const isCall =
    isCount(id) &&
    typeof slotId === "string" &&
    typeof revisionId === "string" &&
    isCount(slotEpoch) &&
    isCount(waitMs);
  return isCall ? { id, slotId, revisionId, slotEpoch, waitMs } : null;
}

/** Whether it is a whole number from 0 on. */
export const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
