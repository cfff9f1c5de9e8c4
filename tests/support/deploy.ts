import { prepareDeploy, prepareRevision } from "@/domain/endpoints";
import type { Deployed, NewEndpoint, NewRevision, Scope } from "@/lib/common/contract";
import { withTransaction } from "@/lib/server/db";

/** Puts a model behind a new name: endpoint, revision, build, first transition and job in one transaction. */
export async function deploy(
  scope: Scope,
  request: NewEndpoint,
  options?: Parameters<typeof prepareDeploy>[2],
): Promise<Deployed> {
  return await withTransaction(await prepareDeploy(scope, request, options));
}

/** Puts a further revision behind an endpoint's name. */
export async function addRevision(
  scope: Scope,
  name: string,
  request: NewRevision,
  options?: Parameters<typeof prepareRevision>[3],
): Promise<Deployed> {
  return await withTransaction(await prepareRevision(scope, name, request, options));
}
