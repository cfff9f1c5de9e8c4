import { mostRowsBytes } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { parseInferRequest, writeInferResponse } from "@/lib/common/tensor";
import type { CallCommand, CallReport } from "@/lib/server/board-protocol";
import { logger } from "@/lib/server/logger";
import type { Slot } from "./slot";

/** A call waits for its turn among others so long. */
const waitMs = 10_000;
/** Answers that one poll carries; the rest is for the next. */
const mostToldBytes = 1024 * 1024;

/** What holders of leases ask of what they loaded; each call is told to the portal until it has heard the end. */
export class SlotCalls {
  private readonly byId = new Map<string, CallReport>();
  private readonly closed = new AbortController();
  private readonly find: (slotId: string) => Slot | undefined;
  private readonly onChange: () => void;

  constructor(find: (slotId: string) => Slot | undefined, onChange: () => void) {
    this.find = find;
    this.onChange = onChange;
  }

  /** Begins a call, unless it is known: a poll whose answer was lost brings it again. */
  begin(command: CallCommand): void {
    if (this.byId.has(command.id)) return;
    this.byId.set(command.id, { id: command.id, state: "running", problem: null });
    void this.run(command);
  }

  reports(): CallReport[] {
    let bytes = 0;
    return [...this.byId.values()].map((report) => {
      bytes += report.response?.length ?? 0;
      return bytes <= mostToldBytes ? report : { id: report.id, state: "running", problem: null };
    });
  }

  /** Those that were over when the portal heard of them. */
  forget(heard: readonly CallReport[]): void {
    for (const { id, state } of heard) if (state !== "running") this.byId.delete(id);
    const isMore = [...this.byId.values()].some(({ state }) => state !== "running");
    if (isMore) this.onChange();
  }

  /** A call that waits for its turn waits no longer. */
  close(): void {
    this.closed.abort();
  }

  private async run(command: CallCommand): Promise<void> {
    const { id, kind, slotId } = command;
    try {
      const answer = await this.carryOut(command);
      this.byId.set(id, { id, state: "succeeded", ...answer, problem: null });
    } catch (err) {
      const problem = isAppError(err)
        ? { reason: err.reason, message: err.message }
        : { reason: "INTERNAL", message: "It failed on the board server." };
      if (problem.reason === "INTERNAL")
        logger().warn({ err, slotId, call: kind }, "a call failed");
      this.byId.set(id, { id, state: "failed", problem });
    }
    if (!this.closed.signal.aborted) this.onChange();
  }

  private async carryOut(command: CallCommand): Promise<Pick<CallReport, "response" | "timing">> {
    const { slotId, slotEpoch } = command;
    const slot = this.find(slotId);
    if (!slot) throw fail("REVISION_MISMATCH", `Slot ${slotId} is not on this server.`);
    const options = { waitMs, signal: this.closed.signal };
    if (command.kind === "line") {
      await slot.speak(slotEpoch, Buffer.from(command.bytes, "base64"), options);
      return {};
    }
    const { inputs } = parseInferRequest(Buffer.from(command.request));
    const { outputs, timing } = await slot.ask(slotEpoch, inputs, options);
    const answer = { modelName: "", modelVersion: "", id: "", outputs };
    const { head } = writeInferResponse(answer, { outputs: [], binaryOutput: false });
    if (Buffer.byteLength(head) > mostRowsBytes.response)
      throw fail("BODY_TOO_LARGE", "The answer is too long to be shown here.", {
        hint: "Send fewer rows at once.",
      });
    return { response: head, timing };
  }
}
