import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  type FrameKind,
  frameKinds,
  parseResult,
  type ResultPayload,
} from "@/boards/links/uart";
import type { UartLine } from "@/simulator/run";
import { checkIdentity, lineBits, maxTries, payloadOf, silence } from "../shell-protocol";

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
    const payload = this.ask(frameKinds.identityRequest, new Uint8Array(0), frameKinds.identity);
    checkIdentity(payload, planDigest, this.options);
  }

  /** Sends one row through the core. @throws {AppError} `LINK_FAILED` */
  infer(row: Uint8Array): ResultPayload {
    const payload = this.ask(frameKinds.infer, row, frameKinds.result);
    return parseResult(payload, this.options.outputBytes);
  }

  /** Puts bytes on the line as they are; answers what the design says to them until it is silent. */
  speak(bytes: Uint8Array): Uint8Array {
    const { clocksPerBit, outputBytes, latencyCycles } = this.options;
    this.line.flush();
    this.line.send(bytes);
    const said: Uint8Array[] = [];
    const quietCycles = 2 * (latencyCycles + lineBits(0) * clocksPerBit);
    const mostPieces = 2 + Math.ceil(bytes.length / 4) * (1 + Math.ceil(outputBytes / 64));
    for (let piece = 0; piece < mostPieces; piece++) {
      this.line.idle(quietCycles);
      const taken = this.line.take();
      if (taken.length === 0 && piece > 0) break;
      said.push(taken);
    }
    return new Uint8Array(Buffer.concat(said));
  }

  private ask(kind: FrameKind, payload: Uint8Array, wanted: FrameKind): Uint8Array {
    // What was said to bytes of others is no answer to this.
    this.line.flush();
    this.sequence = (this.sequence + 1) % 256;
    const frame = encodeFrame({ kind, sequence: this.sequence, payload });
    for (let tries = 1; tries <= maxTries; tries++) {
      this.line.send(this.onTheLine(frame));
      const answer = this.awaitAnswer(this.sequence);
      if (answer !== null) return payloadOf(answer, wanted);
    }
    throw silence();
  }

  /** The answer to a request, or null when none came in time. Answers to older requests are passed over. */
  private awaitAnswer(sequence: number): Frame | null {
    const { clocksPerBit, outputBytes, latencyCycles } = this.options;
    const onTheWire = lineBits(outputBytes) * clocksPerBit;
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
