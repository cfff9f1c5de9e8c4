import { z } from "zod";

/** Path parameters; what they name may still not exist. */
export const idParams = z.object({ id: z.string().max(200) });
export const idAndNameParams = z.object({ id: z.string().max(200), name: z.string().max(200) });
export const nameParams = z.object({ name: z.string().max(200) });
