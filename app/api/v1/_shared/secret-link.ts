import { portalEnv } from "@/lib/server/env";

/** The address of a page for the bearer of a code. What is behind the number sign reaches no server, and no log of one. */
export const secretLink = (path: string, code: string): string =>
  `${new URL(path, portalEnv().PORTAL_URL)}#${code}`;
