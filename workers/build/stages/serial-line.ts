import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  frameKinds,
  parseIdentity,
  parseResult,
} from "@/boards/links/uart";
import type { Manifest, ProofLevel } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { createUartLine, loadSimulation, type UartLine } from "@/simulator/run";
import { readProduct } from "../tools/products";

/** A simulated design that answers on a serial line. */
export interface SerialLineTask {
  readonly level: Exclude<ProofLevel, "rtl">;
  readonly work: string;
  readonly simulation: string;
  readonly clocksPerBit: number;
  /** Cycles in which a design without a reset port wakes up by itself. */
  readonly powerOnCycles: number;
  /** What its identity frame must say: the plan that it was made from. */
  readonly planDigest: string;
  readonly core: NonNullable<Manifest["core"]>;
  readonly vectors: readonly Int8Array[];
  /** What the integer graph answers to the vectors, one after the other. */
  readonly outputs: Uint8Array;
  readonly rows: {
    readonly most: number;
    /** These go through however long they take; the rest while there is time. */
    readonly least: number;
    readonly withinMs: number;
  };
}

/** Clock cycles a frame may take beyond its own bits. */
const patience = 1_000_000;
/** The first vectors of a plan: all zero, all minimum, all maximum. */
const extremes = 3;
/** Steps of this share of a list fall evenly on it, whenever one stops: the golden ratio's fraction. */
const evenly = 0.618033988749895;

/**
 * Asks a design who it is and sends rows through it: the extremes, then others spread over all vectors.
 *
 * @returns How many rows it answered right.
 * @throws {AppError} `VERIFICATION_FAILED`
 */
export function proveLine(task: SerialLineTask): number {
  const { work, core, vectors, outputs, level, rows } = task;
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

  const started = performance.now();
  const chosen = spread(vectors.length).slice(0, rows.most);
  let answered = 0;
  for (const index of chosen) {
    if (answered >= rows.least && performance.now() - started > rows.withinMs) break;
    const row = vectors[index] ?? new Int8Array(core.inputBytes);
    const payload = new Uint8Array(row.buffer, row.byteOffset, row.byteLength);
    const answer = ask(
      { kind: frameKinds.infer, sequence: (answered + 1) & 0xff, payload },
      bitsOf(core.inputBytes + core.outputBytes) + core.latencyCycles + patience,
    );
    if (answer.kind !== frameKinds.result) throw wrong(`answers vector ${index} with an error`);
    const { output, cycles } = parseResult(answer.payload, core.outputBytes);
    const expected = outputs.subarray(index * core.outputBytes, (index + 1) * core.outputBytes);
    if (Buffer.compare(output, expected) !== 0)
      throw wrong(`answers vector ${index} otherwise than the integer graph`);
    if (cycles !== core.latencyCycles)
      throw wrong(
        `counts ${cycles} cycles for vector ${index}, its schedule ${core.latencyCycles}`,
      );
    answered += 1;
  }
  return answered;
}

/** Every index below `count` that is visited, none twice: the extremes, then the rest evenly. */
function spread(count: number): number[] {
  const rest = count - extremes;
  const others = Array.from(
    { length: Math.max(0, rest) },
    (_, step) => extremes + Math.floor(((step * evenly) % 1) * rest),
  );
  return [...new Set([0, 1, 2, ...others])].filter((index) => index < count);
}

type Wrong = (what: string) => Error;

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

const subjects = {
  shell: "simulated shell",
  netlist: "synthesised netlist",
  bitstream: "design that was read back from the bitstream",
} as const;

const wrongAt =
  (level: SerialLineTask["level"]): Wrong =>
  (what) =>
    fail("VERIFICATION_FAILED", `The ${subjects[level]} ${what}.`, {
      hint: "This is a fault of the compiler or of a tool, not of the model. Please report it.",
      details: { level, node: level },
    });
