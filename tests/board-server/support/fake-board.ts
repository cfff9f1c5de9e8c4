import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { createUartLine, loadSimulation, type UartLine } from "@/simulator/run";

/** A board that is none: a pseudo-terminal whose other end is the simulated design with its whole serial shell. */
export interface FakeBoard {
  /** Where its line can be opened. */
  readonly serialPort: string;
  /** The program that loads it. */
  readonly programmer: string;
  /** How often it was programmed. */
  calls(): string[];
  /** Pulls the cable; what was loaded is forgotten, as of a part without flash. */
  unplug(): void;
  plugIn(): Promise<void>;
  /** Loses its supply for a moment: the line stays, the design is gone. */
  brownOut(): void;
  /** Another device answers on its line, or itself again. */
  impersonate(other: ((bytes: Uint8Array) => Uint8Array) | null): void;
  /** Bytes that came over the line and went back on it. */
  readonly traffic: { in: number; out: number };
}

const maxCycles = 2_000_000;

/** Makes a board in a folder of its own. @param simulation The shell's module; null: the board stays silent. */
export async function makeFakeBoard(
  folder: string,
  {
    simulation,
    clocksPerBit,
  }: { readonly simulation: () => Uint8Array | null; readonly clocksPerBit: number },
): Promise<FakeBoard> {
  const serialPort = join(folder, "tty");
  const programmer = join(folder, "fake-programmer");
  symlinkSync(resolve("tests/board-server/support/fake-programmer.sh"), programmer);
  const flash = join(folder, "flash");
  const traffic = { in: 0, out: 0 };
  let bridge: ChildProcess | null = null;
  let line: UartLine | null = null;
  let impostor: ((bytes: Uint8Array) => Uint8Array) | null = null;

  /** Runs only what was loaded. */
  const answer = (bytes: Buffer): Uint8Array => {
    if (impostor) return impostor(bytes);
    const design = simulation();
    if (design === null || !existsSync(flash) || readFileSync(flash).length === 0) {
      line = null;
      return new Uint8Array();
    }
    line ??= createUartLine(loadSimulation(design), { clocksPerBit });
    line.send(bytes);
    try {
      return bytes.includes(0) ? line.receiveUntil(0, maxCycles) : new Uint8Array();
    } catch {
      return new Uint8Array();
    }
  };

  const plugIn = async (): Promise<void> => {
    const child = spawn("python3", [resolve("tests/support/pty-bridge.py"), serialPort], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    bridge = child;
    child.stdout.on("data", (bytes: Buffer) => {
      traffic.in += bytes.length;
      const said = answer(bytes);
      traffic.out += said.length;
      if (said.length > 0) child.stdin.write(said);
    });
    child.stdin.on("error", () => {});
    await once(child.stderr, "data");
  };
  await plugIn();

  return {
    serialPort,
    programmer,
    traffic,
    calls: () => {
      const file = join(folder, "calls");
      return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    },
    unplug() {
      bridge?.kill("SIGKILL");
      bridge = null;
      line = null;
      rmSync(flash, { force: true });
      rmSync(serialPort, { force: true });
    },
    plugIn,
    brownOut() {
      line = null;
      rmSync(flash, { force: true });
    },
    impersonate(other) {
      impostor = other;
    },
  };
}
