import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { shownToken } from "@/lib/server/auth";
import {
  clientHeader,
  createGuardedServer,
  type Identity,
  notOwner,
  type OriginGuard,
  type OwnerGuard,
  provenanceOf,
  sendError,
  stripInternalHeaders,
} from "@/lib/server/http";
import { pageMethodFault, wordMethodRefusal } from "./method-refusal";
import { setSecurityHeaders } from "./security-headers";

/** Who may pass the front, and what answers behind it: pages, or tensors at the gateway. */
export interface FrontOptions {
  readonly guard: OriginGuard;
  readonly owner: OwnerGuard;
  readonly pages: RequestListener;
  readonly gateway: RequestListener;
  /** Those above are closed at once. */
  readonly maxConnections: number;
}

/**
 * The portal's own listener, before Next.js: unknown hosts get 421, requests of other sites' pages that would change
 * something 403, callers who are not the owner 403 or 401, headers that only our own parts may set are taken off, and tensors
 * go to the gateway.
 */
export function createFront({
  guard,
  owner,
  pages,
  gateway,
  maxConnections,
}: FrontOptions): Server {
  const answer = (request: IncomingMessage, response: ServerResponse, identity: Identity) => {
    const passes =
      identity === "owner" || showsToken(request) || (identity === "unknown" && isSigned(request));
    if (!passes) return sendError(response, notOwner(identity));
    stripInternalHeaders(request);
    if (isForTensors(request)) return gateway(request, response);
    nameClient(request);
    setSecurityHeaders(request, response);
    const fault = pageMethodFault(request);
    if (fault) return sendError(response, fault);
    wordMethodRefusal(request, response, pages);
    return pages(request, response);
  };
  const server = createGuardedServer(
    { headersTimeout: 10_000, keepAliveTimeout: 75_000 },
    (request, response) => {
      const refusal = guard.refusalOf(provenanceOf(request));
      if (refusal) return sendError(response, refusal);
      if (keepToken(request, response, owner)) return;
      const identity = owner.identify(request);
      if (identity instanceof Promise) {
        void identity.then((told) => answer(request, response, told));
      } else answer(request, response, identity);
    },
  );
  server.maxConnections = maxConnections;
  return server;
}

/** Programs with a token come past the front, to be judged by it where it is wanted: by the API and the gateway. */
const showsToken = ({ url = "", headers }: IncomingMessage) =>
  shownToken(headers.authorization) !== undefined && isForPrograms(url);

/** By the path as the pages' router has it: no step up in it leads out. */
function isForPrograms(url: string): boolean {
  const whole = `http://portal${url}`;
  return URL.canParse(whole) && /^\/(v[12]|api\/v1)(\/|$)/.test(new URL(whole).pathname);
}

/** Pages and the API have no socket to ask. */
function nameClient({ headers, rawHeaders, socket }: IncomingMessage): void {
  const address = socket.remoteAddress ?? "";
  headers[clientHeader] = address;
  rawHeaders.push(clientHeader, address);
}

const isForTensors = ({ url = "" }: IncomingMessage) => /^\/v[12](\/|$|\?)/.test(url);

/** Calls of board servers carry proofs of their own, a code or a signature, and come from other hosts and containers as well. */
const isSigned = ({ url = "" }: IncomingMessage) =>
  /^\/api\/board-server\/v1\/(enrol|poll|artifacts\/[\w:]+\/files\/[\w:]+)$/.test(url);

/** Takes the owner's token out of an address that a browser opens: from then on a cookie stands for it. */
function keepToken(request: IncomingMessage, response: ServerResponse, owner: OwnerGuard): boolean {
  const { url = "", method, socket } = request;
  if (method !== "GET" || !/[?&]token=/.test(url) || isForTensors(request)) return false;
  const { pathname, searchParams } = new URL(`http://portal${url}`);
  const cookie = owner.cookieFor(socket, searchParams.get("token") ?? "");
  if (cookie === null) return false;
  searchParams.delete("token");
  const query = searchParams.size > 0 ? `?${searchParams.toString()}` : "";
  response.writeHead(303, {
    // One slash: two would begin the name of another host.
    location: `${pathname.replace(/^\/+/, "/")}${query}`,
    "set-cookie": cookie,
    "cache-control": "no-store, private",
    "referrer-policy": "no-referrer",
    "content-length": 0,
  });
  response.end();
  return true;
}
