import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { fail } from "@/lib/common/errors";
import { findOnPath } from "@/lib/server/process";

/** A device that nobody else who asks may have, neither another process nor another board of this one. */
export interface LineLock {
  /** Whether the path still leads to the device that is held: another may have been plugged in since. */
  isOn(path: string): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes a serial line by the lock of the device itself, whatever it was named by. The kernel keeps it as long as the
 * descriptor lives, so that a process that was killed leaves none behind; terminal programs that use it keep out, too.
 *
 * @throws {AppError} `DEVICE_BUSY`, `LINK_FAILED`, `TOOL_MISSING`
 * @see flock(1): given the number of a descriptor, it locks what both processes share, and ends.
 */
export async function lockLine(path: string): Promise<LineLock> {
  const flock = findOnPath("flock");
  if (flock === null) {
    throw fail("TOOL_MISSING", "flock, which takes serial lines exclusively, is not on PATH.", {
      hint: "Install flock (util-linux) on the host of the board.",
    });
  }
  const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;
  const file = await open(path, O_RDWR | O_NOCTTY | O_NONBLOCK).catch(
    (cause: NodeJS.ErrnoException) => {
      // A terminal may be closed to others by TIOCEXCL.
      if (cause.code === "EBUSY") throw busy(path);
      throw fail("LINK_FAILED", `The serial port ${path} cannot be opened.`, {
        hint: "The user of the board server must be allowed to open it: group dialout.",
        cause,
      });
    },
  );
  try {
    const helper = spawn(flock, ["-x", "-n", "3"], {
      stdio: ["ignore", "ignore", "ignore", file.fd],
    });
    const [status]: unknown[] = await once(helper, "exit");
    if (status !== 0) throw busy(path);
    return await heldBy(file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function heldBy(file: FileHandle): Promise<LineLock> {
  const { dev, ino, rdev } = await file.stat();
  return {
    async isOn(path) {
      const now = await stat(path).catch(() => null);
      return now?.dev === dev && now.ino === ino && now.rdev === rdev;
    },
    release: () => file.close(),
  };
}

const busy = (path: string) =>
  fail("DEVICE_BUSY", `The serial port ${path} is in use by another program or another board.`, {
    hint: `\`fuser -v ${path}\` on the host of the board shows by which; end it, or give the other board up.`,
  });
