import type { z } from "zod";
import { fail } from "@/lib/common/errors";

/** An engine's options, parsed by its schema. @throws {AppError} `OPTION_INVALID`, by name. */
export function parseBy<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
): z.infer<Schema> {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw fail("OPTION_INVALID", issue?.message ?? "The options cannot be read.", {
    field: ["options", ...(issue?.path ?? [])].join("."),
  });
}
