import { fail } from "@/lib/common/errors";

/** @throws {AppError} `OPTION_INVALID` for lanes, which trees do not have. */
export function refuseTreeLanes(lanes: number | null | undefined): void {
  if (typeof lanes !== "number") return;
  throw fail("OPTION_INVALID", "Trees have no lanes: all of them work side by side.", {
    field: "options.lanes",
    hint: "Leave the number of lanes out.",
  });
}
