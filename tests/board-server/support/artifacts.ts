import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { axiSource, getBoardModel } from "@/boards";
import { identityModules, renderTables, shellSource } from "@/boards/links/uart";
import type {
  AdoptedBoard,
  AttachedBoard,
  Command,
  FileRole,
  LoadCommand,
  Manifest,
  SignedAdoptions,
  SignedAttachments,
  SignedCommand,
  Vectors,
} from "@/lib/common/contract";
import { adoptionsText, attachmentsText, commandText } from "@/lib/server/board-protocol";
import { uuidv7 } from "@/lib/server/db";
import { digestOf, digestOfJson } from "@/lib/server/digest";
import { compileNetlist } from "@/simulator/compile";
import {
  type TrialCore,
  trialCoreAnswer,
  trialCoreVerilog,
} from "@/tests/hardware/support/trial-core";
import { netlistOf } from "@/tests/simulator/support/tools";

export interface Signer {
  readonly privateKey: KeyObject;
  readonly keys: { keyId: string; publicKey: string }[];
}

export function makeSigner(keyId = "key-1"): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x } = publicKey.export({ format: "jwk" });
  const raw = Buffer.from(x ?? "", "base64url").toString("base64");
  return { privateKey, keys: [{ keyId, publicKey: raw }] };
}

