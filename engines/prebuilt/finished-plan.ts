import {
  canonicalJson,
  type FileRole,
  type Manifest,
  type Origin,
  type Report,
} from "@/lib/common/contract";
import type { Plan, PlanRequest } from "../engine";
import { sealPlan } from "../seal-plan";

interface Finished {
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

/** A file of an artifact, before it is named by its digest. */
export interface NamedFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Firmware that came without a manifest: what is known of it, besides its files. */
export interface Unsigned
  extends Pick<Manifest, "planDigest" | "platform" | "io">,
    Partial<Pick<Manifest, "core" | "clockHz" | "baud">> {
  readonly files: ReadonlyMap<FileRole, NamedFile>;
  readonly origin: Origin;
  readonly report: Report;
}

/** Nothing says how long a row takes: a batch must not hold the board. */
const maxBatchSize = 1;

/** The plan of firmware that came without a manifest: one is written for it, and its report becomes a file. */
export function unsignedPlan(
  { files: given, origin, report, ...facts }: Unsigned,
  request: PlanRequest,
): Plan {
  const { board, sourceDigest, sha256 } = request;
  const content = canonicalJson({ ...report, origin });
  const files = new Map([...given, ["report", { name: "report.json", content }] as const]);
  const manifest: Manifest = {
    schemaVersion: 1,
    kind: "firmware",
    engine: "prebuilt",
    boardModel: board.id,
    part: board.part.id,
    sourceDigest,
    ...facts,
    maxBatchSize,
    tools: {},
    files: [...files].map(([role, file]) => ({ role, ...measured(file, sha256) })),
  };
  const contents = new Map([...files].map(([role, file]) => [role, file.content]));
  return finishedPlan({ manifest, files: contents, origin, report }, request);
}

function measured({ name, content }: NamedFile, sha256: PlanRequest["sha256"]) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { name, digest: sha256(bytes), sizeBytes: bytes.length };
}
