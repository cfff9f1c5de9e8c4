import type { IncomingMessage } from "node:http";

/** Set by our own parts or by the framework for itself; from outside they could only deceive. `x-bw-timing` is a wish of callers. */
const internal =
  /^(x-middleware-|x-nextjs-|x-next-|x-forwarded-|x-bw-(?!timing$)|x-invoke-|x-matched-path$|forwarded$)/;

/** Takes internal headers off a request, in the parsed and in the raw list, before anything reads them. */
export function stripInternalHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) {
    if (internal.test(name)) delete request.headers[name];
  }
  const raw = request.rawHeaders;
  for (let i = raw.length - 2; i >= 0; i -= 2) {
    if (internal.test((raw[i] ?? "").toLowerCase())) raw.splice(i, 2);
  }
}

/** Set by the portal's front: the address that a request came from. */
export const clientHeader = "x-bw-client";
