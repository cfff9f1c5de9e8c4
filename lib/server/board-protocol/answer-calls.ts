import type { Duplex } from "node:stream";
import { type AppError, fail, toAppError } from "@/lib/common/errors";
import { NumberMap } from "@/lib/common/number-map";
import { isRecord } from "@/lib/common/records";
import type { Tensor } from "@/lib/common/tensor";
import type { DirectAnswer, DirectCall, Ping, Pong } from "./direct";
import { partsOf, readFrames, writeFrame } from "./frames";

/** What a call asks for. */
export type AskedCall = Omit<Extract<DirectCall, { id: number }>, "id">;

/** What it is answered with, and the outputs beside that. */
export interface AnsweredCall extends Omit<Extract<DirectAnswer, { ok: true }>, "id" | "ok"> {
  readonly outputs: readonly Tensor[];
}

/** A stream whose calls are answered. */
export interface AnsweredStream {
  /** Refuses what still comes, lets what is under way end, and ends the stream. */
  close(): void;
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

  const send = (head: DirectAnswer | Pong, outputs: readonly Tensor[] = []): void => {
    if (!stream.destroyed) writeFrame(stream, head, partsOf(outputs));
  };
  const endWhenIdle = (): void => {
    // What the other side still sends is not waited for: it may be silent.
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
    if (closing) endWhenIdle();
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
    close() {
      closing = true;
      endWhenIdle();
    },
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
