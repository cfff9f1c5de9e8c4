import { queryOptions } from "@tanstack/react-query";
import { getJson } from "@/lib/common/api-client";
import { artifactSchema, canonicalJson, type FileRole, type Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { sha256Of } from "./fetch-verified";
import type { FileToFetch } from "./messages";

/** The manifest that a digest names, held against that digest: with it the digests of all files hold. */
export const manifestQuery = (digest: string) =>
  queryOptions({
    queryKey: ["artifacts", digest, "manifest"],
    queryFn: async ({ signal }): Promise<Manifest> => {
      const url = `/api/v1/artifacts/${encodeURIComponent(digest)}`;
      const { manifest } = await getJson(url, artifactSchema, { signal });
      const bytes = new TextEncoder().encode(canonicalJson(manifest));
      if ((await sha256Of(bytes)) === digest) return manifest;
      throw fail("ARTIFACT_MISMATCH", "The manifest is not the one that the digest names.", {
        hint: "Reload the page; if it stays so, build the model again.",
      });
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** The file of a role, or null where the artifact has none. */
export function findFile(digest: string, manifest: Manifest, role: FileRole): FileToFetch | null {
  const file = manifest.files.find((each) => each.role === role);
  if (!file) return null;
  return { url: `/api/v1/artifacts/${encodeURIComponent(digest)}/files/${role}`, file };
}
