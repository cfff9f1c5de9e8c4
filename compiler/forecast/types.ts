import type { BoardModel } from "@/boards";
import type { Outline } from "@/lib/common/contract";
import type { Precision } from "../passes/precision";
import type { Lacking } from "../target/lacking";

export interface ForecastRequest {
  readonly outline: Outline;
  /** One that designs can be built for. */
  readonly board: BoardModel;
  /** Of the array; left out or null: as many as it takes. */
  readonly lanes?: number | null | undefined;
  /** Left out: `auto`. */
  readonly architecture?: "auto" | "array" | "unrolled" | undefined;
  /** Left out: 8 bits of everything. */
  readonly precision?: Precision | undefined;
  /** One of the board's clocks. Left out: the highest that designs of this kind are known to reach. */
  readonly clockHz?: number | undefined;
}

/** A guess with the band in which the tools' answer is expected. */
export interface Estimate {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  /** What the part has of it; 0 where there is no such limit. */
  readonly available: number;
}

/** A design that is expected to fit. */
export interface FittingForecast {
  readonly fits: true;
  /** As the architecture's folder is called. */
  readonly architecture: string;
  /** Of the array; null: there is none. */
  readonly lanes: number | null;
  /** What it is made of, in words: `4 lanes`. */
  readonly form: string;
  /** Exact but for unrolled designs: the other schedules depend on sizes only. */
  readonly cycles: Estimate;
  readonly clockHz: number;
  /** From the last byte of a row to the first of its answer. */
  readonly microseconds: number;
  /** A row and its answer on the serial line, with their frames; null where the link is another. */
  readonly linkMicroseconds: number | null;
  readonly lut: Estimate;
  readonly flipFlops: Estimate;
  readonly bramBlocks: Estimate;
  readonly dsp: Estimate;
  readonly buildSeconds: Estimate;
  /** What a person should know before building, in a sentence or more. */
  readonly warning?: string;
}

export interface LackingForecast {
  readonly fits: false;
  /** As what follows "it": `needs 41 block RAMs of 30`. */
  readonly lack: string;
  /** The same by resource. */
  readonly lacking: readonly Lacking[];
  /** The largest sizes of the same form, hidden layers scaled alike, that fit; null if none does, or it has no such form. */
  readonly nearest: readonly number[] | null;
}

export type Forecast = FittingForecast | LackingForecast;
