import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { systemCodeOf } from "@/lib/common/errors";
import {
  createGuardedServer,
  OriginGuard,
  portOf,
  provenanceOf,
  sendError,
} from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { gauge, label, linesOf } from "./prometheus";

/** Asks for something that a process needs; it rejects where that cannot be had. */
export type Check = () => Promise<unknown>;

interface StatusOptions {
  /** Default: loopback. */
  readonly host?: string;
  readonly port: number;
  /** Further `host:port` under which this server is known, beside loopback names. */
  readonly allowedHosts?: readonly string[];
  /** What the process needs to do its work, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  /** What the process tells of itself, as the Prometheus exposition. */
  readonly text: () => Promise<string>;
}

/** A running status server. */
export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

/** What a check found. */
interface Finding {
  readonly ok: boolean;
  readonly tookMs: number;
  readonly message?: string;
}

/** What has not answered for so long is away. */
const limitMs = 3000;
/** Findings are taken for so long, so that nobody can make a process ask its stores all the time. */
const freshMs = 1000;

/**
 * Serves `/healthz` and `/metrics` of a process, for probes and scrapers. `/healthz` answers 200 while the process turns its
 * event loop and has what it needs, else 503, and says what it lacks: a reason to look, and none to start the process again,
 * which goes on by itself once what it lacks is back.
 *
 * @throws {Error} `EADDRINUSE`
 */
export async function startStatusServer(options: StatusOptions): Promise<StatusServer> {
  const { host = "127.0.0.1", port, allowedHosts = [], text } = options;
  const guard = new OriginGuard({ known: allowedHosts, opensReads: false });
  const find = finder(options.checks);
  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    "/healthz": async () => healthPage(await find()),
    "/metrics": async () => metricsPage(findingLines(await find()) + (await text())),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = guard.refusalOf(provenanceOf(request));
    if (refusal) return sendError(response, refusal);
    const page = request.method === "GET" ? pages[request.url ?? ""] : undefined;
    const { status, type, body } = page ? await page() : notFound;
    response.writeHead(status, {
      "content-type": type,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
    });
    response.end(body);
  };
  const server = createGuardedServer({}, (request, response) => {
    answer(request, response).catch((err: unknown) => {
      logger().error({ err }, "metrics cannot be told");
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The same for a process that works as well without: where its port is taken, it says so and answers null.
 *
 * @param variable The setting that moves the port.
 */
export async function startOwnStatusServer(
  options: StatusOptions & { readonly variable: string },
): Promise<StatusServer | null> {
  const { port, variable } = options;
  try {
    return await startStatusServer(options);
  } catch (err) {
    if (systemCodeOf(err) !== "EADDRINUSE") throw err;
    logger().warn({ port, variable }, "the port of /healthz and /metrics is taken; there are none");
    return null;
  }
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const plain = "text/plain; version=0.0.4; charset=utf-8";
const notFound: Page = { status: 404, type: plain, body: "Not Found\n" };
const metricsPage = (body: string): Page => ({ status: 200, type: plain, body });

function healthPage(findings: Readonly<Record<string, Finding>>): Page {
  const ok = Object.values(findings).every((each) => each.ok);
  const body = `${JSON.stringify({ status: ok ? "ok" : "lacking", checks: findings })}\n`;
  return { status: ok ? 200 : 503, type: "application/json", body };
}

function findingLines(findings: Readonly<Record<string, Finding>>): string {
  const all = Object.entries(findings).map(
    ([name, finding]) => [label({ check: name }), finding] as const,
  );
  return linesOf(
    gauge(
      "boardwalk_check_up",
      "Whether this process has what it needs: 1 or 0.",
      all.map(([labels, { ok }]) => [labels, ok ? 1 : 0]),
    ),
    gauge(
      "boardwalk_check_seconds",
      "How long the answer took.",
      all.map(([labels, { tookMs }]) => [labels, tookMs / 1000]),
    ),
  );
}

/** Does all checks at once, for as many callers as there are. */
function finder(checks: Readonly<Record<string, Check>>) {
  let last: Promise<Readonly<Record<string, Finding>>> | null = null;
  return () => {
    last ??= Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await finding(check)] as const),
    ).then((all) => {
      setTimeout(() => {
        last = null;
      }, freshMs).unref();
      return Object.fromEntries(all);
    });
    return last;
  };
}

async function finding(check: Check): Promise<Finding> {
  const startedAt = performance.now();
  const late = delay(limitMs, null, { ref: false }).then(() => {
    throw new Error(`It has not answered for ${limitMs / 1000} s.`);
  });
  const result = await Promise.race([check(), late]).then(
    () => ({ ok: true }),
    (error: unknown) => ({ ok: false, message: firstLineOf(error) }),
  );
  return { ...result, tookMs: Math.round(performance.now() - startedAt) };
}

const mostLetters = 300;

/** The first line of what an error says: it may not hold an address with a password. */
function firstLineOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const [line = ""] = text.split("\n").filter((each) => each.trim() !== "");
  return line.replaceAll(/\/\/[^@/\s]*@/g, "//").slice(0, mostLetters);
}
