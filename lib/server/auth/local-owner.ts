import type { Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database } from "@/lib/server/db";
import { portalEnv } from "@/lib/server/env";
import { OriginGuard, ownHosts } from "@/lib/server/http";

let owner: Promise<Scope> | undefined;

/**
 * The project of an installation without accounts, made by the first migration.
 *
 * @throws {AppError} `STORE_UNAVAILABLE`
 */
export async function ensureLocalOwner(): Promise<Scope> {
  owner ??= loadProject();
  try {
    return await owner;
  } catch (error) {
    owner = undefined;
    throw error;
  }
}

async function loadProject(): Promise<Scope> {
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
  const refusal = originGuard().refusalOf({
    method: request.method,
    host: request.headers.get("host"),
    origin: request.headers.get("origin"),
    fetchSite: request.headers.get("sec-fetch-site"),
  });
  if (refusal) throw refusal;
  return await ensureLocalOwner();
}

function originGuard(): OriginGuard {
  const env = portalEnv();
  const known = [...ownHosts(env.PORTAL_URL, env.PORTAL_PORT), ...env.PORTAL_ALLOWED_HOSTS];
  return new OriginGuard({ known, opensReads: true });
}
