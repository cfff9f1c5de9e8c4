import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  type FrameKind,
  frameErrors,
  frameKinds,
  parseIdentity,
  parseResult,
  type ResultPayload,
} from "@/boards/links/uart";
import { fail } from "@/lib/common/errors";
import type { UartLine } from "@/simulator/run";

/** Times a request is put on the line before the link counts as broken. */
const maxTries = 4;
/** Bytes of header, CRC, COBS and delimiter around a payload, rounded up. */
const framingBytes = 16;
const bitsPerByte = 10;

export interface ShellOptions {
  readonly clocksPerBit: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly latencyCycles: number;
  readonly corruptEvery: number | null;
}

/** A conversation with a shell over a serial line: one request, one answer, repeated where the line garbled either. */
export class ShellSession {
  private readonly line: UartLine;
  private readonly options: ShellOptions;
  private readonly decoder: FrameDecoder;
  private sequence = 0;
  private framesSent = 0;

  constructor(line: UartLine, options: ShellOptions) {
    this.line = line;
    this.options = options;
    this.decoder = new FrameDecoder(Math.max(64, options.outputBytes + 4));
  }

  /**
   * Asks the design what it is.
   * @throws {AppError} `DEVICE_MISMATCH` when it is not the design of that plan.
   */
  identify(planDigest: string): void {
    const { inputBytes, outputBytes } = this.options;
    const payload = this.ask(frameKinds.identityRequest, new Uint8Array(0), frameKinds.identity);
    const identity = parseIdentity(payload);
    const { core } = identity;
    if (
      identity.planDigest !== planDigest ||
      core.inputBytes !== inputBytes ||
      core.outputBytes !== outputBytes
    ) {
      throw fail("DEVICE_MISMATCH", "The board runs another design than the one that was loaded.");
    }
  }

  /** Sends one row through the core. @throws {AppError} `LINK_FAILED` */
  infer(row: Uint8Array): ResultPayload {
    const payload = this.ask(frameKinds.infer, row, frameKinds.result);
    return parseResult(payload, this.options.outputBytes);
  }

  private ask(kind: FrameKind, payload: Uint8Array, wanted: FrameKind): Uint8Array {
    this.sequence = (this.sequence + 1) % 256;
    const frame = encodeFrame({ kind, sequence: this.sequence, payload });
    for (let tries = 1; tries <= maxTries; tries++) {
      this.line.send(this.onTheLine(frame));
      const answer = this.awaitAnswer(this.sequence);
      if (answer === null) continue;
      if (answer.kind === wanted) return answer.payload;
      const why = frameErrors[answer.payload[0] ?? 0] ?? "it gave no reason";
      throw fail("LINK_FAILED", `The board refused a request: ${why}.`);
    }
    throw fail("LINK_FAILED", `The board did not answer ${maxTries} times.`);
  }

  /** The answer to a request, or null when none came in time. Answers to older requests are passed over. */
  private awaitAnswer(sequence: number): Frame | null {
    const { clocksPerBit, outputBytes, latencyCycles } = this.options;
    const onTheWire = (outputBytes + 64 + framingBytes) * bitsPerByte * clocksPerBit;
    try {
      for (;;) {
        const bytes = this.line.receiveUntil(0, 2 * (latencyCycles + onTheWire));
        const answer = this.decoder.push(bytes).find((frame) => frame.sequence === sequence);
        if (answer) return answer;
      }
    } catch {
      this.line.flush();
      this.decoder.reset();
      return null;
    }
  }

  private onTheLine(frame: Uint8Array): Uint8Array {
    const { corruptEvery } = this.options;
    if (corruptEvery === null || ++this.framesSent % corruptEvery !== 0) return frame;
    // The lowest bit of a byte in the middle; a byte that would become the delimiter gets the next bit.
    const garbled = frame.slice();
    const at = Math.floor(garbled.length / 2);
    const byte = garbled[at] ?? 0;
    garbled[at] = byte === 1 ? 3 : byte ^ 1;
    return garbled;
  }
}
