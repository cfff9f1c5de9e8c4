import { fail, isAppError, systemCodeOf } from "@/lib/common/errors";

/** Whether a disk had no room for what the worker itself wrote. Of a tool that writes more than it may, no error of a disk tells. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return [error, error.cause].some((each) =>
    ["ENOSPC", "EDQUOT"].includes(systemCodeOf(each) ?? ""),
  );
}

/** A full disk in the words of a build, with its cause; anything else as it is. */
export function nameFullDisk(error: unknown): unknown {
  if (isAppError(error) || !isDiskFull(error)) return error;
  return fail("NO_SPACE", "The build worker's disk is full.", { cause: error });
}
