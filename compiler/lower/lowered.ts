import type { ArtifactIo, Calibration } from "@/lib/common/contract";
import type { Graph } from "../graph/graph";
import type { IntegerGraph } from "../integer/integer-graph";
import type { Precision } from "../passes/precision";
import type { CalibrationRows, InputRange, RangeFrom } from "../passes/standardise";

export interface LowerRequest {
  readonly graph: Graph;
  /** What a person knows of the inputs. */
  readonly inputRange: InputRange | null;
  /** Who says that, for the report; left out: the model's card. */
  readonly rangeFrom?: RangeFrom;
  readonly calibration: CalibrationRows | null;
  /** Left out: 8 bits of everything. */
  readonly precision?: Precision;
  /** Multiplications spent on looking at made-up rows; left out: as many as pay. */
  readonly mostProducts?: number;
}

/** A float model as integers, with what host and verification need beside it. */
export interface Lowered {
  readonly integerGraph: IntegerGraph;
  /** The tensors at the edge of the core under the model's own names, with the arithmetic that the host does. */
  readonly io: ArtifactIo;
  /** The rows that every level must answer alike. */
  readonly vectors: () => readonly Int8Array[];
  /** Which rows ranges come from; null where nothing was calibrated. */
  readonly calibration: Calibration | null;
  /** How numbers were chosen, for the report. */
  readonly notes: readonly string[];
}
