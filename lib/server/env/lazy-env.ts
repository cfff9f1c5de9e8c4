import type { z } from "zod";

/**
 * Reads the environment once, on first use, so that importing a module demands nothing.
 *
 * @returns A function that answers the parsed variables.
 * @throws {Error} With one line per variable that is missing or malformed; values are never shown.
 */
export function lazyEnv<T extends z.ZodObject>(schema: T): () => z.infer<T> {
  let parsed: z.infer<T> | undefined;
  return () => {
    parsed ??= parseEnv(schema, process.env);
    return parsed;
  };
}

/** A variable of nothing, or of spaces alone, counts as absent: shells and compose files cannot unset one. */
export function parseEnv<T extends z.ZodObject>(
  schema: T,
  source: Readonly<Record<string, string | undefined>>,
): z.infer<T> {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value?.trim() !== ""),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => `  ${path.join(".")}: ${message}`);
  throw new Error(`The environment is not complete (see .env.example):\n${lines.join("\n")}`);
}
