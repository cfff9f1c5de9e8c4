import { createBuild, tellBuild } from "@/domain/builds";
import { recordEvent } from "@/domain/events";
import { requireBoardRoom } from "@/domain/quotas";
import type { ModelSources } from "@/domain/sources";
import {
  type Deployed,
  endpointStateSchema,
  idPrefixes,
  type NewEndpoint,
  type NewRevision,
  type Scope,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { type Tx, toId, toJson, uuidv7 } from "@/lib/server/db";
import { checkName, checkRevision } from "./checks";
import { lockEndpoint } from "./locked-endpoint";
import { endpointPath } from "./paths";
import { type Reading, refuseUnbuildable } from "./refuse-unbuildable";
import { nextTurn } from "./turns";
import type { CheckedRevision } from "./types";

interface DeployOptions {
  /** Where models may come from beyond public `https` and the installation's own store; left out: from nowhere. */
  readonly sources?: ModelSources;
  /** UUID of the person who asks for the build, and whose a new endpoint is; null without accounts. */
  readonly personId?: string | null;
}

const nowhere: ModelSources = { allowedHosts: [], connections: [] };

interface NewDeployOptions extends DeployOptions {
  /** Has the model read first, and refuses what cannot be built; left out: the build finds out. */
  readonly reading?: Reading;
}

/**
 * Checks a deploy before its transaction, since checks read and may be slow; answers the write that does it.
 *
 * @throws {AppError} `NAME_INVALID`, or what `checkRevision` and `refuseUnbuildable` throw.
 */
export async function prepareDeploy(
  scope: Scope,
  { name, access = "all", ...request }: NewEndpoint,
  { sources = nowhere, reading, personId = null }: NewDeployOptions = {},
): Promise<(tx: Tx) => Promise<Deployed>> {
  checkName(name);
  const checked = await checkRevision(request, { projectId: scope, sources });
  if (reading) await refuseUnbuildable(scope, checked, reading);
  return async (tx) => {
    const id = uuidv7();
    const made = await tx.$executeRaw`
      INSERT INTO endpoint (id, project_id, name, access, owner_id)
        VALUES (${id}::uuid, ${scope}::uuid, ${name}, ${access}, ${personId}::uuid)
      ON CONFLICT (name) WHERE deleted_at IS NULL DO NOTHING`;
    if (made === 0)
      throw fail("NAME_TAKEN", `The name "${name}" is taken.`, {
        field: "name",
        hint: "Choose another, or add a revision to the endpoint that has it.",
      });
    return await writeRevision(tx, scope, { id, name, personId }, checked);
  };
}

/** Like `prepareDeploy`, for a further revision. @throws {AppError} `ENDPOINT_UNKNOWN`; `STATE_CONFLICT` while it is deleted. */
export async function prepareRevision(
  scope: Scope,
  name: string,
  request: NewRevision,
  { sources = nowhere, personId = null }: DeployOptions = {},
): Promise<(tx: Tx) => Promise<Deployed>> {
  const checked = await checkRevision(request, { projectId: scope, sources });
  return async (tx) => {
    const { id } = await lockEndpoint(tx, scope, name);
    return await writeRevision(tx, scope, { id, name, personId }, checked);
  };
}

async function writeRevision(
  tx: Tx,
  scope: Scope,
  endpoint: { readonly id: string; readonly name: string; readonly personId: string | null },
  { request, boardModel, boardKind, boardId }: CheckedRevision,
): Promise<Deployed> {
  await requireBoardRoom(tx, scope, {
    endpointId: endpoint.id,
    wanted: request.serving?.replicas ?? 1,
  });
  const ordinal = await nextOrdinal(tx, endpoint.name);
  const turn = await nextTurn(tx, endpoint.id);
  const buildId = await createBuild(tx, {
    projectId: scope,
    request,
    boardModel,
    boardKind,
    endpointName: endpoint.name,
    askedById: endpoint.personId,
  });
  await tx.revision.create({
    data: {
      id: uuidv7(),
      projectId: scope,
      endpointId: endpoint.id,
      ordinal,
      turn,
      request: toJson(request),
      engine: request.engine,
      boardModel,
      boardKind,
      boardId,
      modelUrl: request.model.url,
      buildId,
    },
  });
  const { state } = await tx.endpoint.findUniqueOrThrow({
    where: { id: endpoint.id },
    select: { state: true },
  });
  await tellBuild(tx, { buildId, projectId: scope });
  await recordEvent(tx, { projectId: scope, noun: "endpoint", id: endpoint.name });
  return {
    name: endpoint.name,
    state: endpointStateSchema.parse(state),
    buildId: toId(idPrefixes.build, buildId),
    url: endpointPath(endpoint.name),
    revision: ordinal,
  };
}

/** Never used again for this name, even after the endpoint was deleted and made anew. */
async function nextOrdinal(tx: Tx, name: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ ordinal: number }[]>`
    INSERT INTO endpoint_ordinal (name, last_ordinal) VALUES (${name}, 1)
    ON CONFLICT (name) DO UPDATE SET last_ordinal = endpoint_ordinal.last_ordinal + 1
    RETURNING last_ordinal AS ordinal`;
  return row?.ordinal ?? 1;
}
