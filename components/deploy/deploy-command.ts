import { bodyOf, type Draft } from "./draft";

/**
 * The deploy as a shell command, with what is filled in so far.
 *
 * @param endpoint The one that it adds a revision to; null: it makes one.
 */
export function deployCommand(
  draft: Draft,
  origin: string,
  endpoint: string | null = null,
): string {
  const { name, ...known } = bodyOf(draft);
  const path = endpoint === null ? "endpoints" : `endpoints/${endpoint}/revisions`;
  const body = {
    ...(endpoint === null ? { name: name || "NAME" } : {}),
    ...known,
    engine: known.engine || "ENGINE",
    model: { url: known.model.url || "URL" },
  };
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl -sS ${origin}/api/v1/${path} \\\n  -H 'Content-Type: application/json' \\\n  -H "Idempotency-Key: $(date +%s)-$$" \\\n  -d '${json}'`;
}
