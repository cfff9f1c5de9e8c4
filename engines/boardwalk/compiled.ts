import type { DesignEstimate, designCore, IntegerGraph, SectionRule, Target } from "@/compiler";
import type { ArtifactIo, Report } from "@/lib/common/contract";
import type { Plan, PlanRequest } from "../engine";
import type { Options } from "./options";

/** What a model became: its core, and all that depends on what kind of model it is. */
export interface Compiled {
  readonly graph: IntegerGraph;
  readonly verilog: string;
  /** Whether the core names the part's multiplier blocks; otherwise synthesis finds them. */
  readonly ownMultipliers: boolean;
  readonly taps: Plan["taps"];
  readonly sections: readonly SectionRule[];
  readonly vectors: () => Plan["vectors"];
  readonly latencyCycles: number;
  /** Of core and shell, before any tool ran. */
  readonly resources: ReturnType<typeof designCore>["resources"];
  readonly io: ArtifactIo;
  readonly architecture: DesignEstimate["architecture"];
  /** Resources and notes, before any tool ran. */
  readonly forecast: Report;
}

/** As much of a plan's request as a core depends on. */
export interface CompileRequest {
  readonly request: PlanRequest;
  readonly options: Options;
  /** Other boards that could be built for. */
  readonly others: readonly Target[];
}
