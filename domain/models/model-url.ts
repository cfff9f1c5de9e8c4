import {
  checkAddress,
  type ModelSources,
  parseSourceUrl,
  parseStoreAddress,
  placeOf,
  refuseUnconnected,
} from "@/domain/sources";

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
    sources,
  }: {
    readonly projectId: string;
    readonly field: string;
    readonly sources: ModelSources;
  },
): void {
  const theirs = placeOf(text, sources.ofProject ?? []);
  if (theirs) {
    checkAddress(text, theirs, { field, policy: sources });
    return;
  }
  refuseUnconnected(text, field);
  if (/^s3:/i.test(text)) {
    parseStoreAddress(text, { projectId, connections: sources.connections, field });
  } else parseSourceUrl(text, sources, field);
}
