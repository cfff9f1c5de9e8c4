import type { Page } from "playwright-core";
import type { z } from "zod";
import { routes } from "@/app/api/v1/openapi.json/routes";

/** What pages look things up by: with other values there, they would show less. */
const lookedUpBy =
  /^(id|.*Id|digest|.*Digest|.*[cC]ursor|engine|boardModel|model|kind|state|board|format|.*At|time)$/;

type Path = readonly (string | number)[];

/**
 * Gives every text of an answer another value, as far as the schema of the answer leaves it free: what the schema refuses keeps its own.
 */
export function withHostileTexts(
  schema: z.ZodType,
  body: unknown,
  hostile: (own: string) => string,
): { readonly body: unknown; readonly changed: number } {
  let paths = textsIn(body, []);
  for (;;) {
    const changed = structuredClone(body);
    for (const path of paths) write(changed, path, hostile);
    const parsed = schema.safeParse(changed);
    if (parsed.success) return { body: changed, changed: paths.length };
    const refused = parsed.error.issues.map(({ path }) => path);
    const kept = paths.filter(
      (path) => !refused.some((at) => at.every((key, depth) => path[depth] === key)),
    );
    // A rule about the whole that none of the texts fits.
    if (kept.length === paths.length) return { body, changed: 0 };
    paths = kept;
  }
}

function textsIn(value: unknown, path: Path): Path[] {
  if (typeof value === "string") return lookedUpBy.test(String(path.at(-1))) ? [] : [path];
  if (Array.isArray(value)) return value.flatMap((each, index) => textsIn(each, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, [...path, key]));
}

function write(root: unknown, path: Path, hostile: (own: string) => string) {
  const [last, ...rest] = path.toReversed();
  const parent = rest
    .toReversed()
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], root);
  const holder = parent as Record<string, unknown>;
  if (last !== undefined) holder[String(last)] = hostile(String(holder[String(last)]));
}

/** From now on every answer that a page reads of the API has hostile texts. Answers the count of them so far. */
export async function giveHostileAnswers(
  page: Page,
  hostile: (own: string) => string,
): Promise<() => number> {
  let count = 0;
  await page.route("**/api/v1/**", async (route) => {
    const schema = schemaOf(new URL(route.request().url()).pathname);
    if (route.request().method() !== "GET" || !schema) return await route.continue();
    const response = await route.fetch();
    if (response.status() !== 200 || !/json/.test(response.headers()["content-type"] ?? ""))
      return await route.fulfill({ response });
    const { body, changed } = withHostileTexts(schema, await response.json(), hostile);
    count += changed;
    return await route.fulfill({ response, json: body });
  });
  return () => count;
}

function schemaOf(pathname: string): z.ZodType | undefined {
  const parts = pathname.replace(/^\/api\/v1/, "").split("/");
  const fits = Object.keys(routes)
    .filter((path) => path.split("/").length === parts.length)
    .filter((path) =>
      path.split("/").every((part, at) => part.startsWith("{") || part === parts[at]),
    )
    // A word of its own wins over one that stands for any.
    .toSorted((a, b) => a.split("{").length - b.split("{").length);
  return routes[fits[0] ?? ""]?.GET?.definition.response;
}
