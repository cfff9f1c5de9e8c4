import type { Field } from "./program";
import type { Tables } from "./tables";

/** Widths and addresses of a core, as its parts share them. */
export interface CoreShape {
  /** Bits of the accumulators. */
  readonly width: number;
  /** Bits of hidden values that no table follows. */
  readonly hidden: number;
  readonly countWidth: number;
  readonly addressWidth: number;
  /** Where the activations of odd layers begin. */
  readonly evenRegion: number;
  readonly outputs: number;
  /** What a group says about its values, from bit 0. */
  readonly flags: readonly Field[];
  readonly tables: Tables | null;
}
