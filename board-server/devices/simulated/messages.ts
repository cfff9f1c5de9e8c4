import type { Manifest } from "@/lib/common/contract";
import type { CoreAnswer } from "../device";
import type { DirectPlace } from "../slot-place";

/** What is in the simulation: the core alone, or the core inside its serial shell. */
export type SimulatedLink =
  | { readonly kind: "core" }
  | {
      readonly kind: "shell";
      readonly clocksPerBit: number;
      readonly planDigest: string;
      /** Tests only: every so many frames to the board one has a bit flipped on the line. */
      readonly corruptEvery: number | null;
    };

/** What the simulation's thread is asked. */
export type SimulationRequest =
  | {
      readonly kind: "load";
      readonly path: string;
      readonly manifest: Manifest;
      readonly core: NonNullable<Manifest["core"]>;
      readonly link: SimulatedLink;
      /** Where it answers calls itself; null: nowhere. */
      readonly direct: DirectPlace | null;
    }
  | { readonly kind: "run"; readonly rows: Uint8Array; readonly count: number }
  /** Put bytes on the line of the board. */
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** Take no more calls on the socket; answered when those that run have ended. */
  | { readonly kind: "leave" };

/** What it answers, by what it is asked: its rows to a run, what the board says to bytes, else nothing. */
export interface SimulationAnswers {
  readonly load: null;
  readonly run: CoreAnswer;
  readonly line: Uint8Array;
  readonly leave: null;
}

/** Any answer of the simulation's thread. */
export type SimulationAnswer = SimulationAnswers[keyof SimulationAnswers];
