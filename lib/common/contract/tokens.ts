import { z } from "zod";
import { isoTimeSchema, nameSchema } from "./names";

/** What a token may be good for; each is a right that people of a project have as well. */
export const tokenScopes = ["infer", "read", "build", "deploy", "firmware"] as const;
/** One thing that a token is good for. */
export type TokenScope = (typeof tokenScopes)[number];

/** Of a project: more nobody looks through. */
export const mostTokens = 200;
/** How long a token lives that says nothing of it, and at most. */
export const tokenDays = { usual: 90, most: 365 } as const;

/** Inferences that a token may ask for within a second. */
export const tokenPaceSchema = z.number().int().min(1).max(1_000_000);

/** What a token is made by. */
export const newTokenSchema = z
  .strictObject({
    name: z.string().trim().min(1, "Give it a name.").max(80),
    scopes: z.array(z.enum(tokenScopes)).min(1, "Choose what it is good for.").max(10),
    /** Left out: every endpoint of the project. */
    endpoints: z.array(nameSchema).min(1).max(100).optional(),
    expiresAt: isoTimeSchema.optional(),
    /** Inferences within a second; left out: no limit of its own. */
    requestsPerSecond: tokenPaceSchema.optional(),
  })
  .refine(({ endpoints, scopes }) => !endpoints || scopes.every((scope) => scope === "infer"), {
    path: ["endpoints"],
    error: "A token for some endpoints alone can be good for “infer” alone.",
  });
/** What a token is made by. */
export type NewToken = z.output<typeof newTokenSchema>;

/** A token as it is shown ever after: without itself. */
export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** How the token ends. */
  ending: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  /** Names; null: every endpoint of the project. Those that were deleted are no more among them. */
  endpoints: z.array(z.string()).nullable(),
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema,
  isExpired: z.boolean(),
  /** Inferences within a second; null: no limit of its own. */
  requestsPerSecond: z.number().int().nullable(),
  lastUsedAt: isoTimeSchema.nullable(),
  /** The network that it was last used from, and not the host. */
  lastUsedFrom: z.string().nullable(),
});
/** A token as it is shown ever after. */
export type Token = z.infer<typeof tokenSchema>;

/** The one answer that holds the token itself. */
export const madeTokenSchema = tokenSchema.extend({ token: z.string() });
/** A token with itself. */
export type MadeToken = z.infer<typeof madeTokenSchema>;
