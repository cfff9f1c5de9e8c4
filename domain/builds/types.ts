import type {
  BuildPriority,
  Digest,
  Manifest,
  NewRevision,
  Report,
  Signature,
} from "@/lib/common/contract";

/** What a worker gets for a claim. `buildId` is the bare UUID. */
export interface AttemptRow {
  readonly buildId: string;
  /** Number of the attempt, and the fence of every write. */
  readonly epoch: number;
  readonly projectId: string;
  readonly request: NewRevision;
  readonly endpointName: string | null;
  readonly board: { readonly boardModel: string; readonly kind: "simulated" | "cpu" | "physical" };
}

/** What a worker learns while it renews its lease. */
export interface LeaseState {
  /** False: somebody holds a newer epoch, or the build has ended. Stop, and write nothing more. */
  readonly held: boolean;
  readonly cancelRequested: boolean;
  readonly deadlinePassed: boolean;
}

/** A finished product, its bytes already stored. */
export interface NewArtifact {
  readonly digest: Digest;
  readonly planDigest: Digest;
  readonly manifest: Manifest;
  readonly signature: Signature;
  readonly report: Report;
  readonly sizeBytes: number;
}

/** How a build succeeded: with an artifact of its own, or with that of an equal build. */
export type Success =
  | { readonly artifact: NewArtifact }
  | { readonly reuse: { readonly artifactDigest: string; readonly fromBuildId: string } };

/** Set by `createBuild`'s caller, who has checked it. */
export interface NewBuild {
  readonly projectId: string;
  readonly request: NewRevision;
  readonly boardModel: string;
  readonly boardKind: "simulated" | "cpu" | "physical";
  readonly endpointName: string | null;
  /** UUID of the person who asks for it; null, or left out: nobody whose builds are counted. */
  readonly askedById?: string | null;
  readonly retryOfId?: string;
  /** `normal` unless it says otherwise. */
  readonly priority?: BuildPriority;
  readonly labels?: readonly string[];
}
