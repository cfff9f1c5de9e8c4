import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Need, Scope } from "@/lib/common/contract";
import { type AppError, fail, httpStatusOf, toAppError } from "@/lib/common/errors";
import { type Caller, identify, requireNeed, watchCredential } from "@/lib/server/auth";
import { toStoreError } from "@/lib/server/db";
import { errorBody, errorHeaders, readBody } from "@/lib/server/http";
import { logger } from "@/lib/server/logger";
import { type Counts, countRequest } from "./rates";
import { parseStrictJson } from "./scan-json";
import { type Audited, Trail } from "./trail";
import { validate, validateQuery } from "./validate";

const defaultLimitBytes = 256 * 1024;

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Maybe = z.ZodType | undefined;

/** What a handler gets: everything proven and parsed. */
export interface HandlerContext<Body, Query, Params> {
  readonly scope: Scope;
  readonly caller: Caller;
  readonly body: Body;
  readonly query: Query;
  readonly params: Params;
  /** The request itself, for streams; its body is read already where `body` is declared. */
  readonly request: Request;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** Fires when the caller is gone, or the token or session that it showed is good no more. */
  readonly signal: AbortSignal;
}

export interface HandlerDefinition<
  B extends Maybe,
  Q extends Maybe,
  P extends Maybe,
  R extends Maybe,
> {
  /** `builds.cancel`: names the route in logs and in OpenAPI. */
  readonly name: string;
  /** One sentence for OpenAPI. */
  readonly summary: string;
  /** What its callers must be allowed. */
  readonly needs: Need;
  /** What a request counts as for how often each may ask; absent: a request. */
  readonly counts?: Counts;
  readonly params?: P;
  readonly query?: Q;
  /** A JSON body; without it, no body is read. */
  readonly body?: B;
  readonly limitBytes?: number;
  /** Media type of a body that the handler reads itself. */
  readonly rawBody?: string;
  readonly response?: R;
  /** Media type of a `Response` that the handler makes itself, always or besides `response`. */
  readonly rawResponse?: string;
  readonly status?: number;
  /** Whether `Idempotency-Key` is honoured. */
  readonly idempotent?: boolean;
  /** What the audit log has of it beyond that it was asked, by whom and for what. */
  readonly audit?: Audited<Output<B>>;
  readonly handle: (
    context: HandlerContext<Output<B>, Output<Q>, Output<P>>,
  ) => Promise<(R extends z.ZodType ? z.input<R> : undefined) | Response | Reply>;
}

/** An answer whose status differs from the declared one. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined> | undefined>;
}

/** A route handler that carries what it was defined by, for OpenAPI and for tests that walk all routes. */
export type Handler = ((request: Request, context: RouteContext) => Promise<Response>) & {
  readonly definition: HandlerDefinition<Maybe, Maybe, Maybe, Maybe>;
};

/** What a request brings beside itself, and what writes down what becomes of it. */
interface Asked {
  readonly params: Readonly<Record<string, string | string[] | undefined>>;
  readonly requestId: string;
  readonly trail: Trail;
}

/**
 * Makes a Next.js route handler: proves the scope, parses strictly, answers through the response schema, turns what is thrown
 * into the error body, and logs one wide event. What it changes is in the audit log.
 */
export function defineHandler<
  B extends Maybe = undefined,
  Q extends Maybe = undefined,
  P extends Maybe = undefined,
  R extends Maybe = undefined,
>(definition: HandlerDefinition<B, Q, P, R>): Handler {
  const handler = async (request: Request, route: RouteContext): Promise<Response> => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    const event = (status: number, error?: AppError) => {
      const durationMs = Math.round(performance.now() - startedAt);
      const outcome = error ? { code: error.code, reason: error.reason } : {};
      const fields = { route: definition.name, requestId, status, ...outcome, durationMs };
      if (status >= 500) logger().error({ ...fields, err: error?.cause ?? error }, "request");
      else logger().info(fields, "request");
    };
    // Of an address without any, the framework says nothing.
    const params = (await route.params) ?? {};
    const trail = new Trail(definition, request, { params, requestId });
    try {
      const response = await answer(definition, request, { params, requestId, trail });
      event(response.status);
      return withHeaders(response, requestId);
    } catch (thrown) {
      const error = toAppError(toStoreError(thrown));
      await trail.failed(error);
      const status = httpStatusOf(error);
      event(status, error);
      const body = errorBody(error, requestId);
      return withHeaders(Response.json(body, { status, headers: errorHeaders(error) }), requestId);
    }
  };
  return Object.assign(handler, { definition: definition as unknown as Handler["definition"] });
}

