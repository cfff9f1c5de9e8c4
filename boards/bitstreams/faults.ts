import { type AppError, fail } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";

/** Words that may have come from the file. */
const shown = (what: string): string => showText(cutText(what, 300));

/** A file that ends before what it announces. */
export function truncated(what: string): AppError {
  return fail("FIRMWARE_TRUNCATED", `The bitstream is cut off: ${shown(what)}.`, {
    hint: "It is likely an incomplete download: compare its size with the source.",
  });
}

/** A file that contradicts itself. */
export function invalid(what: string): AppError {
  return fail("FIRMWARE_INVALID", `The bitstream cannot be right: ${shown(what)}.`, {
    hint: "It is likely damaged: make it again, or compare its digest with the source.",
  });
}
