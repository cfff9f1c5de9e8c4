import type { BoardModel } from "@/boards";
import type { IntegerGraph, SectionRule } from "@/compiler";
import type { ArtifactIo, Report } from "@/lib/common/contract";
import type { Plan, PlanRequest } from "../engine";
import type { Options } from "./options";

/** What a model became: its core, and all that depends on what kind of model it is. */
export interface Compiled {
  readonly graph: IntegerGraph;
  readonly verilog: string;
  /** Whether the core names the part's multiplier blocks; left out: synthesis finds them. */
  readonly ownMultipliers?: boolean;
  readonly taps: Plan["taps"];
  /** Inner signals of the core that the taps look at. */
  readonly signals: readonly string[];
  readonly sections?: readonly SectionRule[];
  readonly vectors: Plan["vectors"];
  readonly latencyCycles: number;
  readonly io: ArtifactIo;
  /** Resources and notes, before any tool ran. */
  readonly forecast: Report;
}

/** As much of a plan's request as a core depends on. */
export interface CompileRequest {
  readonly request: PlanRequest;
  readonly options: Options;
  /** Other boards that could be built for. */
  readonly others: readonly {
    readonly name: string;
    readonly family: string;
    readonly part: BoardModel["part"]["resources"];
  }[];
}
