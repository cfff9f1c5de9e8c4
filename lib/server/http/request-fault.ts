import type { IncomingMessage } from "node:http";
import { type AppError, fail } from "@/lib/common/errors";

/** What any of our servers answers at all. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const known: ReadonlySet<string> = new Set(methods);
const maxTargetLength = 2048;
/** Printable ASCII; anything else must be escaped. Source: RFC 3986 §2. */
const printable = /^[\x21-\x7e]+$/;

/**
 * What is wrong with a request before anybody asks what it wants: forms that two servers in a row could read differently, and
 * paths that are no text. Null for a request that may go on.
 */
export function requestFault(request: IncomingMessage): AppError | null {
  const { method = "", url: target = "", headers, httpVersionMajor } = request;
  if (httpVersionMajor !== 1) return invalid("Only HTTP/1.1 and 1.0 are spoken here.");
  if (headers.upgrade !== undefined) return invalid("Nothing is upgraded here.");
  if (!known.has(method)) return methodUnknown();
  if (target.length > maxTargetLength) {
    return fail("URL_TOO_LONG", "The address is longer than 2,048 characters.");
  }
  if (!target.startsWith("/")) return invalid("The request target is not a path.");
  return framingFault(request) ?? targetFault(target);
}

/** For a method that no server of ours answers, such as CONNECT. */
export function methodUnknown(): AppError {
  return fail("METHOD_NOT_ALLOWED", "Method Not Allowed", {
    details: { allow: methods.join(", ") },
  });
}

function framingFault({ rawHeaders, headers, httpVersion }: IncomingMessage): AppError | null {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === "host") hosts++;
  }
  if (hosts > 1) return invalid("There is more than one Host header.");
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return null;
  // Node takes others where the last one is `chunked`, and leaves the body coded.
  if (coding.toLowerCase() !== "chunked") {
    return invalid("No transfer coding but 'chunked' is known here.");
  }
  // RFC 9112 §6.1: such a message's framing cannot be trusted.
  if (httpVersion !== "1.1") return invalid("A transfer coding needs HTTP/1.1.");
  return null;
}

function targetFault(target: string): AppError | null {
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  const query = at < 0 ? "" : target.slice(at);
  if (!printable.test(target)) return invalidPath("it has characters that must be escaped");
  if (query.includes("%00")) return invalidPath("it has a NUL character");
  if (!path.includes("%")) return null;
  try {
    if (/[\0-\x1f\x7f]/.test(decodeURIComponent(path)))
      return invalidPath("it has control characters");
  } catch {
    return invalidPath("its escapes are not UTF-8");
  }
  return null;
}

const invalid = (message: string) => fail("REQUEST_INVALID", message);
const invalidPath = (why: string) =>
  fail("PATH_INVALID", `The address cannot be read: ${why}.`, {
    hint: "Characters of a path are escaped as UTF-8, such as %C3%A9 for é.",
  });
