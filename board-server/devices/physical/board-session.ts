import { setTimeout as sleep } from "node:timers/promises";
import {
  encodeFrame,
  type Frame,
  FrameDecoder,
  type FrameKind,
  frameKinds,
  type Identity,
  parseIdentity,
  parseResult,
  type ResultPayload,
} from "@/boards/links/uart";
import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { checkIdentity, lineBits, maxTries, payloadOf, silence } from "../shell-protocol";
import type { SerialPort } from "./serial-port";

/** What the host and its USB may add. */
const patienceMs = 250;
/** A board that was silent so long has said what it had to say to bytes. */
const silenceMs = 60;
const mostTalkMs = 1000;
/** A line that is plugged in, or whose other end has no design, may give some bytes that nobody sent. */
const strayBytes = 4;

/** The design that must be on the board, and how its line is timed. */
export interface SessionOptions {
  readonly core: NonNullable<Manifest["core"]>;
  readonly planDigest: string;
  readonly clockHz: number;
  readonly baud: number;
}

/** A conversation with a real board over its serial line: one request, one answer, repeated where the line garbled either. */
export class BoardSession {
  private readonly port: SerialPort;
  private readonly options: SessionOptions;
  private readonly decoder: FrameDecoder;
  private isAsking = false;
  private heardAtMs = 0;
  private onFrame: ((frame: Frame) => void) | null = null;
  private sequence = 0;
  /** Bytes that came, but for zeros, which a line that is held low gives. */
  private heardBytes = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** @param onStray Hears what the board says while nothing is asked. */
  constructor(
    port: SerialPort,
    options: SessionOptions,
    onStray: (bytes: Uint8Array) => void = () => {},
  ) {
    this.port = port;
    this.options = options;
    this.decoder = new FrameDecoder(Math.max(64, options.core.outputBytes + 4));
    port.onData((bytes) => {
      this.heardBytes += bytes.reduce((sum, byte) => sum + Math.sign(byte), 0);
      this.heardAtMs = performance.now();
      if (!this.isAsking) {
        onStray(bytes);
        return;
      }
      for (const frame of this.decoder.push(bytes)) this.onFrame?.(frame);
    });
  }

  /**
   * Asks the design what it is.
   * @throws {AppError} `DEVICE_MISMATCH` when it is not the design of the plan, `LINK_FAILED` when nothing answers.
   */
  async identify(): Promise<void> {
    const { core, planDigest } = this.options;
    const payload = await this.ask(
      frameKinds.identityRequest,
      new Uint8Array(0),
      frameKinds.identity,
    );
    checkIdentity(payload, planDigest, core);
  }

  /**
   * Asks whoever is on the line what it is, before anything is done to it.
   *
   * @returns null when nothing speaks there: a board without a design.
   * @throws {AppError} `DEVICE_MISMATCH` when it speaks, but is no Boardwalk design; `LINK_FAILED` when the line is gone.
   */
  async findIdentity(): Promise<Identity | null> {
    const { identityRequest, identity } = frameKinds;
    try {
      return parseIdentity(await this.ask(identityRequest, new Uint8Array(0), identity));
    } catch (cause) {
      if (!(await this.port.isCurrent())) throw cause;
      if (this.heardBytes <= strayBytes) return null;
      throw fail(
        "DEVICE_MISMATCH",
        "A device that is no Boardwalk design speaks on the serial line.",
        {
          hint: "Put the board on this line. If it is the board, with a design of another origin, erase that design.",
          cause,
        },
      );
    }
  }

  /** Sends one row through the core. @throws {AppError} `LINK_FAILED` */
  async infer(row: Uint8Array): Promise<ResultPayload> {
    const payload = await this.ask(frameKinds.infer, row, frameKinds.result);
    return parseResult(payload, this.options.core.outputBytes);
  }

  /** Puts bytes on the line as they are, in their turn; resolves when the board is silent again, or after a second. */
  speak(bytes: Uint8Array): Promise<void> {
    const turn = this.last.then(() => this.speakNow(bytes));
    this.last = turn.catch(() => {});
    return turn;
  }

  private async speakNow(bytes: Uint8Array): Promise<void> {
    await this.port.write(bytes);
    const onTheWireMs = (bytes.length * 10_000) / this.options.baud;
    const sentAtMs = performance.now() + onTheWireMs;
    for (;;) {
      await sleep(10);
      const now = performance.now();
      const quietMs = now - Math.max(sentAtMs, this.heardAtMs);
      if (quietMs > silenceMs || now > sentAtMs + mostTalkMs) return;
    }
  }

  /** One request after the other: the board has one frame buffer. */
  private ask(kind: FrameKind, payload: Uint8Array, wanted: FrameKind): Promise<Uint8Array> {
    const turn = this.last.then(() => this.askNow(kind, payload, wanted));
    this.last = turn.catch(() => {});
    return turn;
  }

  private async askNow(kind: FrameKind, payload: Uint8Array, wanted: FrameKind) {
    this.sequence = (this.sequence + 1) % 256;
    const { sequence } = this;
    const frame = encodeFrame({ kind, sequence, payload });
    this.isAsking = true;
    try {
      for (let tries = 1; tries <= maxTries; tries++) {
        const answer = await this.exchange(frame, sequence);
        if (answer !== null) return payloadOf(answer, wanted);
      }
    } finally {
      this.isAsking = false;
    }
    throw silence();
  }

  /** The answer to a request, or null when none came in time. Answers to older requests are passed over. */
  private async exchange(frame: Uint8Array, sequence: number): Promise<Frame | null> {
    const answered = new Promise<Frame | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), this.limitMs(frame.length));
      this.onFrame = (answer) => {
        if (answer.sequence !== sequence) return;
        clearTimeout(timer);
        resolve(answer);
      };
    });
    await this.port.write(frame);
    const answer = await answered;
    this.onFrame = null;
    if (answer === null) this.decoder.reset();
    return answer;
  }

  private limitMs(requestBytes: number): number {
    const { core, clockHz, baud } = this.options;
    const onTheWireMs = (lineBits(requestBytes + core.outputBytes) * 1000) / baud;
    return patienceMs + 2 * (onTheWireMs + (core.latencyCycles * 1000) / clockHz);
  }
}
