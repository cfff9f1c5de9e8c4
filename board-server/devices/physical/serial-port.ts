import { closeSync, constants, existsSync, openSync, write } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ReadStream } from "node:tty";
import { promisify } from "node:util";
import { fail } from "@/lib/common/errors";
import { findOnPath, runChild } from "@/lib/server/process";
import { type LineLock, lockLine } from "./line-lock";

/** An open serial line, which is nobody else's while it is: bytes both ways, eight bits, no parity, no flow control. */
export interface SerialPort {
  /** Whether it is open, and its path still leads to it. */
  isCurrent(): Promise<boolean>;
  write(bytes: Uint8Array): Promise<void>;
  onData(listener: (bytes: Uint8Array) => void): void;
  /** The line is gone: the cable was pulled, or the port was closed. */
  onClose(listener: () => void): void;
  close(): Promise<void>;
}

const writeTo = promisify(write);
const busyMs = 1;
const settings = "raw -echo -echoe -echok -hupcl clocal cread cs8 -parenb -cstopb -crtscts".split(
  " ",
);

/** @throws {AppError} `LINK_FAILED` when there is no such port or it cannot be set, `DEVICE_BUSY` when another has it. */
export async function openSerialPort(path: string, baud: number): Promise<SerialPort> {
  if (!existsSync(path)) {
    throw fail("LINK_FAILED", `There is no serial port ${path}.`, {
      hint: "Is the board plugged in? `ls /dev/serial/by-id` shows those there are.",
    });
  }
  const lock = await lockLine(path);
  try {
    await setLine(path, baud);
    return await openLocked(path, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(path: string, lock: LineLock): Promise<SerialPort> {
  const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;
  let descriptor: number | null = null;
  let input: ReadStream;
  try {
    // Not a file handle: the stream closes the descriptor, and nobody else may, for its number is soon another's.
    descriptor = openSync(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    input = new ReadStream(descriptor);
  } catch (cause) {
    if (descriptor !== null) closeSync(descriptor);
    throw fail("LINK_FAILED", `The serial port ${path} cannot be opened.`, { cause });
  }
  const line = descriptor;
  const released = new Promise((resolve) => input.once("close", resolve)).then(() =>
    lock.release(),
  );
  let closed = false;
  const listeners: (() => void)[] = [];
  const shut = () => {
    if (closed) return;
    closed = true;
    input.destroy();
    for (const listener of listeners) listener();
  };
  input.on("error", shut);
  input.on("end", shut);
  input.on("close", shut);
  if (!(await lock.isOn(path))) {
    shut();
    await released;
    throw fail("LINK_FAILED", `Another device has come to the serial port ${path}.`);
  }
  return {
    isCurrent: async () => !closed && (await lock.isOn(path)),
    async write(bytes) {
      let rest = bytes;
      while (rest.length > 0 && !closed) {
        const written = await writeTo(line, rest).catch((error: NodeJS.ErrnoException) => {
          if (error.code === "EAGAIN") return { bytesWritten: 0 };
          shut();
          throw fail("LINK_FAILED", `The serial port ${path} cannot be written.`, { cause: error });
        });
        rest = rest.subarray(written.bytesWritten);
        if (rest.length > 0) await sleep(busyMs);
      }
    },
    onData: (listener) => {
      input.on("data", (chunk: Buffer) => listener(chunk));
    },
    onClose: (listener) => {
      listeners.push(listener);
    },
    async close() {
      shut();
      await released;
    },
  };
}

async function setLine(path: string, baud: number): Promise<void> {
  const stty = findOnPath("stty");
  if (stty === null) throw fail("TOOL_MISSING", "stty, which sets serial lines, is not on PATH.");
  const which = process.platform === "darwin" ? "-f" : "-F";
  let output = "";
  const { exitCode } = await runChild({
    argv: [stty, which, path, String(baud), ...settings],
    cwd: "/",
    env: { LANG: "C.UTF-8" },
    wallMs: 10_000,
    onOutput: (_, bytes) => {
      output += bytes.toString().slice(0, 1000);
    },
  });
  if (exitCode !== 0) {
    throw fail("LINK_FAILED", `The serial port ${path} takes no ${baud} baud: ${output.trim()}`);
  }
}
