import { fail } from "@/lib/common/errors";
import type { HostFiles } from "./host-files";

/** A clock that is faster than what the design was routed for makes wrong answers. */
const mostOver = 1.005;

/**
 * Sets the clock of the fabric.
 *
 * @param file Takes and tells a frequency in hertz.
 * @returns What it really runs at.
 * @throws {AppError} `DEVICE_FAILED` when it is faster than the design may be.
 * @see AMD, Controlling FCLKs in Linux: `set_rate`; and the driver fclkcfg: `rate`.
 */
export async function setClock(files: HostFiles, file: string, hz: number): Promise<number> {
  let actual: number;
  try {
    await files.write(file, String(hz));
    actual = Number.parseInt(await files.read(file), 10);
  } catch (cause) {
    throw fail("DEVICE_FAILED", `The clock of the fabric cannot be set by ${file}.`, {
      hint: "Is its driver loaded, and may the user of the board server write it?",
      cause,
    });
  }
  if (actual > 0 && actual <= hz * mostOver) return actual;
  throw fail(
    "DEVICE_FAILED",
    `The clock of the fabric is at ${actual} Hz, and the design may have ${hz} Hz at most.`,
    { hint: "Build for a clock that the processor can make." },
  );
}
