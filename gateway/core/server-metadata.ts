/** What this server can do beyond the core protocol: nothing is listed that is not there. */
const extensions = [
  "binary_tensor_data",
  "classification",
  "model_configuration",
  "model_repository",
  "parameters",
  "schedule_policy",
  "statistics",
] as const;

/** The answer to `GET /v2`: name, version, and the extensions of the protocol that are there. */
export function serverMetadata(version: string) {
  return { name: "boardwalk", version, extensions: [...extensions] };
}
