import type { ServedRevision } from "../core/route-table";

/** What this server can do beyond the core protocol: nothing is listed that is not there. */
export const extensions = ["binary_tensor_data", "parameters"] as const;

export function serverMetadata(version: string) {
  return { name: "boardwalk", version, extensions };
}

export function modelMetadata(
  name: string,
  { platform, inputs, outputs, properties }: ServedRevision,
  versions: readonly string[],
) {
  return { name, versions, platform, inputs, outputs, properties };
}
