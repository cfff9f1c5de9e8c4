import type { Build, Digest, NewRevision, Scope } from "@/lib/common/contract";
import { finalBuildStates, idPrefixes } from "@/lib/common/contract";
import { Bell, type Tx, toId } from "@/lib/server/db";
import { createBuild } from "./create";
import { getBuild } from "./queries";
import { tellBuild } from "./transition";
import type { NewBuild } from "./types";

export interface NewImport extends Pick<NewBuild, "boardModel" | "boardKind"> {
  /** Where the archive lies, and its own digest. */
  readonly url: string;
  readonly archive: Digest;
}

/** Asks for the artifact of an archive, for no endpoint yet. Answers the shown id of the build. */
export async function requestImport(
  tx: Tx,
  scope: Scope,
  { url, archive, boardModel, boardKind }: NewImport,
): Promise<string> {
  const request: NewRevision = {
    engine: "prebuilt",
    model: { url, digest: archive },
    board: { model: boardModel, kind: boardKind },
  };
  const buildId = await createBuild(tx, {
    projectId: scope,
    request,
    boardModel,
    boardKind,
    endpointName: null,
  });
  await tellBuild(tx, { buildId, projectId: scope });
  return toId(idPrefixes.build, buildId);
}

/** Waits until a build has ended, for at most `timeoutMs`; then answers it as it is. */
export async function waitForBuild(
  scope: Scope,
  id: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Build> {
  const end = performance.now() + timeoutMs;
  const bell = new Bell(["event"], { settleMs: 50 });
  try {
    for (;;) {
      const build = await getBuild(scope, id);
      const leftMs = end - performance.now();
      if (finalBuildStates.has(build.state) || leftMs <= 0 || signal.aborted) return build;
      await bell.wait(leftMs, signal);
    }
  } finally {
    void bell.close();
  }
}
