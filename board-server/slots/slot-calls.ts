import { mostRowsBytes } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { parseInferRequest, writeInferResponse } from "@/lib/common/tensor";
import type { CallCommand, CallReport } from "@/lib/server/board-protocol";
import { logger } from "@/lib/server/logger";
import type { Slot } from "./slot";
import { problemOf, ToldWork } from "./told-work";

/** A call waits for its turn among others so long. */
const waitMs = 10_000;
/** Answers that one poll carries; the rest is for the next. */
const mostToldBytes = 1024 * 1024;

/** What holders of leases ask of what they loaded; each call is told to the portal until it has heard the end. */
export class SlotCalls {
  private readonly work: ToldWork<CallReport>;
  private readonly find: (slotId: string) => Slot | undefined;
  private readonly onChange: () => void;

  constructor(find: (slotId: string) => Slot | undefined, onChange: () => void) {
    this.find = find;
    this.onChange = onChange;
    this.work = new ToldWork(onChange);
  }

  begin(command: CallCommand): void {
    const running: CallReport = { id: command.id, state: "running", problem: null };
    this.work.begin(running, () => this.run(command));
  }

  reports(): CallReport[] {
    let bytes = 0;
    return this.work.reports().map((report) => {
      bytes += report.response?.length ?? 0;
      return bytes <= mostToldBytes ? report : { id: report.id, state: "running", problem: null };
    });
  }

  /** As of all work; what did not fit is told at once. */
  forget(heard: readonly CallReport[]): void {
    this.work.forget(heard);
    if (this.work.reports().some(({ state }) => state !== "running")) this.onChange();
  }

  close(): void {
    this.work.close();
  }

  private async run(command: CallCommand): Promise<CallReport> {
    const { id, kind, slotId } = command;
    try {
      return { id, state: "succeeded", ...(await this.carryOut(command)), problem: null };
    } catch (err) {
      const problem = problemOf(err);
      if (problem.reason === "INTERNAL")
        logger().warn({ err, slotId, call: kind }, "a call failed");
      return { id, state: "failed", problem };
    }
  }

  private async carryOut(command: CallCommand): Promise<Pick<CallReport, "response" | "timing">> {
    const { slotId, slotEpoch } = command;
    const slot = this.find(slotId);
    if (!slot) throw fail("REVISION_MISMATCH", `Slot ${slotId} is not on this server.`);
    const options = { waitMs, signal: this.work.signal };
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
