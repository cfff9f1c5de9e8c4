import { readdirSync } from "node:fs";
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { pageMethodFault, wordMethodRefusal } from "./method-refusal";

function requestOf(method: string, url: string): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method, url });
}

/** Addresses of the files of that name below `app`. */
const addressesOf = (name: string) =>
  readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => file === name || file.endsWith(`/${name}`))
    .map((file) => `/${file.slice(0, -name.length).replace(/\/$/, "")}`);
const [pages, routes] = [addressesOf("page.tsx"), addressesOf("route.ts")];

describe("a method that changes something", () => {
  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s has no page", (method) => {
    expect(pages.length).toBeGreaterThan(12);
    for (const url of [...pages, "/endpoints/create_isvc", "/create_isvcs"]) {
      expect([url, pageMethodFault(requestOf(method, url))]).toMatchObject([
        url,
        { reason: "METHOD_NOT_ALLOWED", details: { allow: "GET, HEAD" } },
      ]);
    }
    expect(routes.length).toBeGreaterThan(60);
    for (const url of routes)
      expect([url, pageMethodFault(requestOf(method, url))]).toEqual([url, null]);
  });

  it.each(["GET", "HEAD"])("is none of %s", (method) => {
    for (const url of pages) expect(pageMethodFault(requestOf(method, url))).toBeNull();
  });
});

describe("a route without a method", () => {
  /** As Next.js answers, with and without its compression. */
  const next =
    (isCompressed: boolean): RequestListener =>
    ({ method }, response) => {
      if (method === "OPTIONS") response.setHeader("allow", "GET, HEAD, OPTIONS");
      response.statusCode = method === "OPTIONS" ? 204 : 405;
      if (isCompressed) response.writeHead(response.statusCode);
      response.end();
    };

  it.each([true, false])(
    "is refused in words, with those that it has (compressed: %s)",
    async (isCompressed) => {
      const request = requestOf("DELETE", "/api/v1/engines?x=1");
      const response = new ServerResponse(request);
      let head: unknown[] = [];
      response.writeHead = ((...given: unknown[]) => {
        head = given;
        return response;
      }) as ServerResponse["writeHead"];
      const ended = new Promise<string>((resolve) => {
        response.end = ((text: string) => resolve(text)) as unknown as ServerResponse["end"];
      });
      const listener = next(isCompressed);
      wordMethodRefusal(request, response, listener);
      listener(request, response);
      expect(JSON.parse(await ended).error).toMatchObject({
        reason: "METHOD_NOT_ALLOWED",
        message: "/api/v1/engines does not take DELETE.",
        hint: "It takes GET, HEAD, OPTIONS.",
      });
      expect(head).toEqual([405, expect.objectContaining({ allow: "GET, HEAD, OPTIONS" })]);
    },
  );
});
