import { deleteOrphan, listExpired, listLetGo, listObjectDigests } from "@/domain/artifacts";
import { hexOf } from "@/lib/server/digest";
import { buckets, type ObjectStore } from "@/lib/server/storage";

const page = 500;

/**
 * Deletes objects that no row has named for a day: uploads of attempts that never ended well; and files of models whose rows were
 * deleted, where whoever did that got no further. Answers how many.
 */
export async function sweepObjects(store: ObjectStore): Promise<number> {
  const named = new Set([...(await listObjectDigests())].map(hexOf));
  let deleted = 0;
  for (const bucket of [buckets.attempts, buckets.artifacts]) {
    let keys: string[] = [];
    const judge = async () => {
      for (const key of await listExpired(bucket, keys))
        if (await deleteOrphan(store, { bucket, key })) deleted++;
      keys = [];
    };
    for await (const { key } of store.list(bucket)) {
      if (bucket === buckets.artifacts && named.has(key)) continue;
      if (keys.push(key) === page) await judge();
    }
    if (keys.length > 0) await judge();
  }
  for (const at of await listLetGo("uploads-", page)) if (await deleteOrphan(store, at)) deleted++;
  return deleted;
}
