import { openApiDocument } from "@/app/api/v1/openapi.json/openapi";
import type { Method } from "@/app/api/v1/openapi.json/routes";
import type { Random } from "@/compiler/random";
import { anything, fromSchema, type Schema, spoilt } from "./from-schema";
import { mutate } from "./mutate";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

/** One method of one path. */
export interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** By media type; null: it takes no body. */
  readonly content: Readonly<Record<string, { readonly schema?: Schema }>> | null;
}

/** A request to `/api/v1`, whose target is ready to be sent. */
export interface ApiRequest {
  readonly method: Method;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** Every operation that the description of the API has. */
export function operationsOf(): Operation[] {
  const { paths } = openApiDocument("http://localhost:3000") as unknown as {
    paths: Record<
      string,
      Record<
        string,
        { parameters?: Parameter[]; requestBody?: { content: NonNullable<Operation["content"]> } }
      >
    >;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase() as Method,
      path,
      parameters,
      content: requestBody?.content ?? null,
    })),
  );
}

const types = ["application/json", "application/json; charset=utf-16", "text/plain", "", "a/b"];

/**
 * A request that is right, nearly right or broken.
 *
 * @param known Names and ids of things that exist.
 */
export function apiRequest(
  { method, path, parameters, content }: Operation,
  random: Random,
  known: readonly string[],
): ApiRequest {
  const odd = (one: number) => random.integer(1, one) === 1;
  const textOf = ({ schema }: Parameter) =>
    String(odd(4) ? anything(random) : fromSchema(schema, random, known));
  let target = path;
  const query = new URLSearchParams();
  // Nobody waits for what a worker would do.
  const headers: Record<string, string> = { prefer: "wait=0" };
  for (const parameter of parameters) {
    if (parameter.in === "path") {
      const value = odd(3) ? textOf(parameter) : String(known[random.integer(0, known.length - 1)]);
      target = target.replace(
        `{${parameter.name}}`,
        () => encodeURIComponent(wellFormed(value).slice(0, 300)) || "-",
      );
    } else if (parameter.in === "query" && odd(2)) {
      query.append(parameter.name, wellFormed(textOf(parameter)).slice(0, 150));
      if (odd(8)) query.append(parameter.name, "twice");
    } else if (parameter.in === "header" && odd(2)) {
      headers[parameter.name] = odd(2) ? "a-key" : `k${random.integer(0, 1_000_000)}`;
    }
  }
  if (odd(12)) query.append("no-such", "1");
  const search = query.size > 0 ? `?${query}` : "";
  if (odd(10)) headers["accept"] = "text/event-stream, nonsense;q=2";
  if (odd(10)) headers["last-event-id"] = ["-1", "1:99999999", "x"][random.integer(0, 2)] ?? "";
  const body = method === "POST" ? bodyOf(content, random, known) : null;
  if (body) headers["content-type"] = typeOf(content, random);
  return { method, target: `${target}${search}`, headers, body };
}

/** URLs are of whole characters. */
const wellFormed = (text: string): string => Buffer.from(text).toString("utf8");

function typeOf(content: Operation["content"], random: Random): string {
  const [named = "application/json"] = Object.keys(content ?? {});
  return random.integer(1, 12) === 1 ? (types[random.integer(0, types.length - 1)] ?? "") : named;
}

function bodyOf(
  content: Operation["content"],
  random: Random,
  known: readonly string[],
): Uint8Array {
  const schema = content?.["application/json"]?.schema ?? {};
  const good = fromSchema(schema, random, known);
  const value = random.integer(1, 3) === 1 ? spoilt(good, random) : good;
  const bytes = Buffer.from(JSON.stringify(value) ?? "");
  return random.integer(1, 6) === 1 ? mutate(bytes, random) : bytes;
}
