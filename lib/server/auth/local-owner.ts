import type { Scope } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { database } from "@/lib/server/db";

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
