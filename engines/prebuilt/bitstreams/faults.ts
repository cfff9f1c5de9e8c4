import { type AppError, fail } from "@/lib/common/errors";

/** A file that ends before what it announces. */
export function truncated(what: string): AppError {
  return fail("FIRMWARE_TRUNCATED", `The bitstream is cut off: ${what}.`, {
    hint: "It is likely an incomplete download: compare its size with the source.",
  });
}

/** A file that contradicts itself. */
export function invalid(what: string): AppError {
  return fail("FIRMWARE_INVALID", `The bitstream cannot be right: ${what}.`, {
    hint: "It is likely damaged: make it again, or compare its digest with the source.",
  });
}
