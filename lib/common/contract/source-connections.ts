import { z } from "zod";
import { nameSchema } from "./names";

const hasOnlyOrigin = (text: string) => {
  const { username, password, pathname, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === "" && pathname === "/";
};

/** A store of the operator's own that speaks S3, and the buckets of it that models are read from. */
const storeConnectionSchema = z.strictObject({
  kind: z.literal("s3"),
  name: nameSchema,
  endpoint: z
    .url({ protocol: /^https?$/, abort: true })
    .refine(hasOnlyOrigin, "only scheme, host and port"),
  region: z.string().min(1).default("us-east-1"),
  buckets: z.array(z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)).min(1),
});
/** A store of the operator's own that speaks S3, without its keys. */
export type StoreConnection = z.infer<typeof storeConnectionSchema>;

/** A host that asks for a login before it gives a model. */
const hostConnectionSchema = z.strictObject({
  kind: z.literal("https"),
  name: nameSchema,
  /** Exactly `host:port`, as `SOURCE_ALLOWED_HOSTS` has them. */
  host: z.string().regex(/^([a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/),
});

/** Where models come from besides the public internet and the store of the installation. Nothing in it is secret. */
export const sourceConnectionSchema = z.discriminatedUnion("kind", [
  storeConnectionSchema,
  hostConnectionSchema,
]);
/** A store or a host of the operator's own that models come from, without what opens it. */
export type SourceConnection = z.infer<typeof sourceConnectionSchema>;

/** All connections: each name, each bucket and each host stands once, so that an address leads to one of them. */
export const sourceConnectionsSchema = z
  .array(sourceConnectionSchema)
  .superRefine((connections, context) => {
    const places = connections.flatMap((each) => [
      `the name ${each.name}`,
      ...(each.kind === "s3"
        ? each.buckets.map((bucket) => `the bucket ${bucket}`)
        : [`the host ${each.host}`]),
    ]);
    const twice = new Set(places.filter((place, at) => places.indexOf(place) !== at));
    for (const place of twice) {
      context.addIssue({ code: "custom", message: `${place} is given twice` });
    }
  });
