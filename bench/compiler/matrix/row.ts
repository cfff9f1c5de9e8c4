import type { Accuracy } from "@/lib/common/contract";

/** The parts of the matrix, by what is typed to choose one, and the board that stands for each. */
export const matrixBoards = {
  up5k: "icebreaker",
  hx8k: "ice40-hx8k-evn",
  ecp5: "ulx3s-25f",
  gw2a: "tang-primer-20k",
} as const;
export type MatrixPart = keyof typeof matrixBoards;

/** What the form shows of a design before any tool runs: what the planner estimates it by, too. */
export interface Expected {
  readonly lut: number;
  readonly bram: number;
  readonly dsp: number;
  readonly cycles: number;
}

/** What the tools, the proof and the rows say of it. */
export interface Built {
  readonly lut: number;
  readonly bram: number;
  readonly dsp: number;
  /** Of the synthesised netlist, by Yosys's names. */
  readonly cells: Readonly<Record<string, number>>;
  /** Logic cells by what they belong to: the core, the shell around it, clock and pins. */
  readonly lutOf: Readonly<Record<"core" | "shell" | "board", number>>;
  /** Counted by the synthesised netlist itself, the same for every row of the proof. */
  readonly cycles: number;
  readonly achievedMhz: number;
  readonly clockMhz: number;
  /** Rows that the netlist answered like the integer graph. */
  readonly provenRows: number;
  readonly toolsS: number;
  readonly proofS: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly accuracy: Pick<Accuracy, "agreement" | "floatAccuracy" | "integerAccuracy"> & {
    readonly rows: number;
    readonly maxAbsError: number;
  };
}

/** What came of the tools, remembered under the files that they were given. */
export type Outcome =
  | { readonly kind: "built"; readonly built: Built }
  /** A tool failed, ran out of time, or met no clock of the board. */
  | { readonly kind: "failed"; readonly why: string }
  /** No tool was to run. */
  | { readonly kind: "planned" };

/** One model on one part. */
export interface Row {
  readonly model: string;
  readonly part: MatrixPart;
  readonly compileS: number;
  readonly planned:
    | {
        readonly architecture: string;
        /** Cycles between two rows that the arithmetic accepts. */
        readonly interval: number;
        readonly weights: number;
        readonly expected: Expected;
        readonly outcome: Outcome;
      }
    /** It does not fit, or cannot be built for this board. */
    | { readonly refused: string };
}
