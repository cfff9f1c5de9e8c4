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
  return postCommand(`${origin}/api/v1/${path}`, body, [`-H "Idempotency-Key: $(date +%s)-$$"`]);
}

/** A shell command that posts JSON. */
export function postCommand(url: string, body: unknown, headers: readonly string[] = []): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return [
    `curl -sS ${url}`,
    "-H 'Content-Type: application/json'",
    ...headers,
    `-d '${json}'`,
  ].join(" \\\n  ");
}
