import { z } from "zod";
import type { FileRole } from "./artifacts";

/** Names of the members of an artifact's archive. Each file lies under its role, of which an artifact has one each. */
export const archiveMembers = {
  /** Canonical JSON: its digest is the artifact's. */
  manifest: "manifest.json",
  /** `Signature` as JSON. */
  signature: "signature.json",
  /** The public half of the key that signed, as JSON. */
  key: "key.json",
  file: (role: FileRole) => `files/${role}`,
} as const;

export const archiveKeySchema = z.strictObject({ keyId: z.string(), publicKey: z.string() });

/** Answer of an import. */
export const importedArtifactSchema = z.object({
  digest: z.string(),
  /** Where the archive lies: `model.url` of a deploy with the engine `prebuilt`. */
  url: z.string(),
  /** The build that judged and stored it. */
  buildId: z.string(),
});
export type ImportedArtifact = z.infer<typeof importedArtifactSchema>;
