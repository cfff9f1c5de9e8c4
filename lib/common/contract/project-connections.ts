import { z } from "zod";
import { isoTimeSchema } from "./names";

// Connections of a project: where something is, what opens it, and what a test of it came to. What opens it goes in and never comes out.

/** How a store or a host is spoken to. */
export const connectionKinds = ["s3", "https", "oci", "huggingface"] as const;
/** How a store or a host is spoken to. */
export const connectionKindSchema = z.enum(connectionKinds);
/** How a store or a host is spoken to. */
export type ConnectionKind = z.infer<typeof connectionKindSchema>;

/** Of a project: more nobody looks through. */
export const mostProjectConnections = 50;

const hostWords = "This is no host: one is git.example.com, or git.example.com:8443.";

/** Scheme, host and port of an address, as a browser spells them; what has no scheme gets `https`. */
const originSchema = z
  .string()
  .trim()
  .min(1, "Say where it is.")
  .max(300)
  .transform((text, context) => {
    const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
    if (URL.canParse(whole)) {
      const url = new URL(whole);
      const rest = `${url.username}${url.password}${url.search}${url.hash}`;
      const isPlain = url.protocol === "https:" || url.protocol === "http:";
      if (isPlain && rest === "" && url.pathname === "/" && !/[\s\\]/.test(whole))
        return url.origin;
    }
    context.addIssue({
      code: "custom",
      message: "Give scheme, host and port alone: https://store.example.com:9000.",
    });
    return z.NEVER;
  });

/** `host:port`; of what names no port, 443. */
const hostSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/, hostWords)
  .transform((text, context) => {
    const address = `https://${text}/`;
    if (!URL.canParse(address)) {
      context.addIssue({ code: "custom", message: hostWords });
      return z.NEVER;
    }
    const { hostname, port } = new URL(address);
    return `${hostname}:${port || "443"}`;
  });

const bucketSchema = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    "A bucket has 3 to 63 lower-case letters, digits, dots and hyphens.",
  );

/** Visible ASCII: it goes into a header. */
const visibleSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,4096}$/, "Letters, digits and signs without blanks.");
const keysSchema = z.strictObject({ accessKey: visibleSchema, secretKey: visibleSchema });
const tokenSchema = z.strictObject({ token: visibleSchema });
const loginSchema = z.strictObject({
  // RFC 7617: the first colon ends the name.
  user: z.string().regex(/^[^:\p{Cc}]{1,256}$/u, "A name has no colon."),
  password: z.string().regex(/^\P{Cc}{1,4096}$/u, "Give the password."),
});

/** Where a store of each kind is. Nothing in it is secret. */
export const placeSchemas = {
  s3: z.strictObject({
    endpoint: originSchema,
    region: z.string().trim().min(1).max(60).default("us-east-1"),
    /** Exactly these are read. */
    buckets: z
      .array(bucketSchema)
      .min(1, "Name a bucket.")
      .max(50)
      .transform((buckets) => [...new Set(buckets)]),
  }),
  https: z.strictObject({ host: hostSchema }),
  oci: z.strictObject({
    registry: originSchema,
    /** `host:port` of what gives its tokens, where that is another host than the registry. */
    tokenHost: hostSchema.optional(),
  }),
  huggingface: z.strictObject({ endpoint: originSchema.default("https://huggingface.co") }),
} as const satisfies Record<ConnectionKind, z.ZodType>;

/** What opens a store of each kind. */
export const secretSchemas = {
  s3: keysSchema,
  https: z.union([tokenSchema, loginSchema], "Give a token, or a user and a password."),
  oci: loginSchema,
  huggingface: tokenSchema,
} as const satisfies Record<ConnectionKind, z.ZodType>;

const placedOf = <K extends ConnectionKind>(kind: K) => ({
  kind: z.literal(kind),
  name: z.string(),
});
/** A connection as far as addresses ask: its name, and where it leads. */
export const projectPlaceSchema = z.discriminatedUnion("kind", [
  z.object({ ...placedOf("s3"), place: placeSchemas.s3 }),
  z.object({ ...placedOf("https"), place: placeSchemas.https }),
  z.object({ ...placedOf("oci"), place: placeSchemas.oci }),
  z.object({ ...placedOf("huggingface"), place: placeSchemas.huggingface }),
]);
/** A connection as far as addresses ask. */
export type ProjectPlace = z.output<typeof projectPlaceSchema>;

