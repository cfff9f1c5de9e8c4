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

/** What the simulation's thread is asked. A load answers nothing, a run its rows. */
export type SimulationRequest =
  | {
      readonly kind: "load";
      readonly path: string;
      readonly core: NonNullable<Manifest["core"]>;
      readonly link: SimulatedLink;
    }
  | { readonly kind: "run"; readonly rows: Uint8Array; readonly count: number };

export type SimulationAnswer = CoreAnswer | null;
