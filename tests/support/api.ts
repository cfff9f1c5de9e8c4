import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Method, routes } from "@/app/api/v1/openapi.json/routes";
import { openDatabase } from "./domain";

export const portal = "http://localhost:3000";

/** Points this file's tests at a database and an object store of their own, with one owner or with people who sign in. */
export function openApi({ hasAccounts = false } = {}): void {
  const folder = mkdtempSync(path.join(tmpdir(), "bw-api-"));
  openDatabase();
  beforeAll(() => {
    process.env["STORAGE_DIR"] = path.join(folder, "objects");
    process.env["CONNECTION_KEY_FILE"] = path.join(folder, "connections.key");
    process.env["PORTAL_URL"] = portal;
    process.env["BOARDWALK_ACCOUNTS"] = hasAccounts ? "on" : "off";
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

export interface Call {
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: a request with a cookie does not say which page asks for it, which no browser does. */
  readonly origin?: null;
  readonly signal?: AbortSignal;
}

/** Calls a route handler as the portal would: `call("GET", "/builds/bld_…")`. */
export async function call(method: Method, target: string, options: Call = {}): Promise<Response> {
  const url = new URL(`${portal}/api/v1${target}`);
  const found = match(url.pathname.slice("/api/v1".length));
  const handler = found && routes[found.path]?.[method];
  if (!found || !handler) throw new Error(`no route ${method} ${target}`);
  const { json, signal, headers, origin } = options;
  const body = json === undefined ? options.body : JSON.stringify(json);
  const request = new Request(url, {
    method,
    headers: {
      host: url.host,
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...(headers?.["cookie"] && origin !== null ? { origin: portal } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body, duplex: "half" }),
    ...(signal ? { signal } : {}),
  } as RequestInit);
  return await handler(request, { params: Promise.resolve(found.params) });
}

function match(pathname: string): { path: string; params: Record<string, string> } | null {
  const parts = pathname.split("/");
  const candidates = Object.keys(routes).flatMap((route) => {
    const names = route.split("/");
    if (names.length !== parts.length) return [];
    const params: Record<string, string> = {};
    for (const [i, name] of names.entries()) {
      const part = parts[i] ?? "";
      if (name.startsWith("{")) params[name.slice(1, -1)] = decodeURIComponent(part);
      else if (name !== part) return [];
    }
    return [{ path: route, params }];
  });
  return (
    candidates.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0] ??
    null
  );
}

/** Reads server-sent events until `enough` says so, then hangs up. */
export async function readEvents(
  response: Response,
  enough: (events: readonly SentEvent[]) => boolean,
): Promise<SentEvent[]> {
  const events: SentEvent[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
      const data = field("data");
      if (data)
        events.push({
          event: field("event") ?? "",
          id: field("id") ?? null,
          data: JSON.parse(data),
        });
    }
    if (enough(events)) break;
  }
  return events;
}

export interface SentEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}
