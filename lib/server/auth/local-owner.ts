import type { Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database } from "@/lib/server/db";
import { portalEnv } from "@/lib/server/env";
import { allowedHosts, isForeign, isKnownHost } from "@/lib/server/http";

let owner: Promise<Scope> | undefined;

/**
 * The project of an installation without accounts, made by the first migration.
 *
 * @throws {AppError} `STORE_UNAVAILABLE`
 */
async function ensureLocalOwner(): Promise<Scope> {
  owner ??= findProject();
  try {
    return await owner;
  } catch (error) {
    owner = undefined;
    throw error;
  }
}

async function findProject(): Promise<Scope> {
  const project = await database().project.findUnique({ where: { name: "default" } });
  if (!project) throw fail("INTERNAL", "The database has no project: run the migrations.");
  return project.id as Scope;
}

/**
 * Proves who asks. In local-owner mode that is whoever reaches us under one of our own names, as long as no other site's page
 * asks for a change: any page can post to localhost.
 *
 * @throws {AppError} `HOST_UNKNOWN`, `CSRF`
 */
export async function authenticate(request: Request): Promise<Scope> {
  const env = portalEnv();
  const allowed = allowedHosts({
    url: env.PORTAL_URL,
    port: env.PORTAL_PORT,
    extra: env.PORTAL_ALLOWED_HOSTS,
  });
  const provenance = {
    method: request.method,
    host: request.headers.get("host"),
    origin: request.headers.get("origin"),
    fetchSite: request.headers.get("sec-fetch-site"),
  };
  if (!isKnownHost(provenance, allowed))
    throw fail("HOST_UNKNOWN", "This address is not one that Boardwalk answers to.");
  if (isForeign(provenance, allowed))
    throw fail("CSRF", "A page of another site asked for this, so it was not done.");
  return await ensureLocalOwner();
}
