import { z } from "zod";
import { isoTimeSchema } from "./names";
import { tokenPaceSchema } from "./tokens";

/** Inferences within a second by a link of which nobody says more: plenty for people, too few for programs. */
const usualLinkPace = 10;

/** What a link to an endpoint is made by. */
export const newEndpointLinkSchema = z.strictObject({
  /** For whom it is. */
  name: z.string().trim().min(1, "Say for whom it is.").max(80),
  expiresAt: isoTimeSchema.optional(),
  /** Inferences within a second. */
  requestsPerSecond: tokenPaceSchema.default(usualLinkPace),
});
/** What a link to an endpoint is made by. */
export type NewEndpointLink = z.output<typeof newEndpointLinkSchema>;

/** A link as it is shown ever after: without its address. */
export const endpointLinkSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema,
  isExpired: z.boolean(),
  /** Inferences within a second; null: no limit of its own. */
  requestsPerSecond: z.number().int().nullable(),
  lastUsedAt: isoTimeSchema.nullable(),
});
/** A link as it is shown ever after. */
export type EndpointLink = z.infer<typeof endpointLinkSchema>;

/** The one answer that holds the address. */
export const madeEndpointLinkSchema = endpointLinkSchema.extend({ url: z.string() });
