import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** What decides whether a request may come in at all; every reader of it takes these four texts and nothing else. */
export interface Provenance {
  readonly method: string;
  readonly host: string | null;
  readonly origin: string | null;
  readonly fetchSite: string | null;
}

const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The `host:port` texts under which a server of ours may be asked for: that of its public address, the loopback names, and
 * those an administrator listed. It is what stops a name that was rebound to our address.
 */
export function allowedHosts(options: {
  readonly url: string;
  readonly port: number;
  readonly extra?: readonly string[];
}): ReadonlySet<string> {
  const loopback = ["localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${options.port}`);
  const listed = (options.extra ?? []).map((entry) => entry.toLowerCase());
  return new Set([new URL(options.url).host, ...loopback, ...listed]);
}

export function isKnownHost({ host }: Provenance, allowed: ReadonlySet<string>): boolean {
  return host !== null && allowed.has(host.toLowerCase());
}

/** Whether the page of another site asks for a change. Programs send neither header and are no such page. */
export function isForeign(
  { method, origin, fetchSite }: Provenance,
  allowed: ReadonlySet<string>,
): boolean {
  if (readingMethods.has(method)) return false;
  if (origin !== null) return !(URL.canParse(origin) && allowed.has(new URL(origin).host));
  return fetchSite !== null && fetchSite !== "same-origin" && fetchSite !== "none";
}

/** For plain Node servers: whether `Host` is one of ours. */
export function isAllowedHost(request: IncomingMessage, allowed: ReadonlySet<string>): boolean {
  return isKnownHost(provenanceOf(request), allowed);
}

/** For plain Node servers: whether the page of another site asks for a change. */
export function isForeignWrite(request: IncomingMessage, allowed: ReadonlySet<string>): boolean {
  return isForeign(provenanceOf(request), allowed);
}

function provenanceOf({ method = "GET", headers }: IncomingMessage): Provenance {
  return {
    method,
    host: headers.host ?? null,
    origin: headers.origin ?? null,
    fetchSite: one(headers, "sec-fetch-site"),
  };
}

function one(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
