import { z } from "zod";

/** A page of a list; `nextCursor` is null on the last one. Lists that can be read backwards say where the page before begins. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    previousCursor: z.string().nullable().optional(),
  });

/** Which page of a list: the one that `cursor` leads to, or the first. A limit that is no number counts as 50. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().catch(50).default(50),
  cursor: z.string().max(1000).optional(),
});
