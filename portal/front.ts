import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { toAppError } from "@/lib/common/errors";
import { shownToken } from "@/lib/server/auth";
import {
  type BodyPace,
  ConnectionCap,
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
import { closeUnread } from "./close-unread";
import { pageMethodFault, wordMethodRefusal } from "./method-refusal";
import { setSecurityHeaders } from "./security-headers";

/** Who may pass the front, and what answers behind it: pages, or tensors at the gateway. */
export interface FrontOptions {
  readonly guard: OriginGuard;
  /**
   * How the one owner is known; or, where people have accounts, whether a request is of somebody who is signed in: everything
   * behind the front asks itself who they are.
   */
  readonly owner: OwnerGuard | ((request: IncomingMessage) => Promise<boolean>);
  readonly pages: RequestListener;
  readonly gateway: RequestListener;
  /** Those above are closed at once. */
  readonly maxConnections: number;
  /** Connections of one client; those above get 429. */
  readonly maxClientConnections: number;
  readonly slowestBody?: BodyPace;
}

/** 1 KiB a second, looked at once a minute. */
const usualBody: BodyPace = { bytes: 60 * 1024, withinMs: 60_000 };

/**
 * The portal's own listener, before Next.js: unknown hosts get 421, requests of other sites' pages that would change
 * something 403, headers that only our own parts may set are taken off, and tensors go to the gateway. Callers who are not the owner
 * get 403 or 401; where people have accounts, a page for which nobody is signed in leads to the one that they sign in on.
 */
export function createFront({
  guard,
  owner,
  pages,
  gateway,
  maxConnections,
  maxClientConnections,
  slowestBody = usualBody,
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
    closeUnread(request, response);
    wordMethodRefusal(request, response, pages);
    return pages(request, response);
  };
  const answerPerson = async (request: IncomingMessage, response: ServerResponse) => {
    if (isForPeople(request) && owner instanceof Function) {
      try {
        if (!(await owner(request))) return leadToSignIn(request, response);
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.reason === "RATE_LIMITED") return sendError(response, error);
        // Where the database is away, the page says so itself.
      }
    }
    return answer(request, response, "owner");
  };
  const connections = new ConnectionCap(maxClientConnections);
  const server = createGuardedServer(
    {
      headersTimeout: 10_000,
      keepAliveTimeout: 75_000,
      // A model may take as long as it takes, at some pace.
      requestTimeout: 0,
      slowestBody,
      admit: (socket) => connections.admit(socket),
    },
    (request, response) => {
      const refusal = guard.refusalOf(provenanceOf(request));
      if (refusal) return sendError(response, refusal);
      if (owner instanceof Function) return void answerPerson(request, response);
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

/** Pages but those that somebody comes in by, and none of their parts: the API says itself who may ask it. */
function isForPeople({ url = "", method }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const path = addressOf(url)?.pathname ?? url;
  return (
    !/^\/(api|_next|v[12]|sign-in|invitation|new-password|shared|[a-z]+_isvc)(\/|$)/.test(path) &&
    !/\.(ico|svg)$/.test(path)
  );
}

/** To the page that somebody signs in on, which leads back. */
function leadToSignIn({ url = "/" }: IncomingMessage, response: ServerResponse): void {
  const next = pathOf(url, "_rsc");
  response.writeHead(303, {
    location: next === "/" ? "/sign-in" : `/sign-in?${new URLSearchParams({ next })}`,
    "cache-control": "no-store, private",
    "content-length": 0,
  });
  response.end();
}

/** A page of ours, as the pages' router has it, without one part of its query. */
function pathOf(url: string, without: string): string {
  const address = addressOf(url);
  if (!address) return "/";
  const { pathname, searchParams } = address;
  searchParams.delete(without);
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  // One slash: two would begin the name of another host.
  return `${pathname.replace(/^\/+/, "/")}${query}`;
}

/** By the path as the pages' router has it: no step up in it leads out. */
const isForPrograms = (url: string): boolean =>
  /^\/(v[12]|api\/v1)(\/|$)/.test(addressOf(url)?.pathname ?? "");

/** What a request asks for, with the steps up in it taken; null for what is no address. */
function addressOf(url: string): URL | null {
  const whole = `http://portal${url}`;
  return URL.canParse(whole) ? new URL(whole) : null;
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
  const token = new URL(`http://portal${url}`).searchParams.get("token") ?? "";
  const cookie = owner.cookieFor(socket, token);
  if (cookie === null) return false;
  response.writeHead(303, {
    location: pathOf(url, "token"),
    "set-cookie": cookie,
    "cache-control": "no-store, private",
    "referrer-policy": "no-referrer",
    "content-length": 0,
  });
  response.end();
  return true;
}
