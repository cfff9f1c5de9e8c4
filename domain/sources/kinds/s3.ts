import type { Places } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { SourceKind } from "./source-kind";

/** A key as it can stand in an address: nothing that a URL, a log or a path would read as something else. */
const plainKey = /^[\p{L}\p{N}!$&'()*+,\-./:;=@_~]{1,1024}$/u;

/** Like a relative path, without parts that climb or stay. */
export function isKey(key: string): boolean {
  return plainKey.test(key) && !key.split("/").some((part) => /^\.{0,2}$/.test(part));
}

/** Bucket and key of an `s3://` address. @throws {AppError} `URL_NOT_ALLOWED` */
export function parseObjectAddress(
  address: string,
  field: string,
): { readonly bucket: string; readonly key: string } {
  const [, bucket = "", key = ""] = address.match(/^s3:\/\/([a-z0-9.-]+)\/(.+)$/) ?? [];
  if (bucket !== "" && isKey(key)) return { bucket, key };
  throw fail(
    "URL_NOT_ALLOWED",
    "This is no address of an object: one is s3://bucket/folder/model.onnx, its key in letters, digits and common signs.",
    { field, hint: "Correct the address." },
  );
}

/** A store that speaks S3: `s3://bucket/key`. */
export const s3: SourceKind<Places["s3"]> = {
  prefixes: ({ buckets }) => buckets.map((bucket) => `s3://${bucket}/`),
  claims: ({ buckets }) => buckets.map((bucket) => `the bucket ${bucket}`),
  origins: ({ endpoint }) => [endpoint],
  leadsTo: (address, { buckets }) =>
    buckets.some((bucket) => address.startsWith(`s3://${bucket}/`)),
  check: (address, field) => void parseObjectAddress(address, field),
};
