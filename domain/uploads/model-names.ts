import type { Scope } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { uploadsBucket } from "@/lib/server/storage";

/** What a file was called that was uploaded; absent of any other. */
export interface ModelNamed {
  readonly modelName?: string;
}

/** Adds what the file was called to all that speak of an upload: the upload's own address has its digest for a name. */
export async function withModelNames<Item extends { readonly modelUrl: string }>(
  scope: Scope,
  items: readonly Item[],
): Promise<(Item & ModelNamed)[]> {
  const names = await modelNames(
    scope,
    items.map(({ modelUrl }) => modelUrl),
  );
  return items.map((item) => {
    const modelName = names.get(item.modelUrl);
    return modelName === undefined ? item : { ...item, modelName };
  });
}

async function modelNames(
  scope: Scope,
  urls: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const folder = `s3://${uploadsBucket(scope)}/`;
  const uploads = [...new Set(urls.filter((url) => url.startsWith(folder)))];
  if (uploads.length === 0) return new Map();
  const rows = await database().model.findMany({
    where: { projectId: scope, url: { in: uploads } },
    select: { url: true, name: true },
  });
  return new Map(rows.map(({ url, name }) => [url, name]));
}