export interface TestArtifact {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const digest = (text: string) => digestOf(text);

function artifact(
  manifest: Omit<Manifest, "files" | "schemaVersion" | "planDigest" | "sourceDigest" | "tools">,
  files: readonly (readonly [FileRole, Uint8Array])[],
): TestArtifact {
  const entries = files.map(([role, bytes]) => ({
    role,
    name: role,
    digest: digestOf(bytes),
    sizeBytes: bytes.length,
  }));
  return {
    manifest: {
      ...manifest,
      schemaVersion: 1,
      planDigest,
      sourceDigest: digest("sources"),
      tools: {},
      files: entries,
    },
    files: new Map(entries.map((entry, i) => [entry.digest, files[i]?.[1] ?? new Uint8Array()])),
  };
}

const planDigest = digest("plan");

/** The iris sample for the CPU board, with vectors to try it by where they are given. */
export function irisArtifact(vectors?: string): TestArtifact {
  const model = readFileSync("public/samples/iris-mlp/model.onnx");
  return artifact(
    {
      kind: "model",
      engine: "onnx",
      boardModel: "cpu",
      platform: "onnx_onnxv1",
      io: {
        inputs: [{ name: "features", datatype: "FP32", shape: [-1, 4], size: 4 }],
        outputs: [
          {
            name: "probabilities",
            datatype: "FP32",
            shape: [-1, 3],
            size: 3,
            activation: "none",
          },
        ],
      },
      maxBatchSize: 64,
    },
    [
      ["model", model],
      ...(vectors === undefined ? [] : ([["vectors", Buffer.from(vectors)]] as const)),
    ],
  );
}

export const trialCore: TrialCore = { inputBytes: 5, outputBytes: 4 };
const clockHz = 1_000_000;

const core = { ...trialCore, bytesPerOutput: 2, latencyCycles: 60 };
const edge = { width: 8, fraction: 0 };

/** A small core whose answers are known, alone or inside its serial shell, as a simulated board loads it. */
export async function trialArtifact(
  simulate: "core" | "shell",
  baud = 125_000,
): Promise<TestArtifact> {
  const verilog: Record<string, string> = { "core.v": trialCoreVerilog(trialCore) };
  if (simulate === "shell") {
    verilog["shell.v"] = shellSource();
    verilog["identity.v"] = identityModules(core);
    verilog["divider.v"] = `module baud_divider (output [3:0] last_clock);
  assign last_clock = ${Math.round(clockHz / baud) - 1};
endmodule
`;
    verilog["tables.v"] = tablesOf(planDigest);
  }
  const wasm = await simulationOf(verilog, simulate === "shell" ? "shell" : "core");
  return artifact(
    {
      ...trialManifest,
      boardModel: "icebreaker",
      part: "ice40up5k-sg48",
      platform: "boardwalk_ice40",
      baud,
      simulate,
    },
    [
      [simulate === "shell" ? "simulation-shell" : "simulation", wasm],
      ["bitstream", Buffer.alloc(500, "what a programmer takes ")],
      ["vectors", Buffer.from(JSON.stringify(trialVectors()))],
    ],
  );
}

/** The same core's firmware for a board whose registers are read. @param bitstream What its FPGA is loaded with. */
export function trialAxiArtifact(boardModel: string, bitstream: Uint8Array): TestArtifact {
  return artifact(
    {
      ...trialManifest,
      boardModel,
      part: getBoardModel(boardModel).part.id,
      platform: "boardwalk_xilinx",
    },
    [
      ["bitstream", bitstream],
      ["vectors", Buffer.from(JSON.stringify(trialVectors()))],
    ],
  );
}

/** The same core behind its AXI registers, to be simulated. @param change What is wrong with it. */
export async function trialAxiDesign(
  change: { readonly plan?: string; readonly core?: (verilog: string) => string } = {},
): Promise<Uint8Array> {
  const { plan = planDigest, core: changed = (verilog: string) => verilog } = change;
  return await simulationOf(
    {
      "axi.v": axiSource(),
      "identity.v": identityModules(core),
      "tables.v": tablesOf(plan),
      "core.v": changed(trialCoreVerilog(trialCore)),
    },
    "boardwalk_axi",
  );
}

/** The design that an artifact names, one that takes rows and never answers, and one of another plan. */
export const trialAxiDesigns = async () => ({
  design: await trialAxiDesign(),
  hung: await trialAxiDesign({ core: hangs }),
  other: await trialAxiDesign({ plan: digestOf("another plan") }),
});

/** The trial core, but it never answers. */
export const hangs = (verilog: string): string =>
  verilog.replace("assign out_valid = answering && beat != 1", "assign out_valid = 1'b0");

const trialManifest = {
  kind: "firmware",
  engine: "boardwalk",
  io: {
    inputs: [
      {
        name: "x",
        datatype: "FP32",
        shape: [-1, 5],
        size: 5,
        fixedPoint: { ...edge, signed: true },
      },
    ],
    outputs: [
      {
        name: "y",
        datatype: "FP32",
        shape: [-1, 2],
        size: 2,
        fixedPoint: { width: 16, fraction: 0, signed: true },
        activation: "none",
      },
    ],
  },
  core,
  clockHz,
  maxBatchSize: 16,
} satisfies Partial<Manifest>;

function tablesOf(plan: string): string {
  const output = { width: 16, fraction: 0 };
  return renderTables({ planDigest: plan, core, input: edge, output, clockHz });
}

async function simulationOf(
  verilog: Readonly<Record<string, string>>,
  top: string,
): Promise<Uint8Array> {
  const netlist = await netlistOf(
    { ...verilog },
    `hierarchy -check -top ${top}; proc; flatten; memory_collect; opt_clean`,
  );
  return compileNetlist(netlist, { top }).wasm;
}

function trialVectors(): Vectors {
  const rows = Array.from({ length: 40 }, (_, row) =>
    Uint8Array.from({ length: trialCore.inputBytes }, (_, i) => row * 7 + i * 31),
  );
  const outputs = rows.map((row) => trialCoreAnswer(trialCore, row));
  return {
    rows: rows.length,
    inputs: Buffer.concat(rows).toString("base64"),
    outputs: Buffer.concat(outputs).toString("base64"),
  };
}

/** A BondMachine firmware for a ZedBoard: four inputs, two outputs. */
export function bondArtifact({
  name = "banknote",
  metadata = {},
}: {
  readonly name?: string;
  readonly metadata?: object;
} = {}): TestArtifact {
  const said = { board: "zedboard", n_inputs: 4, n_outputs: 2, predictor: "bondmachine" };
  const made = artifact(
    {
      kind: "firmware",
      engine: "prebuilt",
      boardModel: "zedboard",
      part: "xc7z020-1clg484",
      platform: "bondmachine_xilinx",
      io: {
        inputs: [{ name: "input", datatype: "FP32", shape: [-1, 4], size: 4 }],
        outputs: [
          { name: "output", datatype: "FP32", shape: [-1, 2], size: 2, activation: "none" },
          { name: "class", datatype: "INT64", shape: [-1], size: 1, activation: "none" },
        ],
      },
      maxBatchSize: 1,
    },
    [
      ["bitstream", Buffer.from("bits")],
      ["hardware-handoff", Buffer.from("<EDKSYSTEM/>")],
      ["metadata", Buffer.from(JSON.stringify({ ...said, flavor: "axist", ...metadata }))],
    ],
  );
  const files = made.manifest.files.map((file) =>
    file.role === "bitstream" ? { ...file, name: `${name}.bit` } : file,
  );
  return { ...made, manifest: { ...made.manifest, files } };
}

/** A load of an artifact, signed, for a slot of the board it is made for. */
export function loadOf(
  { manifest }: TestArtifact,
  signer: Signer,
  extra: Partial<LoadCommand> = {},
): LoadCommand {
  const artifactDigest = digestOfJson(manifest);
  const signature = sign(null, Buffer.from(artifactDigest), signer.privateKey).toString("base64");
  return {
    kind: "load",
    id: uuidv7(),
    slotId: "slt_1",
    slotEpoch: 1,
    revisionId: "rev_1",
    endpointName: "test",
    version: "1",
    board: {
      id: "brd_1",
      key: "",
      boardModel: manifest.boardModel,
      kind: manifest.kind === "model" ? "cpu" : "simulated",
      part: manifest.part ?? null,
    },
    artifactDigest,
    manifest,
    signature: { keyId: signer.keys[0]?.keyId ?? "", digest: artifactDigest, signature },
    ...extra,
  };
}

/** A command as the portal of the tests sends it. */
export function signedBy(signer: Signer, command: Command, serverId = "bsv_test"): SignedCommand {
  const text = commandText(serverId, command);
  return {
    command,
    keyId: signer.keys[0]?.keyId ?? "",
    signature: sign(null, Buffer.from(text), signer.privateKey).toString("base64"),
  };
}

/** Adopted boards as the portal of the tests tells of them. @param nonce That of the poll. */
export function adoptionsBy(
  signer: Signer,
  boards: AdoptedBoard[],
  nonce: string,
): SignedAdoptions {
  const text = adoptionsText({ serverId: "bsv_test", nonce }, boards);
  return {
    boards,
    keyId: signer.keys[0]?.keyId ?? "",
    signature: sign(null, Buffer.from(text), signer.privateKey).toString("base64"),
  };
}

/** Boards at addresses as the portal of the tests tells of them. @param nonce That of the poll. */
export function attachmentsBy(
  signer: Signer,
  boards: AttachedBoard[],
  nonce: string,
): SignedAttachments {
  const text = attachmentsText({ serverId: "bsv_test", nonce }, boards);
  return {
    boards,
    keyId: signer.keys[0]?.keyId ?? "",
    signature: sign(null, Buffer.from(text), signer.privateKey).toString("base64"),
  };
}
