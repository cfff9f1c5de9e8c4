import type { Manifest } from "@/lib/common/contract";
import type { CoreAnswer } from "../device";

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
      readonly core: NonNullable<Manifest["core"]>;
      readonly link: SimulatedLink;
    }
  | { readonly kind: "run"; readonly rows: Uint8Array; readonly count: number };

/** What it answers, by what it is asked: nothing to a load, its rows to a run. */
export interface SimulationAnswers {
  readonly load: null;
  readonly run: CoreAnswer;
}

/** Any answer of the simulation's thread. */
export type SimulationAnswer = SimulationAnswers[keyof SimulationAnswers];
