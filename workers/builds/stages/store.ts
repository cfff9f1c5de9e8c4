import { getBoardModel } from "@/boards";
import { holdObject } from "@/domain/artifacts";
import type { NewArtifact } from "@/domain/builds";
import type { Plan } from "@/engines";
import type { Digest, FileRole, Manifest, Report } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { digestOfJson, hexOf } from "@/lib/server/digest";
import { fault } from "@/lib/server/process";
import { buckets, keepObject, type ObjectStore } from "@/lib/server/storage";
import type { ArtifactKey } from "../artifact-key";
import { insist } from "../attempt";
import { measureProduct, streamProduct } from "../tools";
import { type AttemptContext, say } from "./attempt-context";

export interface StoreRequest {
  readonly plan: Plan;
  /** All that is known, for the database. */
  readonly report: Report;
  /** As much of it as every build of the plan finds alike: a file of the artifact. */
  readonly stored: Report;
  readonly sourceDigest: Digest;
  readonly toolVersions: Readonly<Record<string, string>>;
  readonly clockHz: number | null;
  readonly products: readonly { readonly role: FileRole; readonly path: string }[];
}

const reportPath = "artifact-report.json";

/**
 * Puts the products into the store under their digests, and says what they are in a signed manifest. Objects come
 * before the row that names them (R6), so what this leaves behind when it dies is an orphan, not a lie.
 *
 * @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID`; `OBJECT_DAMAGED` when the store keeps other bytes than these;
 *   `STORE_UNAVAILABLE` when it is away for too long.
 */
export async function storeArtifact(
  context: AttemptContext,
  request: StoreRequest,
  { store, key }: { readonly store: ObjectStore; readonly key: ArtifactKey },
): Promise<NewArtifact> {
  context.stages.enter("store");
  const { plan, report } = request;
  const files: Manifest["files"] = [];
  for (const { role, path } of await productsOf(context, request)) {
    files.push({ role, name: path, ...(await upload(context, store, path)) });
  }
  fault("worker.after-upload");
  const manifest = plan.manifest ? finished(plan.manifest, files) : manifestOf(request, files);
  const digest = digestOfJson(manifest);
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  say(context, `${files.length} files, ${sizeBytes} bytes, are stored as artifact ${digest}.`);
  return {
    digest,
    planDigest: plan.digest,
    manifest,
    signature: key.sign(digest),
    report,
    sizeBytes,
  };
}

/** What comes finished has its report among its files. */
async function productsOf(
  { work }: AttemptContext,
  { plan, products, stored }: StoreRequest,
): Promise<StoreRequest["products"]> {
  if (plan.manifest) return products;
  await work.write(reportPath, JSON.stringify(stored));
  return [...products, { role: "report", path: reportPath }];
}

/** A manifest that came with its files, which must be the very ones that were stored. */
function finished(manifest: Manifest, stored: Manifest["files"]): Manifest {
  for (const { role, digest } of manifest.files) {
    if (stored.some((file) => file.role === role && file.digest === digest)) continue;
    throw fail("OUTPUT_INVALID", `The ${role} file is not the one that the manifest names.`);
  }
  return manifest;
}

async function upload(
  { work, signal, buildId, storePatienceMs: patienceMs }: AttemptContext,
  store: ObjectStore,
  path: string,
): Promise<{ digest: Digest; sizeBytes: number }> {
  const { digest, sizeBytes } = await measureProduct(work.path, path);
  const object = hexOf(digest);
  const at = { bucket: buckets.artifacts, key: object };
  // Until the row that names it is there, no sweep may take an object that was there before us.
  await insist(signal, () => holdObject(at, { buildId }));
  await insist(
    signal,
    () => keepObject(store, at, { digest, sizeBytes }, () => streamProduct(work.path, path)),
    { patienceMs },
  );
  return { digest, sizeBytes };
}

function manifestOf(request: StoreRequest, files: Manifest["files"]): Manifest {
  const { plan, sourceDigest, toolVersions, clockHz } = request;
  const { part } = getBoardModel(plan.boardModel);
  return {
    schemaVersion: 1,
    kind: plan.kind,
    engine: plan.engine,
    boardModel: plan.boardModel,
    ...(part.flow.kind === "cpu" ? {} : { part: part.id }),
    planDigest: plan.digest,
    sourceDigest,
    platform: plan.platform,
    io: plan.io,
    ...(plan.core ? { core: plan.core } : {}),
    ...(clockHz === null ? {} : { clockHz }),
    ...(plan.baud === undefined ? {} : { baud: plan.baud }),
    maxBatchSize: plan.maxBatchSize,
    ...(plan.runtime ? { runtime: plan.runtime } : {}),
    ...(plan.simulate ? { simulate: plan.simulate } : {}),
    tools: toolVersions,
    files,
  };
}
