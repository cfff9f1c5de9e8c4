import type { z } from "zod";
import type { BoardModel } from "@/boards";
import type { Graph, SavedModel, SectionRule, Tap } from "@/compiler";
import type {
  ArtifactIo,
  BoardKind,
  Digest,
  EnginePreset,
  FileRole,
  Loads,
  Manifest,
  ModelCard,
  OptionLayer,
  Origin,
  Outline,
  Placement,
  Report,
  SectionGroup,
  StageName,
} from "@/lib/common/contract";
import type { ErrorData } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import type { Firmware } from "./firmware";
import type { Reference } from "./reference/reference";

/** An answer to "can this be done?": yes, or the reason why not, in the words an error would have. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly problem: ErrorData };

/** A TensorFlow SavedModel: what was read of it, and the files of its folder that TensorFlow is given, by plain names. */
export interface SavedModelFolder extends SavedModel {
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A model file that was recognised and read, never run. `graph` is there for formats that have a front end. */
export interface ParsedModel {
  readonly format: string;
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  readonly graph: Graph | null;
  /** Of the one format whose operators only its own tool knows. */
  readonly savedModel: SavedModelFolder | null;
  /** Of formats that are no model, but what was built of one elsewhere. */
  readonly firmware?: Firmware;
}

/** All that a plan follows from: equal requests give equal plans. */
export interface PlanRequest {
  readonly model: ParsedModel;
  readonly card: ModelCard | null;
  /** Name of the file in its URL, without its ending; left out: none. */
  readonly sourceName?: string;
  /** Rows to calibrate with; null: from the card's range, or synthetic. */
  readonly calibration: Rows | null;
  readonly board: BoardModel;
  readonly boardKind: BoardKind;
  /** Parsed by the engine's own `optionsSchema`. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Versions of the tools that make the products, by command: never of those that check them. */
  readonly toolVersions: Readonly<Record<string, string>>;
  /** Hash of our own `engines compiler simulator` sources. */
  readonly sourceDigest: Digest;
  /** SHA-256 of bytes; injected, since plans are pure. */
  readonly sha256: (bytes: Uint8Array) => Digest;
}

/**
 * How a model that a tool turned into ONNX is held against the original: names of files in the work folder. The worker
 * writes the rows; the tool leaves the model, and what the original answers to the rows.
 */
export interface Conversion {
  readonly rows: string;
  readonly answers: string;
  readonly model: string;
}

/**
 * A program that a tool made and that a board server is to run, held against what it was made from: names of files in the
 * work folder. The worker writes the rows. The tool leaves the program, what its maker says the program answers, and what
 * the original answers: float32, row by row, every output of a row one behind the other.
 */
export interface Emulation {
  readonly rows: string;
  readonly answers: string;
  readonly original: string;
  readonly program: string;
}

/** Runs one command of the toolchain in the work folder. */
export interface ToolStep {
  readonly kind: "tool";
  readonly name: string;
  readonly stage: StageName;
  /** `yosys`, `nextpnr-ice40`, `icepack`, `tf2onnx`; the worker knows where it is. */
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutS: number;
  /** Files of the work folder it needs, and those it must leave behind. */
  readonly reads: readonly string[];
  readonly produces: readonly string[];
  /** Where the tool says why it refuses, as `{ reason, message, hint? }`. */
  readonly explains?: string;
  /**
   * A folder within the work folder that the tool runs in, empty when it begins: for tools that write where they stand and
   * name their files themselves. What they leave there is for a `derive` step to judge; nothing of it is kept.
   */
  readonly folder?: string;
  /** The product that what it says on its standard output becomes. */
  readonly stdout?: string;
  /** What a line of its output has (a pattern) when the tool failed, whatever status it ends with. */
  readonly alert?: string;
}

/**
 * Makes files of files by a pure function of the engine, in a thread of the worker: for what takes code and no tool, such
 * as judging what a tool left behind whose status says nothing.
 */
export interface DeriveStep {
  readonly kind: "derive";
  readonly name: string;
  readonly stage: StageName;
  /** Which of the engine's functions, and what it is told, as JSON. */
  readonly task: string;
  readonly given: unknown;
  readonly timeoutS: number;
  /** Files of the work folder, and a folder in it of which all files are read. */
  readonly reads: readonly string[];
  readonly folder?: string;
  readonly produces: readonly string[];
}

/** What an engine's function of a `derive` step is shown. */
export interface DeriveInput {
  readonly given: unknown;
  /** The names of the files that the step reads. */
  readonly reads: readonly string[];
  /** A file that the step reads; null where it is missing. */
  readonly text: (path: string) => string | null;
  /** The same, of files that are no text. */
  readonly bytes: (path: string) => Uint8Array | null;
  /** Files of the step's folder by name: texts only. */
  readonly folder: ReadonlyMap<string, string>;
}

/** A file that a build host reads of its own store: which one, and the bytes that it must hold. */
export interface HostSource {
  readonly bucket: string;
  readonly name: string;
  readonly digest: Digest;
}

/** Has BondMachine's original build server make a firmware. It has a store of its own, which it reads from and writes to. */
export interface HostStep {
  readonly kind: "host";
  readonly name: string;
  /** The stage that it begins with; what the server says leads through the others. */
  readonly stage: StageName;
  /** The server, among the commands of an engine: `bond-build`. */
  readonly command: string;
  readonly source: HostSource;
  /** What the server is asked, in its contract's words. */
  readonly asked: {
    readonly uuid: string;
    readonly projectName: string;
    readonly hlsToolkit: "bondmachine" | "hls4ml";
    readonly targetBoard: string;
    readonly arch: string;
    readonly projectType: string;
    readonly nInputs: number;
    readonly nOutputs: number;
    readonly flavor: string;
    readonly sourceNeuralNetwork: string;
  };
  readonly timeoutS: number;
  readonly reads: readonly string[];
  /** The three files of the firmware. */
  readonly firmware: { readonly bit: string; readonly hwh: string; readonly json: string };
  readonly produces: readonly string[];
}

/** Turns Yosys's JSON netlist of one top into the module of a simulation, in a thread of the worker. */
export interface SimulationStep {
  readonly kind: "netlist-to-wasm";
  readonly name: string;
  readonly stage: StageName;
  readonly netlist: string;
  readonly top: string;
  /** Inner signals that must stay visible, besides the ports. */
  readonly signals: readonly string[];
  readonly timeoutS: number;
  readonly reads: readonly string[];
  readonly produces: readonly string[];
}

/** Puts contents in place of the blanks of a mapped netlist, in a thread of the worker. */
export interface FillStep {
  readonly kind: "fill-blanks";
  readonly name: string;
  readonly stage: StageName;
  /** Yosys's JSON netlist of `top`, and what stands in for its blanks: `Filling` as JSON. */
  readonly mapped: string;
  readonly top: string;
  readonly filling: string;
  /** The netlist without blanks, and its cells by type. */
  readonly netlist: string;
  readonly cells: string;
  readonly timeoutS: number;
  readonly reads: readonly string[];
  readonly produces: readonly string[];
}

/** Something to do while building, told apart by `kind`. */
export type Step = ToolStep | SimulationStep | FillStep | DeriveStep | HostStep;

/** One rung of the plan's ladder: a clock, with what differs at it. Rungs are tried in order until timing is met. */
export interface Variant {
  readonly name: string;
  readonly clockHz: number;
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly steps: readonly Step[];
  /** Product of one of the steps: the synthesised top with its serial line, simulated. The worker proves it there and then. */
  readonly netlistSimulation: string;
  /** After timing is met, where the checkers are there: steps that read the bitstream back, and the chip simulated. */
  readonly readBack?: { readonly steps: readonly Step[]; readonly simulation: string };
}

/** A rule that tells of a cell, by its name in the netlist, which section of the design it is in. The first that fits. */
export interface PlanSection extends SectionRule {
  readonly group: SectionGroup;
  /** What the name begins with; `cells` looks at the rest. */
  readonly within: string;
}

/** Which product plays which role in the artifact. */
export interface ProductRole {
  readonly role: FileRole;
  readonly path: string;
}

/**
 * What will be done, as data: equal requests give equal plans, and the digest of a plan names its artifact.
 * The digest covers all of it but the files in `identity`, which are rendered from the digest itself.
 */
export interface Plan {
  readonly schemaVersion: 1;
  readonly engine: string;
  readonly boardModel: string;
  readonly digest: Digest;
  readonly kind: "model" | "firmware";
  readonly platform: string;
  readonly io: ArtifactIo;
  readonly maxBatchSize: number;
  readonly core: Manifest["core"];
  readonly baud?: number;
  readonly runtime?: Manifest["runtime"];
  readonly simulate?: "core" | "shell";
  /** Files of every variant; paths are relative and plain. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly steps: readonly Step[];
  /** Run once before the variants: what all of them begin with, the mapped netlist. */
  readonly synthesis: readonly Step[];
  /** At least one for firmware; none for CPU artifacts. */
  readonly variants: readonly Variant[];
  readonly products: readonly ProductRole[];
  /** There where a tool of the steps converts the model. */
  readonly conversion?: Conversion;
  /** There where a tool of the steps makes a program that is served. */
  readonly emulation?: Emulation;
  /** The bit-exact software model of the design; null for CPU artifacts. */
  readonly reference: Reference | null;
  /** The product that completes it, of models that only a tool reads: the plan's own has edges and nothing between. */
  readonly referenceFrom?: string;
  readonly taps: readonly Tap[];
  /** Which cells of the placed netlist are what; absent where nothing is placed. */
  readonly sections?: readonly PlanSection[];
  /** Input rows of the vector file, `core.inputBytes` each: what every level must answer alike. */
  readonly vectors: readonly Int8Array[];
  /** What the report says before any tool ran. */
  readonly forecast: Report;
  /** There where the products come finished: nothing is built, and nothing of it is proven. */
  readonly origin?: Origin;
  /** The manifest of finished products; its files are the products, by their roles. Else the worker writes it. */
  readonly manifest?: Manifest;
}

/** What the tools left behind, for an engine to read. Text products only. */
export interface Products {
  readonly variant: Pick<Variant, "clockHz"> | null;
  readonly text: (path: string) => string | null;
}

/** As much of a plan as an engine needs to read what its tools left behind: little enough to hand to a thread. */
export interface PlanHead extends Pick<Plan, "boardModel" | "products" | "sections" | "forecast"> {
  readonly variants: readonly Pick<Variant, "clockHz">[];
}

/** Whether a placed design may run at its variant's clock. */
export interface TimingVerdict {
  readonly met: boolean;
  /** Null where no tool here places the design. */
  readonly achievedMhz: number | null;
}

/** What the tools made of a plan. */
export interface Outcome {
  readonly report: Report;
  /** Where on the chip the cells lie; null where the tools do not say. */
  readonly placement: Placement | null;
}

/** One way of making an artifact. Pure: it plans and reads; the worker runs. */
export interface Engine {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly kind: "cpu" | "fpga";
  /** Of engines that make programs for some boards and firmware for others: what it is for a board. Left out: `kind`. */
  readonly kindOn?: (board: BoardModel) => Engine["kind"];
  /** Which boards can load what it makes. Left out: those that take Boardwalk's artifacts. */
  readonly loads?: readonly Loads[];
  /** Whether a build here proves what it makes. Left out: it does. */
  readonly proves?: false;
  /** Formats it reads, by id: `onnx`, `keras`, … */
  readonly formats: readonly string[];
  readonly optionsSchema: z.ZodObject;
  /** Its options by what they are good for, as people choose them before they tune. Left out: there is nothing to choose by. */
  readonly presets?: readonly EnginePreset[];
  /** Commands that its plans for a format and a board run; without options, those of the usual ones. Their versions enter the plan's digest. */
  tools(
    format: string,
    board: BoardModel,
    options?: Readonly<Record<string, unknown>>,
  ): readonly string[];
  /** Commands that read products back where they are there: they prove more, make nothing, and enter no digest. */
  readonly checkers?: (board: BoardModel) => readonly string[];
  /** Commands that make a board's bitstream and may be missing: then there is none, and no real board can be served. */
  vendorTools?(
    board: BoardModel,
  ): { readonly title: string; readonly commands: readonly string[] } | null;
  /** Whether it can take a model, as far as that is known without a board. */
  accepts(model: ParsedModel): Verdict;
  /**
   * As much of a model that it accepts as forecasts need; only of engines whose builds are forecast.
   *
   * @throws {AppError} where it refuses the model once it sees its numbers.
   */
  outline?(model: ParsedModel, card: ModelCard | null): Outline | null;
  /** The layers of a model that its options name; only of engines with settings of single layers. */
  optionLayers?(model: ParsedModel): readonly OptionLayer[];
  /** What says which values its inputs take, rows aside; null: nothing. Only of engines that make integers of a model. */
  rangeFrom?(model: ParsedModel, card: ModelCard | null): "model" | "card" | null;
  /** Whether it can build for a board model. */
  supports(board: BoardModel, kind: BoardKind): Verdict;
  /** @throws {AppError} with a reason of the compiler, such as `MODEL_TOO_LARGE`. */
  plan(request: PlanRequest): Plan;
  /**
   * Functions of its plans' `derive` steps, by task: the step's products, by name.
   *
   * @throws {AppError} what is wrong with what a tool left, such as `OUTPUT_MISSING`, `OUTPUT_INVALID`.
   */
  readonly derive?: Readonly<
    Record<string, (input: DeriveInput) => ReadonlyMap<string, string | Uint8Array>>
  >;
  /** Whether a finished variant meets its clock. @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID` */
  timing(plan: PlanHead, products: Products): TimingVerdict;
  /** What the finished variant is. @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID` */
  outcome(plan: PlanHead, products: Products): Outcome;
}
