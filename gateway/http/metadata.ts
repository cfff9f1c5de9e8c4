import type { ServedRevision } from "../core";

export function modelMetadata(
  name: string,
  { platform, inputs, outputs, properties }: ServedRevision,
  versions: readonly string[],
) {
  return { name, versions, platform, inputs, outputs, properties };
}
