import type { IncomingHttpHeaders } from "node:http";

/** The head of a request that needs nothing but its body to be answered. */
export interface PlainHead {
  /** The path as it stands in the request line. */
  readonly target: string;
  /** By lower-case name; none comes twice. */
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
}

/** Longer heads are left to Node's parser, and so are more headers. */
export const mostHeadBytes = 4096;
const mostHeaders = 32;

/** A path without escapes or a query. */
const firstLine = /^POST (\/[A-Za-z0-9._~/:-]{1,1000}) HTTP\/1\.1\r\n/;
/** A token, a colon, printable ASCII: no control characters, no folded lines, no bare line ends. Source: RFC 9112 §5. */
const headerLine = /([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:[!-~](?:[ -~]*[!-~])?)?)[ \t]*\r\n/y;
/** What changes how a request is framed, answered or allowed beyond its tokens: all of it is Node's and the dispatcher's. */
const others: ReadonlySet<string> = new Set([
  "transfer-encoding",
  "trailer",
  "te",
  "upgrade",
  "http2-settings",
  "expect",
  "content-encoding",
  "proxy-connection",
  "origin",
  "cookie",
]);

/**
 * Reads the head of a request, the empty line at its end included, if it is a plain one: a POST over HTTP/1.1 with a length, kept
 * open, no header twice, and nothing in it that two readers could take in two ways.
 *
 * @returns Null for every other: it is not wrong for that.
 */
export function readPlainHead(text: string): PlainHead | null {
  const target = firstLine.exec(text)?.[1];
  if (target === undefined) return null;
  const headers: Record<string, string> = {};
  const end = text.length - 2;
  let at = text.indexOf("\r\n") + 2;
  for (let count = 0; at < end; count++) {
    headerLine.lastIndex = at;
    const found = headerLine.exec(text);
    if (!found || count === mostHeaders) return null;
    const name = (found[1] as string).toLowerCase();
    if (name === "__proto__" || Object.hasOwn(headers, name) || others.has(name)) return null;
    headers[name] = found[2] as string;
    at = headerLine.lastIndex;
  }
  if (at !== end) return null;
  const { host, connection = "keep-alive", "content-length": length = "" } = headers;
  if (host === undefined || connection.toLowerCase() !== "keep-alive") return null;
  if (!/^\d{1,9}$/.test(length)) return null;
  return { target, headers, bodyBytes: Number(length) };
}
