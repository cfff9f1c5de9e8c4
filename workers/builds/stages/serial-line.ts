import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  frameKinds,
  parseIdentity,
  parseResult,
} from "@/boards/links/uart";
import { isAppError } from "@/lib/common/errors";
import { createUartLine, loadSimulation, type UartLine } from "@/simulator/run";
import { readProduct } from "../tools/products";
import { type ProofTask, proveRows, type Wrong, wrongAt } from "./prove-rows";

/** A simulated design that answers on a serial line. */
export interface SerialLineTask extends ProofTask {
  readonly clocksPerBit: number;
  /** Cycles in which a design without a reset port wakes up by itself. */
  readonly powerOnCycles: number;
}

/** Clock cycles a frame may take beyond its own bits. */
const patience = 1_000_000;

/**
 * Asks a design who it is and sends rows through it.
 *
 * @returns How many rows it answered right.
 * @throws {AppError} `VERIFICATION_FAILED`
 */
export function proveLine(task: SerialLineTask): number {
  const { work, core, level } = task;
  const simulation = loadSimulation(readProduct(work, task.simulation));
  const line = createUartLine(simulation, {
    clocksPerBit: task.clocksPerBit,
    reset: level === "shell" ? "rst" : null,
  });
  line.idle(task.powerOnCycles);
  const wrong = wrongAt(level);
  const bitsOf = (bytes: number) => (bytes + 16) * 12 * task.clocksPerBit;
  const ask = (request: Frame, limit: number) => exchange(line, request, { limit, wrong });

  const who = ask(
    { kind: frameKinds.identityRequest, sequence: 0, payload: new Uint8Array() },
    bitsOf(64) + patience,
  );
  if (who.kind !== frameKinds.identity) throw wrong("does not tell its identity");
  if (parseIdentity(who.payload).planDigest !== task.planDigest) throw wrong("names another plan");

  return proveRows(task, (payload, { index, answered }) => {
    const answer = ask(
      { kind: frameKinds.infer, sequence: (answered + 1) & 0xff, payload },
      bitsOf(core.inputBytes + core.outputBytes) + core.latencyCycles + patience,
    );
    if (answer.kind !== frameKinds.result) throw wrong(`answers vector ${index} with an error`);
    return parseResult(answer.payload, core.outputBytes);
  });
}

function exchange(
  line: UartLine,
  request: Frame,
  { limit, wrong }: { readonly limit: number; readonly wrong: Wrong },
): Frame {
  line.send(encodeFrame(request));
  const [answer] = new FrameDecoder().push(receive(line, limit, wrong));
  if (answer?.sequence !== request.sequence) throw wrong("answers with a broken frame");
  return answer;
}

function receive(line: UartLine, limit: number, wrong: Wrong): Uint8Array {
  try {
    return line.receiveUntil(0, limit);
  } catch (error) {
    if (!isAppError(error) || error.reason !== "LINK_FAILED") throw error;
    throw wrong("does not answer on its serial line");
  }
}
