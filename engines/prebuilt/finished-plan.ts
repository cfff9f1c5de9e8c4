import type { FileRole, Manifest, Origin, Report } from "@/lib/common/contract";
import type { Plan, PlanRequest } from "../engine";
import { sealPlan } from "../seal-plan";

export interface Finished {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<FileRole, string | Uint8Array>;
  readonly origin: Origin;
  /** What is known of it, without its origin. */
  readonly report: Report;
}

/** The plan of what is finished: files to keep as they are, and nothing to run or to prove. */
export function finishedPlan(
  { manifest, files, origin, report }: Finished,
  request: PlanRequest,
): Plan {
  const { kind, platform, io, maxBatchSize, core, baud, runtime, simulate } = manifest;
  const pathOf = (role: FileRole) => `prebuilt-${role}`;
  return sealPlan(
    {
      schemaVersion: 1,
      engine: "prebuilt",
      boardModel: request.board.id,
      kind,
      platform,
      io,
      maxBatchSize,
      core,
      ...(baud === undefined ? {} : { baud }),
      ...(runtime ? { runtime } : {}),
      ...(simulate ? { simulate } : {}),
      files: new Map([...files].map(([role, content]) => [pathOf(role), content])),
      steps: [],
      synthesis: [],
      variants: [],
      products: manifest.files.map(({ role }) => ({ role, path: pathOf(role) })),
      origin,
      manifest,
      reference: null,
      taps: [],
      vectors: [],
      forecast: { ...report, origin },
    },
    request,
  );
}

/** What a manifest says of files that are made here. */
export function filesOf(
  files: ReadonlyMap<FileRole, { readonly name: string; readonly content: string | Uint8Array }>,
  sha256: PlanRequest["sha256"],
): Manifest["files"] {
  const text = new TextEncoder();
  return [...files].map(([role, { name, content }]) => {
    const bytes = typeof content === "string" ? text.encode(content) : content;
    return { role, name, digest: sha256(bytes), sizeBytes: bytes.length };
  });
}
