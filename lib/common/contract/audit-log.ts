import { z } from "zod";
import { several, sinceSchema } from "./lists";
import { isoTimeSchema } from "./names";
import { pageQuerySchema } from "./pages";

/** Who does things: a person, a program with a token, the owner of an installation without accounts, a board server, or somebody whom nothing let in. */
export const auditActorKinds = ["person", "token", "owner", "board_server", "nobody"] as const;
/** Who does things. */
export type AuditActorKind = (typeof auditActorKinds)[number];

/** How what was asked ended; `unknown`: the portal died over it. */
export const auditResults = ["done", "refused", "failed", "unknown"] as const;
/** How what was asked ended. */
export type AuditResult = (typeof auditResults)[number];

/** One thing that somebody did, or was refused. */
export const auditEntrySchema = z.object({
  id: z.string(),
  at: isoTimeSchema,
  actor: z.object({
    kind: z.enum(auditActorKinds),
    /** Null of those that have none. */
    id: z.string().nullable(),
    /** At that time. */
    name: z.string().nullable(),
  }),
  /** Name of the route, such as `endpoints.delete`. */
  action: z.string(),
  /** Null where it is about nothing in particular. */
  target: z
    .object({ noun: z.string(), id: z.string().nullable(), name: z.string().nullable() })
    .nullable(),
  /** Null: of the installation. */
  project: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  result: z.enum(auditResults),
  reason: z.string().nullable(),
  /** How many refusals that were alike it tells of. */
  times: z.number().int(),
  requestId: z.string().nullable(),
  address: z.string().nullable(),
});
/** One thing that somebody did, or was refused. */
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const textSchema = z
  .string()
  .max(200)
  .regex(/^\P{Cc}*$/u, "It holds no control characters.")
  .transform((text) => text.trim());

/** Which entries of the audit log. */
export const auditFilterSchema = z.strictObject({
  /** An id, or a part of a name; `owner`, `nobody`: those kinds. */
  actor: textSchema.optional(),
  /** `endpoints.delete`, or `endpoints`: everything that is done to them. */
  action: textSchema.optional(),
  /** An id, a noun, or a part of a name. */
  target: textSchema.optional(),
  /** Its id or its name; `-`: what is of no project, but of the installation. */
  project: textSchema.optional(),
  result: several(z.enum(auditResults)),
  from: sinceSchema.optional(),
  to: isoTimeSchema.optional(),
});
/** Which entries of the audit log. */
export type AuditFilter = Partial<z.output<typeof auditFilterSchema>>;

/** What the audit log is asked with; `csv` and `jsonl` are everything that the filter holds. */
export const auditQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  ...auditFilterSchema.shape,
  format: z.enum(["csv", "jsonl"]).optional(),
});

/** An entry as exports tell it, in the order of their columns. */
export const exportedAuditEntrySchema = z.object({
  id: z.string(),
  at: isoTimeSchema,
  actorKind: z.enum(auditActorKinds),
  actorId: z.string().nullable(),
  actorName: z.string().nullable(),
  action: z.string(),
  targetNoun: z.string().nullable(),
  targetId: z.string().nullable(),
  targetName: z.string().nullable(),
  project: z.string().nullable(),
  result: z.enum(auditResults),
  reason: z.string().nullable(),
  times: z.number().int(),
  requestId: z.string().nullable(),
  address: z.string().nullable(),
});
/** A row of an export of the audit log. */
export type ExportedAuditEntry = z.infer<typeof exportedAuditEntrySchema>;
