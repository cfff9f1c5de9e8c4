import type { BoardKind, Build, Digest, NewRevision, Scope } from "@/lib/common/contract";
import { finalBuildStates, idPrefixes } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { Bell, type Tx, toId } from "@/lib/server/db";
import { createBuild } from "./create";
import { getBuild } from "./queries";
import { tellBuild } from "./transition";
import type { NewBuild } from "./types";

/** A bell may be missed. */
const longestLookMs = 5_000;

/** What an import is asked by. */
export interface NewImport extends Pick<NewBuild, "boardModel" | "boardKind" | "askedById"> {
  /** Where the archive lies, and its own digest. */
  readonly url: string;
  readonly archive: Digest;
}

/** Asks for the artifact of an archive, for no endpoint yet. Answers the shown id of the build. */
export async function requestImport(
  tx: Tx,
  scope: Scope,
  { url, archive, boardModel, boardKind, askedById = null }: NewImport,
): Promise<string> {
  const request = { engine: "prebuilt", model: { url, digest: archive } };
  return await requestBuild(tx, scope, {
    ...request,
    board: { model: boardModel, kind: boardKind },
    askedById,
  });
}

/** What a build for no endpoint is asked by: its board model, and its kind. */
export interface LoneBuild extends Omit<NewRevision, "board">, Pick<NewBuild, "askedById"> {
  readonly board: { readonly model: string; readonly kind: BoardKind };
}

/** Asks for an artifact, for no endpoint yet. Answers the shown id of the build. */
export async function requestBuild(
  tx: Tx,
  scope: Scope,
  { askedById = null, ...request }: LoneBuild,
): Promise<string> {
  const buildId = await createBuild(tx, {
    projectId: scope,
    request,
    boardModel: request.board.model,
    boardKind: request.board.kind,
    endpointName: null,
    askedById,
  });
  await tellBuild(tx, { buildId, projectId: scope });
  return toId(idPrefixes.build, buildId);
}

/** A build again and again, whenever something of it may have changed, and at last as it ended. */
export async function* followBuild(
  scope: Scope,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Build> {
  const bell = new Bell(["event"], { settleMs: 50 });
  try {
    for (;;) {
      const build = await readOrNull(scope, id);
      if (build) yield build;
      if (signal.aborted || (build && finalBuildStates.has(build.state))) return;
      await bell.wait(longestLookMs, signal);
    }
  } finally {
    void bell.close();
  }
}

/** Null while the database is away: a build goes on without whoever follows it. */
async function readOrNull(scope: Scope, id: string): Promise<Build | null> {
  try {
    return await getBuild(scope, id);
  } catch (error) {
    if (isAppError(error) && error.code === "unavailable") return null;
    throw error;
  }
}

/** Waits until a build has ended, for at most `timeoutMs`; then answers it as it is. */
export async function waitForBuild(
  scope: Scope,
  id: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Build> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let last: Build | null = null;
  for await (const build of followBuild(scope, id, over)) last = build;
  return last ?? (await getBuild(scope, id));
}
