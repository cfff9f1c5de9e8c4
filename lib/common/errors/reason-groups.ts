import { type Reason, reasons } from "./reasons";

/** What reasons are about, in the order of the registry. */
export type ReasonGroup =
  | "requests"
  | "names"
  | "source"
  | "file"
  | "firmware"
  | "compiling"
  | "tools"
  | "boards"
  | "serving"
  | "backups";

/** The first reason of each group; the registry keeps those of a group together. */
const firsts: Partial<Record<Reason, ReasonGroup>> = {
  INVALID_JSON: "requests",
  NAME_INVALID: "names",
  URL_NOT_ALLOWED: "source",
  MODEL_EMPTY: "file",
  FIRMWARE_INVALID: "firmware",
  FIXED_POINT_WIDTH: "compiling",
  TOOL_MISSING: "tools",
  NO_BOARD_FREE: "boards",
  MODEL_NOT_FOUND: "serving",
  BACKUP_INVALID: "backups",
};

/** Every reason with what it is about, in the order of the registry. */
export function listReasons(): readonly { readonly reason: Reason; readonly group: ReasonGroup }[] {
  let group: ReasonGroup = "requests";
  // Object.keys knows the keys of a constant as texts alone.
  return (Object.keys(reasons) as Reason[]).map((reason) => {
    group = firsts[reason] ?? group;
    return { reason, group };
  });
}
