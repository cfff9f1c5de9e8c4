import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  frameKinds,
  parseIdentity,
  parseResult,
} from "@/boards/links/uart";
import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { createUartLine, loadSimulation, type UartLine } from "@/simulator/run";
import { readProduct } from "../tools/products";

/** A core inside its serial shell, simulated. */
export interface ShellTask {
  readonly work: string;
  readonly simulation: string;
  readonly clocksPerBit: number;
  /** What its identity frame must say: the plan that it was made from. */
  readonly planDigest: string;
  readonly core: NonNullable<Manifest["core"]>;
  readonly vectors: readonly Int8Array[];
  /** What the core answers to the vectors, one after the other. */
  readonly outputs: Uint8Array;
  /** Vectors to send through it, spread over all: a line is slow. */
  readonly rows: number;
}

/** Clock cycles a frame may take beyond its own bits. */
const patience = 1_000_000;

/**
 * Asks the shell who it is and sends rows through it, spread over all vectors.
 *
 * @returns How many rows it answered right.
 * @throws {AppError} `VERIFICATION_FAILED`
 */
export function runShell(task: ShellTask): number {
  const { work, core, vectors, outputs } = task;
  const simulation = loadSimulation(readProduct(work, task.simulation));
  const line = createUartLine(simulation, { clocksPerBit: task.clocksPerBit });
  const bitsOf = (bytes: number) => (bytes + 16) * 12 * task.clocksPerBit;

  const who = ask(
    line,
    { kind: frameKinds.identityRequest, sequence: 0, payload: new Uint8Array() },
    {
      limit: bitsOf(64) + patience,
    },
  );
  if (who.kind !== frameKinds.identity) throw wrong("did not tell its identity");
  if (parseIdentity(who.payload).planDigest !== task.planDigest) throw wrong("names another plan");

  const count = Math.min(task.rows, vectors.length);
  for (let each = 0; each < count; each++) {
    const index = Math.floor((each * vectors.length) / count);
    const row = vectors[index] ?? new Int8Array(core.inputBytes);
    const payload = new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
    const answer = ask(
      line,
      { kind: frameKinds.infer, sequence: (each + 1) & 0xff, payload },
      {
        limit: bitsOf(core.inputBytes + core.outputBytes) + core.latencyCycles + patience,
      },
    );
    if (answer.kind !== frameKinds.result) throw wrong(`answered vector ${index} with an error`);
    const { output, cycles } = parseResult(answer.payload, core.outputBytes);
    const expected = outputs.subarray(index * core.outputBytes, (index + 1) * core.outputBytes);
    if (Buffer.compare(output, expected) !== 0)
      throw wrong(`answers vector ${index} otherwise than its core`);
    if (cycles !== core.latencyCycles) throw wrong(`counts ${cycles} cycles for vector ${index}`);
  }
  return count;
}

function ask(line: UartLine, request: Frame, { limit }: { readonly limit: number }): Frame {
  line.send(encodeFrame(request));
  const [answer] = new FrameDecoder().push(line.receiveUntil(0, limit));
  if (answer?.sequence !== request.sequence) throw wrong("answers with a broken frame");
  return answer;
}

const wrong = (what: string) =>
  fail("VERIFICATION_FAILED", `The simulated shell ${what}.`, {
    details: { node: "shell" },
  });
