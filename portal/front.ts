import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { fail } from "@/lib/common/errors";
import { isAllowedHost, isForeignWrite, sendError, stripInternalHeaders } from "@/lib/server/http";
import { setSecurityHeaders } from "./security-headers";

export interface FrontOptions {
  /** `host:port` texts that may stand in `Host`. */
  readonly allowedHosts: ReadonlySet<string>;
  readonly pages: RequestListener;
  readonly gateway: RequestListener;
}

/**
 * The portal's own listener, before Next.js: unknown hosts get 421, requests of other sites' pages that would change
 * something 403, upgrades are refused, headers that only our own parts may set are taken off, and tensors go to the gateway.
 */
export function createFront({ allowedHosts, pages, gateway }: FrontOptions): Server {
  const server = createServer(
    { maxHeaderSize: 16_384, headersTimeout: 10_000, keepAliveTimeout: 75_000 },
    (request, response) => {
      if (!isAllowedHost(request, allowedHosts)) {
        return sendError(
          response,
          fail("HOST_UNKNOWN", "This address is not one that Boardwalk answers to.", {
            hint: "Use the address that `npm start` printed, or add this one to PORTAL_ALLOWED_HOSTS.",
          }),
        );
      }
      if ((request.url?.length ?? 0) > 2048) {
        return sendError(
          response,
          fail("URL_TOO_LONG", "The address is longer than 2,048 characters."),
        );
      }
      if (isForeignWrite(request, allowedHosts)) {
        return sendError(
          response,
          fail("CSRF", "A page of another site asked for this, so it was not done."),
        );
      }
      if (isForTensors(request)) return gateway(request, response);
      stripInternalHeaders(request);
      setSecurityHeaders(request, response);
      return pages(request, response);
    },
  );
  refuseUpgrades(server);
  return server;
}

const isForTensors = ({ url = "" }: IncomingMessage) => /^\/v[12](\/|$|\?)/.test(url);

/** Answers every upgrade itself and lets nobody else listen for one: Next.js adds a listener of its own later. */
function refuseUpgrades(server: Server): void {
  server.on("upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  const add = server.on.bind(server);
  server.on = ((event: string, listener: (...args: unknown[]) => void) =>
    event === "upgrade" ? server : add(event, listener)) as Server["on"];
  server.addListener = server.on;
}
