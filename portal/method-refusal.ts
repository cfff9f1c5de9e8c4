import {
  IncomingMessage,
  type RequestListener,
  type ServerResponse as Response,
  ServerResponse,
} from "node:http";
import { Socket } from "node:net";
import { type AppError, fail } from "@/lib/common/errors";
import { sendError } from "@/lib/server/http";

/** What is no page: `/api`, the calls of BondMachine's original services, and what Next.js keeps for itself. */
const routes = /^\/(api\/|_next\/|__nextjs_|(create|delete|list)_isvc(\?|$))/;

/** Next.js draws a page for any method: only reading has one. Null for a request that may go on. */
export function pageMethodFault(request: IncomingMessage): AppError | null {
  const { method = "", url = "" } = request;
  if (routes.test(url) || method === "GET" || method === "HEAD") return null;
  return methodNotAllowed(request, "GET, HEAD");
}

/**
 * Next.js answers a method that a route does not have by a bare 405: this gives it the words of every other refusal, and the
 * methods that the route has.
 *
 * @param pages Asked for those methods, as nobody else knows them.
 */
export function wordMethodRefusal(
  request: IncomingMessage,
  response: Response,
  pages: RequestListener,
): void {
  const { writeHead, end } = response;
  let isRefused = false;
  const notice = (status: number) => {
    isRefused ||= status === 405 && !response.headersSent && !response.hasHeader("content-type");
    return isRefused;
  };
  // Its compression writes the head by itself before it ends the answer: the head waits for the methods.
  response.writeHead = ((status: number, ...rest: []) =>
    notice(status) ? response : writeHead.call(response, status, ...rest)) as Response["writeHead"];
  response.end = ((...given: Parameters<Response["end"]>) => {
    if (!notice(response.statusCode)) return end.apply(response, given);
    Object.assign(response, { writeHead, end });
    void methodsOf(request, pages).then((allow) =>
      sendError(response, methodNotAllowed(request, allow)),
    );
    return response;
  }) as Response["end"];
}

/** What the route answers to OPTIONS, asked without a connection. */
function methodsOf({ url = "", headers: { host } }: IncomingMessage, pages: RequestListener) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: "OPTIONS", url, headers: { host } });
  request.push(null);
  const response = new ServerResponse(request);
  return new Promise<string>((resolve) => {
    response.end = () => {
      resolve(String(response.getHeader("allow") ?? ""));
      return response;
    };
    pages(request, response);
  });
}

function methodNotAllowed({ method, url = "" }: IncomingMessage, allow: string): AppError {
  const path = url.split("?", 1)[0]?.slice(0, 200);
  return fail("METHOD_NOT_ALLOWED", `${path} does not take ${method}.`, {
    hint: `It takes ${allow}.`,
    details: { allow },
  });
}
