import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const fixed = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Server-rendered style attributes need `style-src-attr`. */
const pagePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");

/** A worker obeys the policy that its own script came with: only there, off the page, designs run as WebAssembly. */
const scriptPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'";

/** Logs, reports, models and drawings come from here, which somebody else wrote: opened by itself, none may do anything. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * Sets the headers every answer leaves with: what a route sets beside them, Next.js drops. It takes the nonce from the
 * request's copy of the policy.
 */
export function setSecurityHeaders(request: IncomingMessage, response: ServerResponse): void {
  const text = policyOf(request.url ?? "");
  request.headers["content-security-policy"] = text;
  response.setHeader("content-security-policy", text);
  for (const [name, value] of Object.entries(fixed)) response.setHeader(name, value);
}

function policyOf(url: string): string {
  if (url.startsWith("/_next/static/")) return scriptPolicy;
  if (url.startsWith("/api/")) return apiPolicy;
  return pagePolicy(randomBytes(16).toString("base64"));
}
