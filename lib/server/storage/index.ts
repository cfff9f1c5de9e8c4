export { buckets, parseStoreUrl, uploadsBucket } from "./buckets";
export { FileStore } from "./file-store";
export type { ObjectStore, PutOptions, StoredObject } from "./object-store";
export { type S3Options, S3Store } from "./s3-store";
export { objectStore } from "./store";
export { verifyObject } from "./verify";
