import type { SectionRule } from "@/compiler";
import type { ArtifactIo, Expectation, Manifest, Report } from "@/lib/common/contract";
import type { Plan, Step } from "../engine";
import type { Reference } from "../reference/reference";

/** A core as an engine made it, or says how tools will: what firmware of any engine is planned from. */
export interface CoreDesign {
  readonly engine: string;
  readonly reference: Reference;
  /** Whether a step makes the rest of it, as `graph.json`: then it has edges alone. */
  readonly isReferenceMade?: boolean;
  /** The text of `core.v`; null where the steps leave it. */
  readonly verilog: string | null;
  /** Files and steps that come before everything else; nothing where the text is there already. */
  readonly making?: { readonly files: Plan["files"]; readonly steps: readonly Step[] };
  readonly core: NonNullable<Manifest["core"]>;
  /** Whether the core names the part's multiplier blocks, or wants none; otherwise synthesis finds them. */
  readonly ownMultipliers: boolean;
  /** The share of the clock that its family is believed to reach with the compiler's own cores; left out: all of it. */
  readonly clockShare?: number;
  readonly taps: Plan["taps"];
  readonly sections: readonly SectionRule[];
  readonly vectors: Plan["vectors"];
  readonly io: ArtifactIo;
  /** What the report says before any tool ran, and what it will be held against, at the first clock that is tried. */
  readonly forecast: Report;
  readonly expected?: (clockHz: number) => Expectation;
}
