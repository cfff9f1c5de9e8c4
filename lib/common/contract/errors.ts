import { z } from "zod";

/** The error body of every `/api/v1` answer with a status of 400 and above. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    reason: z.string(),
    message: z.string(),
    hint: z.string().optional(),
    field: z.string().optional(),
    /** The page of the portal about this reason: what it means, its cause, how to check and how to fix it. */
    help: z.string().optional(),
    requestId: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});
/** An error as clients of the API get it. */
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** Why something cannot be had: inside a successful answer, where an error body would be wrong. */
export const problemSchema = z.object({
  reason: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
