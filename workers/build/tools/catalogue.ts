/** A command of a toolchain, and where it can come from. */
export type ToolEntry = FpgaTool | PythonTool;

export interface FpgaTool {
  readonly kind: "fpga";
  readonly command: string;
  /** The npm package that holds it as WebAssembly, and the function that runs it. */
  readonly wasm: { readonly package: string; readonly run: string };
  /** How the native program tells its version; null if it cannot. */
  readonly versionArgs: readonly string[] | null;
  /** The line that makes the native one available. */
  readonly native: string;
}

/** Runs a script of ours with the packages of a private Python environment. */
export interface PythonTool {
  readonly kind: "python";
  readonly command: string;
  /** The environment's folder among the tools. */
  readonly folder: string;
  /** Packages whose versions decide what it makes; of alternatives in a group, the one that is there. */
  readonly packages: readonly (readonly string[])[];
  /** The line that makes it available. */
  readonly setup: string;
}

const entries: readonly ToolEntry[] = [
  {
    kind: "fpga",
    command: "yosys",
    wasm: { package: "@yowasp/yosys", run: "runYosys" },
    versionArgs: ["-V"],
    native: "apt-get install yosys",
  },
  {
    kind: "fpga",
    command: "nextpnr-ice40",
    wasm: { package: "@yowasp/nextpnr-ice40", run: "runNextpnrIce40" },
    versionArgs: ["--version"],
    native: "apt-get install nextpnr-ice40",
  },
  {
    kind: "fpga",
    command: "icepack",
    wasm: { package: "@yowasp/nextpnr-ice40", run: "runIcepack" },
    versionArgs: null,
    native: "apt-get install fpga-icestorm",
  },
  {
    kind: "python",
    command: "tf2onnx",
    folder: "tensorflow",
    packages: [["tf2onnx"], ["tensorflow-cpu", "tensorflow"], ["onnx"], ["numpy"], ["protobuf"]],
    setup: "npm run setup -- tensorflow",
  },
];

/** Every command that a plan may name. */
export const toolCatalogue: ReadonlyMap<string, ToolEntry> = new Map(
  entries.map((entry) => [entry.command, entry]),
);
