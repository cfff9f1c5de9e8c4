import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "@/lib/common/errors";
import { errorBody } from "@/lib/server/http";

/** Next.js answers a method that a route of the API does not have by a bare 405: this gives it the words of every other refusal. */
export function wordMethodRefusal({ method, url = "" }: IncomingMessage, response: ServerResponse) {
  const path = url.split("?", 1)[0] ?? "";
  if (!path.startsWith("/api/")) return;
  const { writeHead, end } = response;
  let words: string | null = null;
  // Its compression writes the head by itself before it ends the answer: the words are in the head already, as their length.
  response.writeHead = ((status: number, ...rest: []) => {
    if (status === 405 && !response.hasHeader("content-type")) {
      const requestId = randomUUID();
      const error = fail("METHOD_NOT_ALLOWED", `${path.slice(0, 200)} does not take ${method}.`, {
        hint: "OPTIONS on the same address says which methods it takes.",
      });
      words = JSON.stringify(errorBody(error, requestId));
      response.setHeader("content-type", "application/json; charset=utf-8");
      response.setHeader("content-length", Buffer.byteLength(words));
      response.setHeader("x-request-id", requestId);
    }
    return writeHead.call(response, status, ...rest);
  }) as ServerResponse["writeHead"];
  response.end = ((...given: Parameters<ServerResponse["end"]>) => {
    if (response.statusCode === 405 && !response.headersSent) response.writeHead(405);
    return words === null ? end.apply(response, given) : end.call(response, words, "utf8");
  }) as ServerResponse["end"];
}
