import { unzipSync } from "fflate";
import { fail, isAppError } from "@/lib/common/errors";
import { counted, quoted } from "../../graph/words";
import { limits } from "./limits";

const wanted = ["metadata.json", "config.json", "model.weights.h5"] as const;
export type KerasEntry = (typeof wanted)[number];

/**
 * Expands the three entries of a `.keras` archive into memory; nothing is written, and other entries stay packed.
 *
 * @throws {AppError} `ARCHIVE_REJECTED` for names that leave the archive and for bombs, `ARCHIVE_INVALID`.
 */
export function openKerasArchive(bytes: Uint8Array): Partial<Record<KerasEntry, Uint8Array>> {
  const largest = Math.min(
    limits.entryBytes,
    Math.max(limits.ratioFloorBytes, bytes.length * limits.ratio),
  );
  const seen = new Set<string>();
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        checkName(name, seen);
        if (!isWanted(name)) return false;
        if (originalSize > largest) throw tooLarge(name, largest);
        return true;
      },
    });
  } catch (cause) {
    if (isAppError(cause)) throw cause;
    throw fail("ARCHIVE_INVALID", "The archive cannot be read: it is damaged.", {
      hint: "It is likely an incomplete download: compare its size with the source.",
      cause,
    });
  }
}

const isWanted = (name: string): name is KerasEntry => wanted.some((entry) => entry === name);

function checkName(name: string, seen: Set<string>): void {
  if (/^[/\\]|^[A-Za-z]:|\\|(^|\/)\.\.(\/|$)/.test(name)) {
    throw fail("ARCHIVE_REJECTED", `Archive member ${quoted(name)} leaves the archive's folder.`, {
      hint: "Save the model again. Nothing of the archive was extracted.",
    });
  }
  if (seen.has(name)) {
    throw fail("ARCHIVE_REJECTED", `Archive member ${quoted(name)} is there twice.`);
  }
  seen.add(name);
  if (seen.size > limits.entries) {
    throw fail(
      "ARCHIVE_REJECTED",
      `The archive has more than ${counted(limits.entries, "entry", "entries")}.`,
    );
  }
}

function tooLarge(name: string, largest: number) {
  const limit =
    largest === limits.entryBytes
      ? `${limits.entryBytes / 1024 ** 2} MiB`
      : `${limits.ratio} times the archive's size`;
  return fail(
    "ARCHIVE_REJECTED",
    `Archive member ${quoted(name)} expands beyond the limit of ${limit}.`,
  );
}
