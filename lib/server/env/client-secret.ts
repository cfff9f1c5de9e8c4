import { readFileSync } from "node:fs";

/**
 * By what the service that signs people in knows Boardwalk; undefined: it knows it by its name alone.
 *
 * @throws {Error} Where the file cannot be read.
 */
export function clientSecret(env: {
  readonly OIDC_CLIENT_SECRET?: string | undefined;
  readonly OIDC_CLIENT_SECRET_FILE?: string | undefined;
}): string | undefined {
  if (env.OIDC_CLIENT_SECRET_FILE === undefined) return env.OIDC_CLIENT_SECRET;
  // Editors end files with a line end.
  return readFileSync(env.OIDC_CLIENT_SECRET_FILE, "utf8").trim() || undefined;
}
