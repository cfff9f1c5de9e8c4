import { type AppError, fail } from "@/lib/common/errors";

/** Exit status of a session's process that held more memory than it may. */
export const memoryStatus = 9;

const mebibyte = 2 ** 20;

/** What a caller is told whose request made the model hold too much. */
export function slotMemory(limitBytes: number): AppError {
  const limit = Math.round(limitBytes / mebibyte);
  return fail("SLOT_MEMORY", `The model needs more than the ${limit} MiB that a slot may hold.`, {
    hint: "Send fewer rows at a time, or set BOARD_SERVER_CPU_MEMORY_MB higher on the board server.",
  });
}
