import { queryOptions } from "@tanstack/react-query";
import type { useTranslations } from "next-intl";
import { getJson } from "@/lib/common/api-client";
import { artifactSchema, canonicalJson, type FileRole, type Manifest } from "@/lib/common/contract";
import { sha256Of } from "./fetch-verified";
import type { FileToFetch } from "./messages";
import { Problem } from "./problem";
import { problemInWords } from "./problem-in-words";

/**
 * The manifest that a digest names, held against that digest: with it the digests of all files hold.
 *
 * @param t Says what is wrong where they differ or cannot be compared.
 */
export const manifestQuery = (digest: string, t: ReturnType<typeof useTranslations<"simulate">>) =>
  queryOptions({
    // The words of an error are no part of what is asked.
    queryKey: ["artifacts", digest, "manifest"],
    queryFn: ({ signal }) =>
      readManifest(digest, signal).catch((error) => {
        throw problemInWords(error, t);
      }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** @throws {Problem} `ARTIFACT_MISMATCH` */
async function readManifest(digest: string, signal: AbortSignal): Promise<Manifest> {
  const url = `/api/v1/artifacts/${encodeURIComponent(digest)}`;
  const { manifest } = await getJson(url, artifactSchema, { signal });
  const bytes = new TextEncoder().encode(canonicalJson(manifest));
  if ((await sha256Of(bytes)) === digest) return manifest;
  throw new Problem("otherManifest");
}

/** The file of a role, or null where the artifact has none. */
export function findFile(digest: string, manifest: Manifest, role: FileRole): FileToFetch | null {
  const file = manifest.files.find((each) => each.role === role);
  if (!file) return null;
  return { url: `/api/v1/artifacts/${encodeURIComponent(digest)}/files/${role}`, file };
}
