import { exportArtifacts, listArtifacts } from "@/domain/artifacts";
import { type NewImport, requestImport, waitForBuild } from "@/domain/builds";
import { storeModel } from "@/domain/models";
import {
  artifactListQuerySchema,
  exportedArtifactSchema,
  type FoundFirmware,
  finalBuildStates,
  type ImportedArtifact,
  importedArtifactSchema,
  listedArtifactSchema,
  pageOf,
  type Scope,
} from "@/lib/common/contract";
import { fail, isReason } from "@/lib/common/errors";
import { defineHandler } from "@/lib/server/handler";
import { exportFile, exportFormat } from "../_shared/export";
import { type KeptUpload, keepUpload } from "../_shared/keep-upload";
import { receiveUpload } from "../_shared/upload";

export const dynamic = "force-dynamic";

const importMs = 120_000;

export const GET = defineHandler({
  name: "artifacts.list",
  needs: "read",
  summary:
    "Artifacts that builds of the project made or reused and that match, newest first or as `sort` says, page by page; with `format`, or `Accept: text/csv`, all of them as one file.",
  query: artifactListQuerySchema,
  response: pageOf(listedArtifactSchema),
  rawResponse: "text/csv",
  handle: async ({ scope, query: { format: asked, ...query }, request }) => {
    const format = exportFormat(asked, request);
    if (format === null) return await listArtifacts(scope, query);
    return exportFile({
      name: "firmware",
      format,
      columns: Object.keys(exportedArtifactSchema.shape),
      rows: exportArtifacts(scope, query),
    });
  },
});

export const POST = defineHandler({
  name: "artifacts.import",
  needs: "build",
  counts: "submit",
  summary:
    "Takes an artifact of another installation: the archive that it exported (multipart field `file`, up to 512 MiB), judged by a build worker byte for byte.",
  rawBody: "multipart/form-data",
  response: importedArtifactSchema,
  status: 201,
  idempotent: true,
  handle: async ({ caller, scope, request, idempotencyKey, signal }) => {
    const upload = await receiveUpload(request, { what: "An archive" });
    const { name, digest, sizeBytes } = upload;
    try {
      const imported = await keepUpload(scope, upload, {
        idempotencyKey,
        signal,
        write: ({ url, inspection }: KeptUpload) => {
          const { artifactDigest, ...target } = targetOf(inspection.firmware);
          return async (tx): Promise<ImportedArtifact> => {
            await storeModel(tx, scope, { name, url, digest, sizeBytes, inspection });
            const buildId = await requestImport(tx, scope, {
              ...{ url, archive: digest, askedById: caller.personId },
              ...target,
            });
            return { digest: artifactDigest, url, buildId };
          };
        },
      });
      await untilStored(scope, imported, signal);
      return imported;
    } finally {
      await upload.close();
    }
  },
});

/** For which board an archive is imported. @throws {AppError} `ARTIFACT_INVALID`, `FIRMWARE_UNSERVABLE` */
function targetOf(
  firmware: FoundFirmware | undefined,
): Pick<NewImport, "boardModel" | "boardKind"> & { readonly artifactDigest: string } {
  const { boardModel, artifactDigest, boardKinds = [] } = firmware ?? {};
  if (boardModel === undefined || artifactDigest === undefined) {
    throw fail("ARTIFACT_INVALID", "The file is no archive of an artifact.", {
      field: "file",
      hint: "Take one from GET /api/v1/artifacts/DIGEST/archive. Models are uploaded to /api/v1/models.",
    });
  }
  const [boardKind] = boardKinds;
  if (boardKind) return { boardModel, boardKind, artifactDigest };
  throw fail(
    "FIRMWARE_UNSERVABLE",
    "The artifact has neither a model, a simulation nor a bitstream.",
    {
      field: "file",
    },
  );
}

/** @throws {AppError} Why it could not be stored. */
async function untilStored(
  scope: Scope,
  { buildId }: ImportedArtifact,
  signal: AbortSignal,
): Promise<void> {
  const build = await waitForBuild(scope, buildId, { timeoutMs: importMs, signal });
  if (build.state === "succeeded") return;
  const { problem } = build;
  if (finalBuildStates.has(build.state) && problem && isReason(problem.reason)) {
    throw fail(problem.reason, problem.message, { field: "file" });
  }
  throw fail("DEADLINE_EXCEEDED", "The artifact is judged, and not stored yet.", {
    hint: `Build ${build.id} is ${build.state}: it goes on by itself.`,
  });
}
