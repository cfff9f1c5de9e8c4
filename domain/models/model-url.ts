import { parseSourceUrl, type SourcePolicy } from "@/domain/sources";
import { fail } from "@/lib/common/errors";
import { parseStoreUrl } from "@/lib/server/storage";

/**
 * Refuses model URLs that could never be fetched, before anything is stored; what needs the network is the worker's to
 * find out.
 *
 * @throws {AppError} `URL_NOT_ALLOWED`, with the same words whatever listens there.
 */
export function checkModelUrl(
  text: string,
  {
    projectId,
    field,
    ...policy
  }: SourcePolicy & { readonly projectId: string; readonly field: string },
): void {
  if (!text.startsWith("s3://")) parseSourceUrl(text, policy, field);
  else if (!parseStoreUrl(text, projectId))
    throw fail("URL_NOT_ALLOWED", "This bucket is not one that models are read from.", {
      field,
      hint: "Upload the file, or use s3://boardwalk-samples/….",
    });
}
