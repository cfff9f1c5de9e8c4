import type { Readable } from "node:stream";
import { Agent, request } from "undici";
import {
  checkedConnector,
  followRedirect,
  isLoopback,
  type Resolve,
  type SourcePolicy,
  type SourceUrl,
} from "@/domain/sources";
import type { Digest } from "@/lib/common/contract";
import { AppError, fail, isAppError } from "@/lib/common/errors";

export interface WebOptions {
  readonly policy: SourcePolicy;
  readonly resolve: Resolve;
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
  readonly limitBytes: number;
  /** Value of `Authorization` for the address itself; whatever it leads on to, elsewhere, never gets it. */
  readonly authorization?: string | undefined;
  /** Of the credential: it may go in the clear to a listed host within this machine. */
  readonly mayGoPlain?: boolean | undefined;
  /** What mends a connection whose credential is refused; left out: the environment does. */
  readonly mend?: string | undefined;
  /** Types of media that are wanted; left out: any. */
  readonly accept?: string | undefined;
}

/** An answer whose body is still to be read; `close` lets go of the connection. */
export interface OpenSource {
  readonly stream: Readable;
  /** As the source promises it; null if it does not. */
  readonly sizeBytes: number | null;
  /** What the bytes must hash to, where their name says it. */
  readonly digest?: Digest;
  /** What is said of other bytes; left out: that the source did not keep its promise. */
  readonly otherBytes?: () => AppError;
  close(): Promise<void>;
}

const maxRedirects = 5;
const connectMs = 10_000;
const headersMs = 30_000;
const bodyMs = 60_000;

/**
 * Opens an address that was judged, following at most five redirects, each judged like the first. Credentials
 * go over `https` alone, and are dropped for good where host, port or scheme change.
 *
 * @throws {AppError} `SOURCE_NOT_ALLOWED`, `SOURCE_NOT_FOUND`, `SOURCE_LOGIN_REFUSED`, `SOURCE_ACCESS_DENIED`,
 * `SOURCE_TOO_LARGE`, or `SOURCE_UNAVAILABLE`, which alone is worth another try.
 */
export async function openWeb(start: SourceUrl, options: WebOptions): Promise<OpenSource> {
  let source = start;
  let authorization = carriesSecret(start, options) ? options.authorization : undefined;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const answer = await askWeb(source, { ...options, authorization });
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || typeof location !== "string") {
      return await bodyOf(answer, options, authorization !== undefined);
    }
    await answer.close();
    source = followRedirect(location, source, options.policy);
    if (source.url.origin !== start.url.origin) authorization = undefined;
  }
  throw fail("SOURCE_NOT_ALLOWED", `The source leads on more than ${maxRedirects} times.`);
}

/** Whether a credential may go to an address. */
export const carriesSecret = (
  { url, host, isListed }: SourceUrl,
  { mayGoPlain = false }: Pick<WebOptions, "mayGoPlain">,
): boolean => url.protocol === "https:" || (mayGoPlain && isListed && isLoopback(host));

/** What an address answered; `close` lets go of the connection. */
export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly stream: Readable;
  close(): Promise<void>;
}

/** Asks one address, which was judged, and follows nothing. @throws {AppError} `SOURCE_NOT_ALLOWED`, `SOURCE_UNAVAILABLE` */
export async function askWeb(
  source: SourceUrl,
  options: Omit<WebOptions, "limitBytes"> & { readonly method?: "GET" | "HEAD" },
): Promise<WebAnswer> {
  const { resolve, ca, signal, authorization, accept = "*/*", method = "GET" } = options;
  const agent = new Agent({
    connect: checkedConnector({ source, resolve, ca, timeoutMs: connectMs }),
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
    maxHeaderSize: 16 * 1024,
    pipelining: 0,
  });
  try {
    const { statusCode, headers, body } = await request(source.url, {
      dispatcher: agent,
      method,
      signal,
      headers: {
        accept,
        "accept-encoding": "identity",
        "user-agent": "boardwalk",
        ...(authorization === undefined ? {} : { authorization }),
      },
    });
    // An error without a listener would end the process; whoever reads the body hears it anyway.
    body.on("error", () => {});
    const close = () => agent.destroy();
    return { status: statusCode, headers, stream: body, close };
  } catch (error) {
    await agent.destroy();
    if (isAppError(error)) throw error;
    if (signal.aborted) throw signal.reason;
    throw unavailable("The source could not be reached.", error);
  }
}

async function bodyOf(
  answer: WebAnswer,
  { limitBytes, mend }: WebOptions,
  isKnown: boolean,
): Promise<OpenSource> {
  const { status, headers, stream, close } = answer;
  const problem = problemOfLogin(status, isKnown, mend) ?? problemOf(status, headers, limitBytes);
  if (problem) {
    await close();
    throw problem;
  }
  const length = headers["content-length"];
  return { stream, sizeBytes: typeof length === "string" ? Number(length) : null, close };
}

/** What an answer says of the login. @param isKnown A credential was shown. */
export function problemOfLogin(status: number, isKnown: boolean, mend?: string): AppError | null {
  if (status !== 401 && status !== 403) return null;
  if (!isKnown) {
    return fail("SOURCE_NOT_FOUND", `The source answered ${status}: the address needs a login.`, {
      hint: "Use an address that opens without one, upload the file, or have an admin of the project add a connection with a secret under Settings, Connections.",
    });
  }
  return status === 401
    ? fail("SOURCE_LOGIN_REFUSED", "The source does not accept the credential of its connection.", {
        hint: mend ?? "Have an administrator correct SOURCE_CREDENTIALS of the build worker.",
      })
    : fail(
        "SOURCE_ACCESS_DENIED",
        "The source does not let the credential of its connection read this address.",
        {
          hint: "Have its owner give the credential access to the file, or correct the address.",
        },
      );
}

function problemOf(status: number, headers: WebAnswer["headers"], limitBytes: number) {
  if (status === 404 || status === 410) {
    return fail(
      "SOURCE_NOT_FOUND",
      `There is nothing at this address (the source answered ${status}).`,
    );
  }
  if (status === 429 || status >= 500) return unavailable(`The source answered ${status}.`);
  if (status !== 200) return fail("SOURCE_NOT_FOUND", `The source answered ${status}.`);
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity") {
    return fail(
      "SOURCE_NOT_FOUND",
      "The source sends the file in a coding that was not asked for.",
    );
  }
  const length = headers["content-length"];
  if (typeof length === "string" && Number(length) > limitBytes) return tooLarge(limitBytes);
  return null;
}

/** `SOURCE_TOO_LARGE`, with the limit in words. */
export function tooLarge(limitBytes: number): AppError {
  const limit =
    limitBytes >= 1024 ** 2 ? `${Math.floor(limitBytes / 1024 ** 2)} MiB` : `${limitBytes} bytes`;
  return fail("SOURCE_TOO_LARGE", `The file is larger than ${limit}.`);
}

/** `SOURCE_UNAVAILABLE`: nothing is wrong with the address, and another try may do. */
export function unavailable(message: string, cause?: unknown): AppError {
  const hint = "Try again later, or upload the file.";
  return new AppError("unavailable", message, { reason: "SOURCE_UNAVAILABLE", hint, cause });
}
