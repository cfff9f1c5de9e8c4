import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type AppError, fail } from "@/lib/common/errors";

/** What decides whether a request may come in at all; every reader of it takes these four texts and nothing else. */
export interface Provenance {
  readonly method: string;
  readonly host: string | null;
  readonly origin: string | null;
  readonly fetchSite: string | null;
}

/** Under which names the server is known. */
export interface OriginGuardOptions {
  /** Further `host:port` that may stand in `Host` and `Origin`, beside loopback names in `Host`. */
  readonly known: Iterable<string>;
  /** Whether pages of other sites may make a browser read: they link to pages, but not to an interface. */
  readonly opensReads: boolean;
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** The `host:port` texts of a server of ours: that of its public address, and the loopback names on its port. */
export function ownHosts(url: string, port: number): readonly string[] {
  return [new URL(url).host, ...loopbackNames.map((name) => `${name}:${port}`)];
}

/**
 * Refuses names that are not ours, since anybody's name can be rebound to our address, and what a page of another site makes
 * a browser send. Programs send no `Origin` and no `Sec-Fetch-Site`, and pass. A loopback name is ours on every port: a
 * container may be reached through another one than it listens on.
 */
export class OriginGuard {
  private readonly known: ReadonlySet<string>;
  private readonly opensReads: boolean;

  constructor({ known, opensReads }: OriginGuardOptions) {
    this.known = new Set([...known].map((host) => host.toLowerCase()));
    this.opensReads = opensReads;
  }

  /** Why a request may not come in, `HOST_UNKNOWN` or `CSRF`; null: it may. */
  refusalOf({ method, host, origin, fetchSite }: Provenance): AppError | null {
    const name = host?.toLowerCase() ?? "";
    if (!this.known.has(name) && !loopbackNames.includes(name.replace(/:\d+$/, ""))) {
      return fail("HOST_UNKNOWN", "This address is not one that Boardwalk answers to.", {
        hint: "Use the address that `npm start` printed, or add this one to PORTAL_ALLOWED_HOSTS.",
      });
    }
    if (this.opensReads && readingMethods.has(method)) return null;
    if (!this.isForeign({ host: name, origin, fetchSite })) return null;
    return fail("CSRF", "A page of another site asked for this, so it was not done.");
  }

  /** As `refusalOf`, for who shows a session: browsers say which page asks for a change, and a session is a browser's. */
  refusalOfSession(provenance: Provenance): AppError | null {
    const refusal = this.refusalOf(provenance);
    const { method, origin, fetchSite } = provenance;
    if (refusal || readingMethods.has(method) || origin !== null || fetchSite === "same-origin")
      return refusal;
    return fail("CSRF", "A change came with a session, and without the page that asked for it.", {
      hint: "Programs send a token instead of the cookie: `Authorization: Bearer bw_api_…`.",
    });
  }

  private isForeign({ host, origin, fetchSite }: Omit<Provenance, "method">): boolean {
    if (origin === null)
      return fetchSite !== null && fetchSite !== "same-origin" && fetchSite !== "none";
    if (!URL.canParse(origin)) return true;
    const from = new URL(origin).host;
    return from !== host && !this.known.has(from);
  }
}

/** The provenance of a request of a plain Node server. */
export function provenanceOf({
  method = "GET",
  headers,
}: Pick<IncomingMessage, "method" | "headers">): Provenance {
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
