import type { IncomingMessage } from "node:http";
import { type AppError, fail } from "@/lib/common/errors";

export interface Guard {
  /**
   * Refuses what a web page of another site makes a browser send, and names that are not ours (DNS rebinding). Plain
   * clients send no `Origin` and no `Sec-Fetch-Site`, and pass.
   *
   * @throws {AppError} `HOST_UNKNOWN`, `CSRF`.
   */
  check(request: IncomingMessage): void;
}

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Guards local-owner mode.
 *
 * @param allowed Further `host:port` that may stand in `Host` and `Origin`, beside loopback names.
 */
export function createGuard(allowed: readonly string[]): Guard {
  const known = new Set(allowed.map((host) => host.toLowerCase()));
  return {
    check({ headers }) {
      const host = headers.host?.toLowerCase() ?? "";
      if (!known.has(host) && !loopbackNames.has(host.replace(/:\d+$/, ""))) {
        throw fail("HOST_UNKNOWN", "this server is not known under the name in the Host header");
      }
      const { origin } = headers;
      if (origin !== undefined) {
        const from = hostOf(origin);
        if (from === null || (from !== host && !known.has(from))) throw foreign();
        return;
      }
      const site = headers["sec-fetch-site"];
      if (site === "cross-site" || site === "same-site") throw foreign();
    },
  };
}

function foreign(): AppError {
  return fail("CSRF", "a page of another site may not call this server");
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host.toLowerCase();
  } catch {
    return null;
  }
}
