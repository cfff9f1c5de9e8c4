import type { Contents, LevelCells } from "../contents";
import type { BoardModel, Flow, Part } from "../schema";
import type { FamilyCosts } from "./family-costs";

/** Names of what passes between the tools of a build, whatever the family. */
export const flowFiles = {
  /** Yosys's JSON netlist, mapped to the family's cells, with blanks for what a clock and an identity decide. */
  mapped: "mapped.json",
  /** The same without blanks: what is placed. */
  design: "design.json",
  /** nextpnr's report. */
  report: "report.json",
  /** The netlist as nextpnr writes it after routing: each cell with its place. */
  placed: "placed.json",
} as const;

/** One program of a flow, run in the folder of the build. */
export interface FlowStep {
  readonly stage: "place" | "pack" | "simulate";
  readonly name: string;
  /** As the toolchain knows it: `nextpnr-ice40`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly reads: readonly string[];
  readonly produces: readonly string[];
}

/** How a packed bitstream becomes Verilog again, so that what a board loads can be simulated. */
export interface ReadBack {
  readonly steps: readonly FlowStep[];
  /** What the last step wrote, of the family's cells, and the module in it with the ports of the top. */
  readonly verilog: string;
  readonly top: string;
  /** Lines of Yosys that complete what was read. */
  readonly repairs: readonly string[];
}

/** A logic cell that is a table of four inputs. */
export interface TableOfFour {
  readonly type: string;
  /** The parameter that holds its sixteen bits. */
  readonly contents: string;
  /** The lowest bit of the address first. */
  readonly inputs: readonly [string, string, string, string];
  readonly output: string;
  /** Where tools have the contents as text, `0x` and four digits. */
  readonly asText?: true;
}

/** A port of the top and what it is bound to. */
export interface PinUse {
  readonly port: string;
  readonly pin: string;
  /** Of an input with a known rate. */
  readonly hz?: number;
  /** Where it is not the board's. */
  readonly ioStandard?: string | undefined;
}

/** A row of a report: which of nextpnr's names are one resource. */
export interface ResourceName {
  readonly id: string;
  readonly name: string;
  readonly keys: readonly string[];
  /** Types of the cells of a placed netlist that it counts, where they are not just the names of the report. */
  readonly cellTypes?: RegExp;
}

/** How many tiles a chip is wide and high, as nextpnr numbers them in the places of cells. */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** What a tool needs to know of a design to make a project of it. */
export interface ProjectRequest {
  readonly board: BoardModel;
  readonly clockHz: number;
  /** Verilog of the project, the top's file first. */
  readonly sources: readonly string[];
}

/** What a vendor's tool measured. */
export interface VendorMeasure {
  readonly achievedMhz: number;
  /** By the ids of the family's resources. */
  readonly used: Readonly<Record<string, { readonly used: number; readonly available: number }>>;
}

/** A vendor's tool: Boardwalk writes the whole project for it, and runs it where it is installed. */
export interface VendorFlow {
  /** What a board's bitstream needs, as people call it. */
  tool(board: BoardModel): string;
  /** The programs that the steps of `implementation` run; none where Boardwalk does not run them. */
  commands(board: BoardModel): readonly string[];
  /** Scripts, a Makefile and a README by name; with the Verilog and the constraints they are the project. */
  project(request: ProjectRequest): ReadonlyMap<string, string>;
  /** What a design takes by Yosys's count of cells, by the ids of the family's resources. */
  estimate(cells: Readonly<Record<string, number>>): Readonly<Record<string, number>>;
  /** Reports that `measure` reads; products of the steps. */
  readonly reports: readonly string[];
  /** @throws {AppError} `OUTPUT_INVALID` for a report that is not as its tool documents it. */
  measure(text: (path: string) => string, clockHz: number): VendorMeasure;
}

/** One FPGA family: everything about it that an engine needs to make a bitstream, or a vendor's project. Pure. */
export interface Family {
  /** The flow of the parts that it builds for. */
  readonly kind: Flow["kind"];
  readonly title: string;
  readonly costs: FamilyCosts;
  /** Whether `npm start` installs its tools; others want `npm run setup`. */
  readonly isInstalledAtOnce?: true;
  /** There where only a vendor's tool makes bitstreams. */
  readonly vendor?: VendorFlow;
  /** The program that maps Verilog to cells, and those after it. Their versions enter a plan's digest. */
  readonly tools: readonly [synthesis: string, ...rest: string[]];
  /** The bitstream's file. */
  readonly bitstream: string;
  readonly resources: readonly ResourceName[];
  /** Tiles of the part's chip; absent where a vendor's tool places. */
  grid?(part: Part): Grid;
  /**
   * Clock of a design of the compiler that timing closes at, in Hz: believed until the tools say.
   *
   * @param ownMultipliers The design names its multiplier blocks, for two products in each.
   */
  believedClockHz(part: Part, ownMultipliers?: boolean): number;
  /** How much faster than its name a clock may run: timing must hold there. 1 for a crystal. */
  readonly clockMargin: number;
  /** Whether a design's clock comes through the board's clock pin, or is made in the chip. */
  readonly clockFrom: "pin" | "inside";
  /**
   * What drives a design's `clk` and `locked`, from the port `clock`, or `clock_p` and `clock_n` of a pair.
   *
   * @returns null for a clock that cannot be made exactly.
   */
  clockSource(board: BoardModel, clockHz: number): Contents | null;
  readonly tableOfFour: TableOfFour;
  /** There where tools want levels to come from cells. */
  readonly levelCells?: LevelCells;
  /** The file that binds ports to pins. */
  constraints(
    board: BoardModel,
    pins: readonly PinUse[],
  ): { readonly file: string; readonly text: string };
  /**
   * The lines of Yosys that map the module `top` onto the part and write `flowFiles.mapped`.
   *
   * @param ownMultipliers The design names its multiplier blocks: nothing else shall become one, or change them.
   */
  synthesis(part: Part, top: string, ownMultipliers?: boolean): string;
  /** The line of Yosys that gives a model to mapped cells that leave an output open; absent where none do. */
  readonly modelledCells?: string;
  /** Lines of Yosys that give the mapped `top` a clock port where the part's own source has no model. */
  simulatedClock(part: Part): readonly string[];
  /** The program that reads bitstreams, which a machine may lack: without it builds go on, and less is proven. */
  readonly checker?: string;
  /** For designs without multipliers; absent where no program reads bitstreams. */
  readBack?(board: BoardModel, clockHz: number): ReadBack;
  /** Place, route and pack. Equal files, clock and seed give equal bits. */
  implementation(
    part: Part,
    choice: { readonly clockHz: number; readonly seed: number },
  ): readonly FlowStep[];
}
