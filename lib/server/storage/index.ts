export { buckets, isOwnBucket, parseStoreUrl, uploadsBucket } from "./buckets";
export { checkedBody } from "./checked-body";
export { FileStore } from "./file-store";
export { damaged, keepObject } from "./keep-object";
export type { ByteRange, ObjectStore, PutOptions, StoredObject } from "./object-store";
export { refusalOf, type S3Options, S3Store } from "./s3-store";
export { objectStore, pingStore } from "./store";
export { verifyObject } from "./verify";