/** Where a store of some kind is. */
export type Places = { readonly [K in ConnectionKind]: z.output<(typeof placeSchemas)[K]> };
/** What opens a store of some kind. */
export type Secrets = { readonly [K in ConnectionKind]: z.output<(typeof secretSchemas)[K]> };

/** Kinds that also give models to who shows nothing. */
export const openKinds: ReadonlySet<ConnectionKind> = new Set(["oci", "huggingface"]);

const connectionNameSchema = z
  .string()
  .trim()
  .regex(
    /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
    "Lower-case letters, digits and hyphens, beginning with a letter.",
  );

/** Keeps what was not tested, or did not pass. */
const untested = z.boolean().optional();
const newOf = <K extends ConnectionKind>(kind: K) => ({
  kind: z.literal(kind),
  name: connectionNameSchema,
  untested,
});

/** What a connection is made by; it is tested first, unless `untested` says otherwise. */
export const newProjectConnectionSchema = z.discriminatedUnion("kind", [
  z.strictObject({ ...newOf("s3"), place: placeSchemas.s3, secret: secretSchemas.s3 }),
  z.strictObject({ ...newOf("https"), place: placeSchemas.https, secret: secretSchemas.https }),
  z.strictObject({
    ...newOf("oci"),
    place: placeSchemas.oci,
    secret: secretSchemas.oci.optional(),
  }),
  z.strictObject({
    ...newOf("huggingface"),
    place: placeSchemas.huggingface,
    secret: secretSchemas.huggingface.optional(),
  }),
]);
/** What a connection is made by. */
export type NewProjectConnection = z.output<typeof newProjectConnectionSchema>;

/** What is to be changed; what is left out stays. Another host needs the secret again. */
export const projectConnectionChangeSchema = z.strictObject({
  name: connectionNameSchema.optional(),
  /** All of it, as for a new connection of the kind. */
  place: z.record(z.string(), z.unknown()).optional(),
  /** Another one, as for a new connection of the kind; null: none any more. */
  secret: z.record(z.string(), z.unknown()).nullable().optional(),
  untested,
});
/** What is to be changed about a connection. */
export type ProjectConnectionChange = z.output<typeof projectConnectionChangeSchema>;

/** What the last test came to. */
const connectionOutcomeSchema = z.object({
  at: isoTimeSchema,
  ok: z.boolean(),
  /** What came back, or why nothing did. */
  said: z.string(),
  reason: z.string().nullable(),
});

/** What a worker answers whose test passed. */
export const connectionTestAnswerSchema = z.object({ said: z.string() });

const shownOf = <K extends ConnectionKind>(kind: K) => ({
  id: z.string(),
  name: z.string(),
  kind: z.literal(kind),
  /** What addresses begin with that it opens. */
  prefixes: z.array(z.string()),
  /** Since when a secret is set; null: none is. */
  secretSetAt: isoTimeSchema.nullable(),
  /** Null: it was never tested as it is now. */
  lastTest: connectionOutcomeSchema.nullable(),
  /** Endpoints whose model comes through it. */
  usedBy: z.object({ count: z.number().int(), names: z.array(z.string()) }),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});

/** A connection as it is shown ever after: without its secret. */
export const projectConnectionSchema = z.discriminatedUnion("kind", [
  z.object({ ...shownOf("s3"), place: placeSchemas.s3 }),
  z.object({ ...shownOf("https"), place: placeSchemas.https }),
  z.object({ ...shownOf("oci"), place: placeSchemas.oci }),
  z.object({ ...shownOf("huggingface"), place: placeSchemas.huggingface }),
]);
/** A connection of a project, without its secret. */
export type ProjectConnection = z.infer<typeof projectConnectionSchema>;

/** What who only looks on sees of a connection. */
export const connectionNameOnlySchema = z.object({ id: z.string(), name: z.string() });

/** Connections of the project, by name. */
export const projectConnectionsSchema = z.object({
  items: z.array(z.union([projectConnectionSchema, connectionNameOnlySchema])),
  /** Those of the installation, which hold for every project: what addresses begin with that they open. */
  shared: z.array(
    z.object({ name: z.string(), kind: connectionKindSchema, prefixes: z.array(z.string()) }),
  ),
});
