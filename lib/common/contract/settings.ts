import { z } from "zod";
import { sourceConnectionSchema } from "./source-connections";

/** What a portal is connected with. */
export const connectionIdSchema = z.enum(["postgres", "redis", "objects", "gateway"]);
/** A store, or a process, that the portal reaches. */
export type ConnectionId = z.infer<typeof connectionIdSchema>;

/** Where something is that the portal reaches, without any secret. */
const connectionSchema = z.object({
  id: connectionIdSchema,
  /** `s3`, `files`, `postgres`, … */
  kind: z.string(),
  /** Host, port and name, or a folder; null where the portal does not know it. */
  address: z.string().nullable(),
  /** Of objects: the buckets that the project reads or writes. */
  buckets: z.array(z.string()).optional(),
});
/** A connection as its page shows it. */
export type Connection = z.infer<typeof connectionSchema>;

/** All connections, and from where models may be fetched. */
export const connectionsSchema = z.object({
  items: z.array(connectionSchema),
  sources: z.object({
    schemes: z.array(z.string()),
    /** Hosts and ports besides those of the public internet. */
    allowedHosts: z.array(z.string()),
    /** Stores and hosts of the operator's own. */
    connections: z.array(sourceConnectionSchema),
  }),
});

/** What a test of a connection came to: what was asked, what came back, and how long that took. */
export const connectionTestSchema = z.object({
  ok: z.boolean(),
  asked: z.string(),
  answer: z.string(),
  tookMs: z.number(),
  at: z.iso.datetime(),
});
/** The answer of a connection that was tested. */
export type ConnectionTest = z.infer<typeof connectionTestSchema>;

const machineCheckSchema = z.object({
  name: z.string(),
  needed: z.boolean(),
  ok: z.boolean(),
  found: z.string().nullable(),
  wanted: z.string(),
  /** Why it matters. */
  unlocks: z.string(),
  /** The line that mends it. */
  fix: z.string(),
});
/** A tool or service of the machine, found and wanted. */
export type MachineCheck = z.infer<typeof machineCheckSchema>;

/** All that `npm run doctor -- --json` says, and how long it looked. */
export const machineChecksSchema = z.object({
  ok: z.boolean(),
  checks: z.array(machineCheckSchema),
  tookMs: z.number(),
  at: z.iso.datetime(),
});
/** The checks of the machine that the portal runs on. */
export type MachineChecks = z.infer<typeof machineChecksSchema>;

/** What takes room in the stores, by kind: bytes as the database counts them. */
const storageKindSchema = z.object({
  kind: z.enum(["artifacts", "models", "logs", "database"]),
  bytes: z.number().int(),
  objects: z.number().int(),
});

/** How much room is taken, by what, and what could go. */
export const storageUseSchema = z.object({
  kinds: z.array(storageKindSchema),
  largest: z.array(
    z.object({
      digest: z.string(),
      modelUrl: z.string(),
      boardModel: z.string(),
      sizeBytes: z.number().int(),
      usedBy: z.number().int(),
    }),
  ),
  /** Artifacts that no endpoint needs, and what deleting them all would free. */
  unused: z.object({ artifacts: z.number().int(), bytes: z.number().int() }),
  /** Models that were put away and whose bytes are kept. */
  archivedModels: z.object({ models: z.number().int(), bytes: z.number().int() }),
});
/** What the page about storage shows. */
export type StorageUse = z.infer<typeof storageUseSchema>;

/** Which version this is, and what its pages are made of. */
export const aboutSchema = z.object({
  version: z.string(),
  licence: z.string(),
  node: z.string(),
  schema: z.number().int(),
  packages: z.array(
    z.object({ name: z.string(), version: z.string().nullable(), licence: z.string().nullable() }),
  ),
});
/** What the page about this installation shows. */
export type About = z.infer<typeof aboutSchema>;
