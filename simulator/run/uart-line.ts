import { fail } from "@/lib/common/errors";
import type { Simulation } from "./simulation";

export interface UartOptions {
  /** Clock cycles per bit: `clockHz / baud`, rounded as the design rounds it. */
  readonly clocksPerBit: number;
  /** Port the design listens on. */
  readonly receive?: string;
  /** Port the design talks on. */
  readonly transmit?: string;
  /** Port that holds the design still while it is 1; null for a design that resets itself. */
  readonly reset?: string | null;
}

/** A serial line to a simulated design: 8 data bits, no parity, one stop bit, both directions at once. */
export interface UartLine {
  /** Puts bytes on the line one after the other; what the design says meanwhile is kept for `receiveUntil`. */
  send(bytes: Uint8Array): void;
  /**
   * Takes bytes from the line up to and with the first `delimiter`.
   * @throws {AppError} `LINK_FAILED` when none came within `limit` clock cycles; what came so far is dropped.
   */
  receiveUntil(delimiter: number, limit: number): Uint8Array;
  /** Takes what was received so far; bytes that are under way come later. */
  take(): Uint8Array;
  /** Lets time pass with the line idle. */
  idle(cycles: number): void;
  /** Drops what was received and not taken. */
  flush(): void;
}

/** The design's byte being sampled: which bit comes next, and in how many cycles. */
interface Reception {
  bit: number;
  wait: number;
  value: number;
}

const bitsPerFrame = 10;

/** Clock cycles that the reset is held: the least a board's own power-on reset gives. */
const resetCycles = 4;

/**
 * Connects a line to the `rx` and `tx` of a simulated design, then powers it on: reset held, line idle. While the line
 * is idle, the design runs inside one call up to the next start bit; a byte costs ten calls.
 */
export function createUartLine(simulation: Simulation, options: UartOptions): UartLine {
  const { clocksPerBit, receive = "rx", transmit = "tx", reset = "rst" } = options;
  if (!Number.isInteger(clocksPerBit) || clocksPerBit < 2) {
    throw fail("OPTION_INVALID", `${clocksPerBit} clock cycles per bit are not at least 2.`);
  }
  let received: number[] = [];
  let reception: Reception | undefined;

  /** Runs up to `cycles`, watching `tx`; answers the cycles run. */
  const advance = (cycles: number): number => {
    if (!reception) {
      const ran = simulation.stepWhile(transmit, cycles);
      if (simulation.get(transmit) === 0) {
        reception = { bit: 0, wait: Math.floor(clocksPerBit / 2), value: 0 };
      }
      return ran;
    }
    const ran = Math.min(cycles, reception.wait);
    simulation.step(ran);
    reception.wait -= ran;
    if (reception.wait === 0) sample(reception);
    return ran;
  };

  const sample = (current: Reception): void => {
    const level = simulation.get(transmit);
    const isGlitch = current.bit === 0 && level === 1;
    const isStop = current.bit === bitsPerFrame - 1;
    if (isStop && level === 1) received.push(current.value);
    if (isGlitch || isStop) {
      reception = undefined;
      return;
    }
    if (current.bit > 0) current.value |= level << (current.bit - 1);
    current.bit += 1;
    current.wait = clocksPerBit;
  };

  const run = (cycles: number): void => {
    for (let left = cycles; left > 0; ) left -= advance(left);
  };

  simulation.set(receive, 1);
  if (reset !== null) {
    simulation.set(reset, 1);
    simulation.step(resetCycles);
    simulation.set(reset, 0);
  }
  simulation.eval();

  return {
    send(bytes) {
      for (const byte of bytes) {
        const frame = (byte << 1) | (1 << (bitsPerFrame - 1));
        for (let bit = 0; bit < bitsPerFrame; bit++) {
          simulation.set(receive, (frame >> bit) & 1);
          run(clocksPerBit);
        }
      }
    },
    receiveUntil(delimiter, limit) {
      let left = limit;
      for (let seen = 0; ; ) {
        const end = received.indexOf(delimiter, seen);
        if (end >= 0) {
          const taken = received.slice(0, end + 1);
          received = received.slice(end + 1);
          return Uint8Array.from(taken);
        }
        seen = received.length;
        if (left <= 0) {
          received = [];
          throw fail("LINK_FAILED", `The design sent no complete frame within ${limit} cycles.`);
        }
        left -= advance(left);
      }
    },
    take() {
      const taken = Uint8Array.from(received);
      received = [];
      return taken;
    },
    idle: run,
    flush() {
      received = [];
    },
  };
}
