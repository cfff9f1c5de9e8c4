import { constants, existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ReadStream } from "node:tty";
import { fail } from "@/lib/common/errors";
import { findOnPath, runChild } from "@/lib/server/process";

/** An open serial line: bytes both ways, eight bits, no parity, no flow control. */
export interface SerialPort {
  write(bytes: Uint8Array): Promise<void>;
  onData(listener: (bytes: Uint8Array) => void): void;
  /** The line is gone: the cable was pulled, or the port was closed. */
  onClose(listener: () => void): void;
  close(): Promise<void>;
}

const busyMs = 1;
const settings = "raw -echo -echoe -echok -hupcl clocal cread cs8 -parenb -cstopb -crtscts".split(
  " ",
);

/** @throws {AppError} `LINK_FAILED` when there is no such port or it cannot be set. */
export async function openSerialPort(path: string, baud: number): Promise<SerialPort> {
  if (!existsSync(path)) {
    throw fail("LINK_FAILED", `There is no serial port ${path}.`, {
      hint: "Is the board plugged in? `ls /dev/serial/by-id` shows those there are.",
    });
  }
  await setLine(path, baud);
  const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;
  let file: FileHandle;
  let input: ReadStream;
  try {
    file = await open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    input = new ReadStream(file.fd);
  } catch (cause) {
    throw fail("LINK_FAILED", `The serial port ${path} cannot be opened.`, { cause });
  }
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
  return {
    async write(bytes) {
      let rest = bytes;
      while (rest.length > 0 && !closed) {
        const written = await file.write(rest).catch((error: NodeJS.ErrnoException) => {
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
      // The stream has closed the descriptor; the handle may not know.
      await file.close().catch(() => {});
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
