import type { z } from "zod";
import { errorBodySchema, pageOf } from "@/lib/common/contract";
import {
  AppError,
  type ErrorCode,
  errorCodes,
  fail,
  type Reason,
  reasons,
} from "@/lib/common/errors";

/** How one call of the API is made. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Reads a JSON answer through its schema. @throws {AppError} What the server said, or `STORE_UNAVAILABLE` when it cannot be reached. */
export async function getJson<T extends z.ZodType>(
  url: string,
  schema: T,
  options: CallOptions = {},
): Promise<z.output<T>> {
  return await call(url, { method: "GET" }, schema, options);
}

/** A list longer than any person reads; what lies beyond is for lists that page. */
const mostPages = 25;
const pageSize = 200;

/** Reads a whole list, page after page, each through the schema of its items. @throws {AppError} As `getJson`. */
export async function getAll<T extends z.ZodType>(
  url: string,
  item: T,
  options: CallOptions = {},
): Promise<{ items: z.output<T>[] }> {
  const page = pageOf(item);
  const items: z.output<T>[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < mostPages; count++) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(cursor ? { cursor } : {}) });
    const found: z.output<typeof page> = await getJson(`${url}?${query}`, page, options);
    items.push(...found.items);
    cursor = found.nextCursor;
    if (cursor === null) break;
  }
  return { items };
}

/** Sends JSON and reads the JSON answer through its schema. @throws {AppError} */
export async function postJson<T extends z.ZodType>(
  url: string,
  body: unknown,
  schema: T,
  options: CallOptions = {},
): Promise<z.output<T>> {
  const headers = { "content-type": "application/json" };
  return await call(url, { method: "POST", headers, body: JSON.stringify(body) }, schema, options);
}

/** Sends a JSON text as it is, no number of it read on the way. @throws {AppError} */
export async function postText<T extends z.ZodType>(
  url: string,
  text: string,
  schema: T,
  options: CallOptions = {},
): Promise<z.output<T>> {
  const headers = { "content-type": "application/json" };
  return await call(url, { method: "POST", headers, body: text }, schema, options);
}

/** Sends a change as JSON and reads the JSON answer through its schema. @throws {AppError} */
export async function patchJson<T extends z.ZodType>(
  url: string,
  body: unknown,
  schema: T,
  options: CallOptions = {},
): Promise<z.output<T>> {
  const headers = { "content-type": "application/json" };
  return await call(url, { method: "PATCH", headers, body: JSON.stringify(body) }, schema, options);
}

/** @throws {AppError} */
export async function deleteJson<T extends z.ZodType>(
  url: string,
  schema: T,
  options: CallOptions = {},
): Promise<z.output<T>> {
  return await call(url, { method: "DELETE" }, schema, options);
}

async function call<T extends z.ZodType>(
  url: string,
  init: { method: string; headers?: Record<string, string>; body?: string },
  schema: T,
  { signal, headers }: CallOptions,
): Promise<z.output<T>> {
  const response = await fetch(url, {
    ...init,
    headers: { accept: "application/json", ...init.headers, ...headers },
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw fail("STORE_UNAVAILABLE", "The portal cannot be reached.", {
      hint: "Is it running? `npm start` starts it.",
      cause: error,
    });
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toError(body, response.status);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw fail("INTERNAL", "The answer does not have the expected form.", { cause: parsed.error });
}

function toError(body: unknown, status: number): AppError {
  const parsed = errorBodySchema.safeParse(body);
  if (!parsed.success) return fail("INTERNAL", `The portal answered with status ${status}.`);
  const { code, reason, message, hint, field, details, requestId } = parsed.data.error;
  return new AppError(isCode(code) ? code : "unknown", message, {
    reason: isReason(reason) ? reason : "INTERNAL",
    ...(hint === undefined ? {} : { hint }),
    ...(field === undefined ? {} : { field }),
    ...(details === undefined ? {} : { details }),
    requestId,
  });
}

const isCode = (text: string): text is ErrorCode => text in errorCodes;
const isReason = (text: string): text is Reason => text in reasons;
