import type { FamilyCosts } from "@/boards";
import type { Timeline } from "@/lib/common/contract";
import type { IntegerGraph, Tap } from "../integer/integer-graph";
import type { Precision } from "../passes/precision";
import type { Lacking } from "../target/lacking";
import type { PartTarget } from "../target/part";

/** What is asked of a design. */
export interface Wish {
  /** `auto` unrolls what fits the part, and takes an array for all else. */
  readonly architecture: "auto" | "array" | "unrolled";
  /** Lanes of an array; null leaves the choice to the compiler. */
  readonly lanes: number | null;
}

/** What is to be laid out, on which part, and how. */
export interface LayoutRequest {
  readonly graph: IntegerGraph;
  readonly target: PartTarget;
  readonly wish: Wish;
  /** Logic cells beyond which it had better be another architecture; left out: as many as the part has. */
  readonly mostCells?: number | undefined;
  /** Nearly the best is enough: for estimates. */
  readonly isQuick?: boolean;
}

/** What a core and its shell take of a part. */
export interface DesignResources {
  readonly lut: number;
  readonly flipFlops: number;
  readonly bramBlocks: number;
  readonly dsp: number;
}

/** What a core comes to on a part, before any tool runs. */
export interface Estimate {
  readonly fits: true;
  readonly resources: DesignResources;
  /** From the cycle in which the last input byte passed to the one in which the first result byte is valid. */
  readonly latencyCycles: number;
  /** Of an array; null: there is none. */
  readonly lanes: number | null;
  /** Whether the core names the part's multiplier blocks; otherwise synthesis finds them. */
  readonly ownMultipliers: boolean;
}

/** A layout that the part holds, with what it takes. */
export interface Fitting<Layout> extends Estimate {
  readonly layout: Layout;
}

/** Why no layout fits the part. */
export interface Lack {
  readonly fits: false;
  /** As what follows "the model": `needs 41 block RAMs of 30`. */
  readonly lack: string;
  readonly lacking: readonly Lacking[];
}

/** A layout, or what is missing for one; told apart by `fits`. */
export type Fit<Layout> = Fitting<Layout> | Lack;

/** A form of the model that a part would hold. */
export interface Smaller {
  /** As what begins a hint: `layers of 4-8-3 would fit`. */
  readonly words: string;
  /** The same for programs. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Cells of a core that belong together: a layer, the lanes of an array, its memories. Rules are tried in order. */
export interface SectionRule {
  readonly id: string;
  readonly name: string;
  /** Regular expression for the names of cells, as they are called within the core. */
  readonly cells: string;
  /** Where `cells` captures a number: the largest that still belongs here. */
  readonly upTo?: number;
}

/** A core in Verilog, with what is known of it. */
export interface Core {
  /** What it answers to, node by node: the graph that was asked for, in the form which the architecture has it in. */
  readonly graph: IntegerGraph;
  readonly verilog: string;
  readonly taps: readonly Tap[];
  /** Which cells are what. */
  readonly sections: readonly SectionRule[];
  readonly timeline: Timeline;
  /** What it is, for the report. */
  readonly note: string;
}

/** A model as outlines are made of it: when its file is read, before a board or bits are chosen. */
export interface Subject {
  /** At the bits that a model brings, else at the default ones. */
  readonly graph: IntegerGraph;
  /** The same at other bits; null where the model brings its own. */
  readonly graphAt: ((precision: Precision) => IntegerGraph) | null;
  /** Of all families that there are parts of. */
  readonly costs: readonly FamilyCosts[];
}

/** One way of making hardware of an integer graph. */
export interface Architecture<Layout, Outline extends object = object> {
  /** As its folder is called. */
  readonly id: string;
  /** Whether it has a circuit for every node of a graph. */
  takes(graph: IntegerGraph): boolean;
  /** Whether a wish leaves it in question. */
  isAskedBy(wish: Wish): boolean;
  /**
   * Looks for what it cannot do, of a graph that it takes.
   *
   * @throws {AppError} `OPTION_INVALID` for options that do not go with the graph or the part.
   */
  check(request: LayoutRequest): void;
  /** What its estimator needs to know of a model whose graph it takes: plain JSON, and little of it. */
  outline(subject: Subject): Outline;
  layOut(request: LayoutRequest): Fit<Layout>;
  /** Of a graph that does not fit. */
  smaller(request: LayoutRequest): Smaller | null;
  emit(layout: Layout): Core;
}
