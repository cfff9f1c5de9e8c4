import { z } from "zod";
import { isoTimeSchema } from "./names";

/** What a link to an endpoint is made by. */
export const newEndpointLinkSchema = z.strictObject({
  /** For whom it is. */
  name: z.string().trim().min(1, "Say for whom it is.").max(80),
  expiresAt: isoTimeSchema.optional(),
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
  lastUsedAt: isoTimeSchema.nullable(),
});
/** A link as it is shown ever after. */
export type EndpointLink = z.infer<typeof endpointLinkSchema>;

/** The one answer that holds the address. */
export const madeEndpointLinkSchema = endpointLinkSchema.extend({ url: z.string() });