async function answer<B extends Maybe, Q extends Maybe, P extends Maybe, R extends Maybe>(
  definition: HandlerDefinition<B, Q, P, R>,
  request: Request,
  asked: Asked,
): Promise<Response> {
  const caller = await identify(request);
  asked.trail.identified(caller);
  countRequest(caller, definition.counts);
  requireNeed(caller, definition.needs);
  const life = lifeOf(caller, request.signal);
  try {
    return life.outlive(await run(definition, request, { ...asked, caller, signal: life.signal }));
  } catch (error) {
    life.end();
    throw error;
  }
}

/** Hands what was proven and parsed to a handler, and makes an answer of what it gives. */
async function run<B extends Maybe, Q extends Maybe, P extends Maybe, R extends Maybe>(
  definition: HandlerDefinition<B, Q, P, R>,
  request: Request,
  {
    trail,
    params: given,
    ...asking
  }: Asked & { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<Response> {
  const params = definition.params && validate(definition.params, given);
  const query = definition.query && validateQuery(definition.query, readQuery(request.url));
  const body =
    definition.body && validate(definition.body, await readJson(request, definition.limitBytes));
  await trail.begin(body);
  const result = await definition.handle({
    ...asking,
    scope: asking.caller.project,
    body: body as Output<B>,
    query: query as Output<Q>,
    params: params as Output<P>,
    request,
    idempotencyKey: request.headers.get("idempotency-key"),
  });
  await trail.done(result instanceof Reply ? result.body : result);
  if (result instanceof Response) return result;
  if (result instanceof Reply)
    return Response.json(result.body, { status: result.status, headers: result.headers });
  const status = definition.status ?? 200;
  if (!definition.response) return new Response(null, { status: 204 });
  return Response.json(definition.response.parse(result), { status });
}

/** How long a caller is served: a stream ends with the token or the session that opened it. */
function lifeOf({ credentialId }: Caller, gone: AbortSignal) {
  if (credentialId === null)
    return { signal: gone, end() {}, outlive: (answer: Response) => answer };
  const ended = new AbortController();
  const end = watchCredential(credentialId, () => ended.abort());
  return {
    signal: AbortSignal.any([gone, ended.signal]),
    end,
    /** Watches on until the body of an answer has left. */
    outlive(answer: Response): Response {
      if (!answer.body) {
        end();
        return answer;
      }
      gone.addEventListener("abort", end, { once: true });
      return new Response(answer.body.pipeThrough(new TransformStream({ flush: end })), answer);
    },
  };
}

/** A name that comes twice is a list. */
function readQuery(url: string): Record<string, string | string[]> {
  const { searchParams } = new URL(url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

async function readJson(request: Request, limitBytes = defaultLimitBytes): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(type))
    throw fail("UNSUPPORTED_MEDIA_TYPE", "This route takes application/json.", {
      hint: "Send the header `content-type: application/json`.",
    });
  requireNoCoding(request);
  const contentLength = request.headers.get("content-length");
  return parseStrictJson(await readBody(request.body, { limitBytes, contentLength }));
}

function requireNoCoding(request: Request): void {
  const coding = request.headers.get("content-encoding");
  if (coding && coding !== "identity")
    throw fail("UNSUPPORTED_MEDIA_TYPE", "This route takes no content coding.", {
      hint: "Send the body as it is, without the header `content-encoding`.",
    });
}

function withHeaders(response: Response, requestId: string): Response {
  response.headers.set("x-request-id", requestId);
  if (!response.headers.has("cache-control"))
    response.headers.set("cache-control", "no-store, private");
  return response;
}
