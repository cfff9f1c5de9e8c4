import path from "node:path";
import { storageEnv } from "@/lib/server/env";
import { killableCalls } from "@/lib/server/process";
import { buckets } from "./buckets";
import { FileStore } from "./file-store";
import type { ObjectStore } from "./object-store";
import { S3Store } from "./s3-store";

let store: ObjectStore | undefined;

/** The object store of the process: S3 if all of `S3_*` are set, else files below `STORAGE_DIR`. */
export function objectStore(): ObjectStore {
  store ??= killableCalls(openStore(), { isCall: () => true });
  return store;
}

/** Rejects where the object store of the process does not answer. */
export async function pingStore(): Promise<void> {
  await objectStore().head(buckets.artifacts, "0".repeat(64));
}

function openStore(): ObjectStore {
  const env = storageEnv();
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = env;
  if (endpoint && accessKey && secretKey)
    return new S3Store({ endpoint, accessKey, secretKey, region: env.S3_REGION });
  return new FileStore(env.STORAGE_DIR ?? path.join(env.BOARDWALK_HOME, "objects"));
}
