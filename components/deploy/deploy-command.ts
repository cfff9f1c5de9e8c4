import { bodyOf, type Draft } from "./draft";

/** The deploy as a shell command, with what is filled in so far. */
export function deployCommand(draft: Draft, origin: string): string {
  const known = bodyOf(draft);
  const body = {
    ...known,
    name: known.name || "NAME",
    engine: known.engine || "ENGINE",
    model: { url: known.model.url || "URL" },
  };
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl -sS ${origin}/api/v1/endpoints \\\n  -H 'Content-Type: application/json' \\\n  -H "Idempotency-Key: $(date +%s)-$$" \\\n  -d '${json}'`;
}
