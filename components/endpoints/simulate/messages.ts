import type { ArtifactFile } from "@/lib/common/contract";
import type { CoreAnswer, CoreShape, Trace } from "@/simulator/run";
import type { ProblemData } from "./problem";

/** A file of an artifact and where its bytes are. */
export interface FileToFetch {
  readonly url: string;
  readonly file: Pick<ArtifactFile, "role" | "digest" | "sizeBytes">;
}

/** How far the core is to run: one clock edge, to the next byte that passes a port, or until the answer is whole. */
export type Goal = "cycle" | "transfer" | "answer";

/** What the simulation's worker is asked. */
export type Ask =
  | {
      readonly kind: "load";
      readonly simulation: FileToFetch;
      readonly core: CoreShape;
      /** What to run to its answer as soon as the core is there. */
      readonly row: Uint8Array | null;
      /** Past the browser's cache: after bytes that were not the right ones. */
      readonly afresh: boolean;
    }
  /** Resets the core and offers it a row. */
  | { readonly kind: "start"; readonly row: Uint8Array }
  | { readonly kind: "advance"; readonly goal: Goal }
  | { readonly kind: "vectors"; readonly vectors: FileToFetch }
  | { readonly kind: "dump"; readonly clockHz: number; readonly comment: string }
  | { readonly kind: "stop" };

/** Where a row stands in the core. */
export interface Progress {
  readonly cycle: number;
  readonly taken: number;
  readonly given: number;
  readonly answer: CoreAnswer | null;
}

/** How many of the artifact's vectors were run, and how many were answered as they should be. */
export interface VectorsProgress {
  readonly total: number;
  readonly done: number;
  readonly equal: number;
  /** The first row that differs, counted from 0. */
  readonly firstDifferent: number | null;
  readonly cyclesPerSecond: number;
}

/** What the worker says. Everything that has not `ended: false`, and is no `download`, ends what was asked. */
export type Tell =
  | { readonly kind: "download"; readonly receivedBytes: number; readonly sizeBytes: number }
  | { readonly kind: "loaded"; readonly cells: number; readonly ended: boolean }
  | {
      readonly kind: "progress";
      readonly progress: Progress;
      /** Null on the way. */
      readonly trace: Trace | null;
      readonly ended: boolean;
    }
  | { readonly kind: "vectors"; readonly progress: VectorsProgress; readonly ended: boolean }
  | { readonly kind: "dump"; readonly dump: Blob }
  | { readonly kind: "failed"; readonly asked: Ask["kind"]; readonly error: ProblemData };
