import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { setSecurityHeaders } from "./security-headers";

function policyOf(url: string): ReadonlyMap<string, readonly string[]> {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  const response = new ServerResponse(request);
  setSecurityHeaders(request, response);
  const text = String(response.getHeader("content-security-policy"));
  expect(request.headers["content-security-policy"]).toBe(text);
  return new Map(
    text.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources] as const;
    }),
  );
}

describe("the content security policy", () => {
  it("says of each kind of thing where a page may have it from", () => {
    const nonce = expect.stringMatching(/^'nonce-[A-Za-z0-9+/]{22}=='$/);
    expect(Object.fromEntries(policyOf("/endpoints/digits"))).toEqual({
      "default-src": ["'none'"],
      "script-src": ["'self'", nonce],
      "worker-src": ["'self'"],
      "style-src": ["'self'", nonce],
      "style-src-attr": ["'unsafe-inline'"],
      "img-src": ["'self'", "data:"],
      "font-src": ["'self'"],
      "connect-src": ["'self'"],
      "form-action": ["'self'"],
      "base-uri": ["'none'"],
      "frame-ancestors": ["'none'"],
      "object-src": ["'none'"],
    });
  });

  it("says the same of a static file, and no more", () => {
    expect(Object.fromEntries(policyOf("/_next/static/chunks/worker.js"))).toEqual({
      "default-src": ["'none'"],
      "script-src": ["'self'", "'wasm-unsafe-eval'"],
      "connect-src": ["'self'"],
      "frame-ancestors": ["'none'"],
    });
  });

  it("lets workers run WebAssembly, and pages not", () => {
    const worker = policyOf("/_next/static/chunks/worker.js").get("script-src");
    expect(worker).toEqual(["'self'", "'wasm-unsafe-eval'"]);
    for (const page of ["/", "/endpoints/digits", "/_next/data/x"]) {
      expect(policyOf(page).get("script-src")).toEqual([
        "'self'",
        expect.stringMatching(/^'nonce-/),
      ]);
    }
  });

  it.each(["/", "/_next/static/chunks/worker.js"])("allows %s no script of anybody else", (url) => {
    const policy = policyOf(url);
    expect(policy.get("default-src")).toEqual(["'none'"]);
    expect(policy.get("connect-src")).toEqual(["'self'"]);
    const scripts = [...(policy.get("script-src") ?? []), ...(policy.get("worker-src") ?? [])];
    for (const source of ["'unsafe-eval'", "'unsafe-inline'", "blob:", "data:", "*", "https:"]) {
      expect(scripts).not.toContain(source);
    }
  });

  it("lets a file of the interface do nothing where somebody opens it", () => {
    const policy = policyOf("/api/v1/artifacts/x/files/report");
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": ["'none'"],
      "frame-ancestors": ["'none'"],
      sandbox: [],
    });
  });

  it.each(["/", "/api/v1/engines", "/_next/static/chunks/a.js"])(
    "stands beside what keeps %s apart from other sites",
    (url) => {
      const request = Object.assign(new IncomingMessage(new Socket()), { url });
      const response = new ServerResponse(request);
      setSecurityHeaders(request, response);
      expect(response.getHeaders()).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
    },
  );

  it("gives each page a nonce of its own", () => {
    expect(policyOf("/").get("script-src")).not.toEqual(policyOf("/").get("script-src"));
  });
});
