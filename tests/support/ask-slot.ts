import { connect } from "node:net";
import { AppError, httpStatusOf } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import {
  type DirectAnswer,
  type DirectCall,
  partsOf,
  readFrames,
  writeFrame,
} from "@/lib/server/board-protocol";

type Call = Extract<DirectCall, { id: number }>;
type Refusal = Extract<DirectAnswer, { ok: false }>;

/** What a slot answered: the status that HTTP has for it, 0 where nobody answered. */
export interface SlotAnswer {
  readonly status: number;
  readonly error: Pick<Refusal, "code" | "reason" | "message"> | null;
  readonly answer: Extract<DirectAnswer, { ok: true }> | null;
  readonly outputs: readonly Tensor[];
}

/** Asks a slot of a board server, on a connection of its own. @param socket Where it listens. */
export function askSlot(
  socket: string,
  inputs: readonly Tensor[],
  call: Partial<Omit<Call, "id">> = {},
): Promise<SlotAnswer> {
  const none: SlotAnswer = { status: 0, error: null, answer: null, outputs: [] };
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.on("error", () => {});
    connection.on("close", () => resolve(none));
    readFrames(connection, ({ head, tensors: outputs }) => {
      const answer = head as DirectAnswer;
      if (answer.ok) resolve({ ...none, status: 200, answer, outputs });
      else {
        const { code, reason, message } = answer;
        const status = httpStatusOf(new AppError(code, message, { reason }));
        resolve({ ...none, status, error: { code, reason, message } });
      }
      connection.destroy();
    });
    const usual = { slotId: "slt_1", revisionId: "rev_1", slotEpoch: 1, waitMs: 60_000 };
    writeFrame(connection, { id: 1, ...usual, ...call } satisfies DirectCall, partsOf(inputs));
  });
}
