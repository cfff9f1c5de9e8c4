/** A command of a toolchain, and where it can come from. */
export interface ToolEntry {
  readonly command: string;
  /** The npm package that holds it as WebAssembly, and the function that runs it. */
  readonly wasm: { readonly package: string; readonly run: string };
  /** How the native program tells its version; null if it cannot. */
  readonly versionArgs: readonly string[] | null;
  /** The line that makes the native one available. */
  readonly native: string;
}

const tool = (entry: ToolEntry): readonly [string, ToolEntry] => [entry.command, entry];

/** Every command that a plan may name. */
export const toolCatalogue: ReadonlyMap<string, ToolEntry> = new Map([
  tool({
    command: "yosys",
    wasm: { package: "@yowasp/yosys", run: "runYosys" },
    versionArgs: ["-V"],
    native: "apt-get install yosys",
  }),
  tool({
    command: "nextpnr-ice40",
    wasm: { package: "@yowasp/nextpnr-ice40", run: "runNextpnrIce40" },
    versionArgs: ["--version"],
    native: "apt-get install nextpnr-ice40",
  }),
  tool({
    command: "icepack",
    wasm: { package: "@yowasp/nextpnr-ice40", run: "runIcepack" },
    versionArgs: null,
    native: "apt-get install fpga-icestorm",
  }),
]);
