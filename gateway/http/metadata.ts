import type { ServedRevision } from "../core";

/** The answer to `GET /v2/models/<name>`. */
export function modelMetadata(
  name: string,
  { platform, inputs, outputs, properties }: ServedRevision,
  versions: readonly string[],
) {
  return { name, versions, platform, inputs, outputs, properties };
}
