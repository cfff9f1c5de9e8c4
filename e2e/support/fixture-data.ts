import { boardEntries } from "@/boards/data";
import {
  type Board,
  type BoardModelSummary,
  type Build,
  type Endpoint,
  type EngineSummary,
  type Inspection,
  type LogLine,
  type Proof,
  type Report,
  reportSchema,
  type StageName,
} from "@/lib/common/contract";
import icebreaker from "./recorded/icebreaker.json" with { type: "json" };
import ulx3s from "./recorded/ulx3s-25f.json" with { type: "json" };

/** Invented answers for looking at screens in states that are rare. Nothing here is a result of anything. */
const digest = (seed: string) =>
  `sha256:${[...seed.repeat(64)]
    .map((c) => (c.charCodeAt(0) % 16).toString(16))
    .join("")
    .slice(0, 64)}`;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

const modelProof: Proof = {
  vectors: 1058,
  mismatches: 0,
  rows: 360,
  maxAbsError: 0.021,
  agreement: 0.994,
  accuracy: 0.972,
  floatAccuracy: 0.975,
  source: "held-back rows",
};
/** What the tools measured of two builds, recorded; the proof is invented. */
const recordedOf = ({ report: { cells: _, ...measured } }: typeof icebreaker): Report => ({
  ...reportSchema.parse(measured),
  criticalPath: {
    totalNs: 22.1,
    steps: [
      { signal: "tap_accumulator", module: "core", routingNs: 0, logicNs: 1.4 },
      { signal: "coarse", module: "core", routingNs: 6.8, logicNs: 1.2 },
      { signal: "fine", module: "core", routingNs: 5.1, logicNs: 6.4 },
      { signal: "rst", module: "top", routingNs: 0.8, logicNs: 0.4 },
    ],
  },
  proof: {
    ...modelProof,
    levels: [
      { level: "rtl", vectors: 1058 },
      { level: "netlist", vectors: 48 },
    ],
  },
});
const report = recordedOf(icebreaker);
const unrolledReport = recordedOf(ulx3s as unknown as typeof icebreaker);

/** By the digest of the artifact. */
export const placements: ReadonlyMap<string, unknown> = new Map([
  [digest("art"), icebreaker.placement],
  [digest("unrolled"), ulx3s.placement],
]);

const stageOrder = [
  "fetch",
  "inspect",
  "plan",
  "synthesise",
  "place",
  "pack",
  "simulate",
  "verify",
  "store",
] as const;
const usualMs: Readonly<Record<StageName, number>> = {
  fetch: 200,
  inspect: 100,
  plan: 900,
  synthesise: 9400,
  place: 34_000,
  pack: 700,
  simulate: 2100,
  verify: 3300,
  store: 250,
};

function stages(until: StageName | null, state: "running" | "failed"): Build["stages"] {
  let reached = false;
  return stageOrder.map((name) => {
    if (name === until) {
      reached = true;
      return { name, state, durationMs: state === "failed" ? 12_000 : null, startedAt: ago(21) };
    }
    if (reached) return { name, state: "waiting", durationMs: null, startedAt: null };
    return { name, state: "succeeded", durationMs: usualMs[name], startedAt: ago(60) };
  });
}

const id = (n: number) => `bld_0198c0de-0000-7000-8000-${String(n).padStart(12, "0")}`;

const base: Build = {
  id: id(1),
  state: "succeeded",
  stages: stages(null, "running"),
  reused: false,
  reusedFrom: null,
  cancelling: false,
  attempt: 1,
  engine: "boardwalk",
  boardModel: "icebreaker",
  boardKind: "simulated",
  modelUrl: "s3://boardwalk-samples/digits-mlp/model.onnx",
  endpointName: "digits-mlp",
  priority: "normal",
  labels: ["nightly", "for the paper"],
  planDigest: digest("plan"),
  artifactDigest: digest("art"),
  problem: null,
  report,
  lines: 1204,
  createdAt: ago(4000),
  startedAt: ago(3999),
  endedAt: ago(3948),
};

const longName = "a-very-long-endpoint-name-that-somebody-chose-on-a-friday-eveni";

/** A machine of dense layers, all of whose processors read all values of the layer before. */
function machineOf(inputs: number, counts: readonly number[]): NonNullable<Report["machine"]> {
  let number = 0;
  return {
    type: "fps16f8",
    inputs,
    layers: counts.map((count, at) => {
      const before = counts[at - 1] ?? inputs;
      return {
        name: `sequential/dense_${at + 1}`,
        relu: at < counts.length - 1,
        processors: Array.from({ length: count }, () => ({
          number: number++,
          inputs: before,
          instructions: 3 + 4 * before,
          from: Array.from({ length: before }, (_, place) => place),
        })),
      };
    }),
  };
}

export const builds: Build[] = [
  ...[machineOf(16, [8, 4, 4, 5]), machineOf(64, [32, 10])].map(
    (machine, at): Build => ({
      ...base,
      id: id(21 + at),
      engine: "bondmachine",
      endpointName: `machine-${at}`,
      report: { resources: report.resources, machine },
    }),
  ),
  {
    ...base,
    id: id(9),
    state: "running",
    stages: stages("place", "running"),
    artifactDigest: null,
    endpointName: "digits-live",
    report: { resources: report.resources },
    createdAt: ago(48),
    startedAt: ago(34),
    endedAt: null,
  },
  {
    ...base,
    id: id(8),
    state: "failed",
    stages: stages("place", "failed"),
    artifactDigest: null,
    endpointName: longName,
    report: { resources: [{ id: "lut", name: "Logic cells", used: 6120, available: 5280 }] },
    problem: {
      reason: "MODEL_TOO_LARGE",
      message: "The design needs 6,120 logic cells and iCEBreaker has 5,280: 840 too many.",
      hint: "Use 6-bit weights (about 4,300 cells), fewer lanes, or the CPU.",
    },
    createdAt: ago(900),
    startedAt: ago(890),
    endedAt: ago(840),
  },
  {
    ...base,
    id: id(7),
    reused: true,
    reusedFrom: id(1),
    endpointName: "digits-again",
    stages: stageOrder.map((name, index) =>
      index < 3 || name === "store"
        ? { name, state: "succeeded", durationMs: 120 }
        : { name, state: "skipped", durationMs: null },
    ),
    createdAt: ago(1800),
    startedAt: ago(1799),
    endedAt: ago(1796),
  },
  {
    ...base,
    id: id(6),
    state: "queued",
    stages: stageOrder.map((name) => ({ name, state: "waiting", durationMs: null })),
    artifactDigest: null,
    attempt: 0,
    lines: 0,
    endpointName: "iris-waits",
    priority: "high",
    createdAt: ago(12),
    startedAt: null,
    endedAt: null,
    waitingFor: "one build before it",
  },
  {
    ...base,
    id: id(5),
    state: "cancelled",
    endpointName: "stopped",
    createdAt: ago(7200),
    startedAt: ago(7199),
    endedAt: ago(7190),
  },
  {
    ...base,
    id: id(4),
    engine: "onnx",
    boardModel: "cpu",
    boardKind: "cpu",
    endpointName: "iris-fast",
    report: {
      resources: [],
      proof: { ...modelProof, agreement: 1 },
    },
    createdAt: ago(3000),
    startedAt: ago(2999),
    endedAt: ago(2997),
  },
  base,
  {
    ...base,
    id: id(2),
    boardModel: "ulx3s-25f",
    endpointName: "digits-unrolled",
    artifactDigest: digest("unrolled"),
    options: { architecture: "unrolled" },
    report: {
      ...unrolledReport,
      proof: { ...modelProof, agreement: 0.981, maxAbsError: 0.034, levels: report.proof?.levels },
    },
    createdAt: ago(3600),
    startedAt: ago(3599),
    endedAt: ago(3420),
  },
  {
    ...base,
    id: id(3),
    endpointName: "digits-four-lanes",
    options: { lanes: 4, weightBits: 6 },
    report: {
      ...report,
      latencyCycles: 850,
      lanes: 4,
      resources: report.resources.map((each) => ({ ...each, used: Math.ceil(each.used * 0.8) })),
      proof: { ...modelProof, agreement: 0.958, levels: report.proof?.levels },
    },
    createdAt: ago(3500),
    startedAt: ago(3499),
    endedAt: ago(3440),
  },
];
for (let n = 10; n < 22; n += 1) {
  builds.push({
    ...base,
    id: id(n),
    endpointName: null,
    createdAt: ago(9000 + n * 2000),
    startedAt: ago(9000 + n * 2000),
    endedAt: ago(9000 + n * 2000 - 20 - ((n * 7) % 30)),
  });
}

const text = (n: number, stage: StageName) =>
  n % 97 === 0
    ? "\x1b[33mWarning: \x1b[0mwire '\\core.u_mac.acc' has an unprocessed 'init' attribute."
    : `Info: \x1b[32m${stage}\x1b[0m at iteration #${n}: temp = ${(1 / n).toFixed(6)}, timing cost = ${(n * 7) % 99}, wirelen = ${8000 - (n % 4000)}`;

/** Lines of a build's log; the failing one ends in an error, one is 10,000 lines long. */
export function logOf(build: Build): LogLine[] {
  const counts: readonly (readonly [StageName, number])[] =
    build.state === "queued"
      ? []
      : build.state === "running"
        ? [
            ["fetch", 3],
            ["inspect", 9],
            ["plan", 26],
            ["synthesise", 842],
            ["place", 14],
          ]
        : build.state === "failed"
          ? [
              ["fetch", 3],
              ["inspect", 9],
              ["plan", 26],
              ["synthesise", 842],
              ["place", 120],
            ]
          : build.engine === "onnx"
            ? [
                ["fetch", 3],
                ["inspect", 9],
                ["verify", 6],
              ]
            : [
                ["fetch", 3],
                ["inspect", 9],
                ["plan", 26],
                ["synthesise", 842],
                ["place", 9000],
                ["pack", 12],
                ["simulate", 40],
                ["verify", 60],
                ["store", 8],
              ];
  const lines: LogLine[] = [];
  for (const [stage, count] of counts) {
    for (let each = 0; each < count; each += 1) {
      const n = lines.length + 1;
      const bad = build.state === "failed" && stage === "place" && each === 117;
      lines.push({
        n,
        time: new Date(Date.now() - 60_000 + n * 10).toISOString(),
        stage,
        stream: "stdout",
        level: bad ? "error" : n % 97 === 0 ? "warning" : "info",
        text: bad
          ? "ERROR: Unable to place cell 'core.lut_4471', no BELs remaining to implement cell type 'ICESTORM_LC'"
          : text(n, stage),
      });
    }
  }
  return lines;
}

const inputs = [{ name: "pixels", datatype: "FP32", shape: [-1, 64] }];
const outputs = [{ name: "logits", datatype: "FP32", shape: [-1, 10] }];
const pixels = Array.from(
  { length: 64 },
  (_, index) => [0, 0, 5, 13, 9, 1, 0, 0, 0, 0, 13, 15, 10, 15, 5, 0][index % 16] ?? 0,
);

export function endpointOf(name: string, more: Partial<Endpoint> = {}): Endpoint {
  return {
    name,
    state: "ready",
    access: "all",
    url: `http://localhost:8000/v2/models/${name}/infer`,
    buildId: id(1),
    artifactDigest: digest("art"),
    ...(report.proof ? { proof: report.proof } : {}),
    apiVersion: "V2",
    serviceType: "boardwalk on iCEBreaker (simulated)",
    engine: "boardwalk",
    boardModel: "icebreaker",
    boardKind: "simulated",
    boardId: "brd_1",
    replicas: { serving: 1, wanted: 1 },
    modelUrl: base.modelUrl,
    revision: 2,
    next: null,
    paused: false,
    reused: false,
    inputs,
    outputs,
    labels: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
    sample: { inputs: [{ name: "pixels", shape: [1, 64], datatype: "FP32", data: pixels }] },
    clockHz: 24e6,
    createdAt: ago(4000),
    readyAt: ago(3940),
    ...more,
  };
}

export const endpoints: Endpoint[] = [
  endpointOf("digits-mlp"),
  endpointOf("iris-fast", {
    engine: "onnx",
    boardModel: "cpu",
    boardKind: "cpu",
    buildId: id(4),
    boardId: "brd_cpu",
  }),
  endpointOf("digits-live", {
    state: "building",
    artifactDigest: null,
    buildId: id(9),
    readyAt: null,
    inputs: [],
    outputs: [],
  }),
  endpointOf(longName, {
    state: "failed",
    buildId: id(8),
    artifactDigest: null,
    readyAt: null,
    problem: builds[1]?.problem ?? null,
  }),
];

const slot = (n: number, more: Partial<Board["slots"][number]> = {}): Board["slots"][number] => ({
  id: `slt_${n}`,
  index: n,
  state: "empty",
  artifactDigest: null,
  endpointName: null,
  revisionId: null,
  ...more,
});

export const boards: Board[] = [
  {
    id: "brd_1",
    name: "icebreaker-sim-1",
    boardModel: "icebreaker",
    kind: "simulated",
    state: "serving",
    serverId: "bsv_1",
    serverName: "this-machine",
    heartbeatAt: ago(2),
    loads: "boardwalk" as const,
    slots: [
      slot(0, { state: "serving", artifactDigest: digest("art"), endpointName: "digits-mlp" }),
    ],
  },
  {
    id: "brd_2",
    name: "icebreaker-sim-2",
    boardModel: "icebreaker",
    kind: "simulated",
    state: "programming",
    serverId: "bsv_1",
    serverName: "this-machine",
    heartbeatAt: ago(2),
    loads: "boardwalk" as const,
    slots: [
      slot(0, { state: "loading", artifactDigest: digest("art"), endpointName: "digits-live" }),
    ],
  },
  {
    id: "brd_cpu",
    name: "cpu",
    boardModel: "cpu",
    kind: "cpu",
    state: "serving",
    serverId: "bsv_1",
    serverName: "this-machine",
    heartbeatAt: ago(2),
    loads: "boardwalk" as const,
    slots: [
      slot(0, { state: "serving", artifactDigest: digest("cpu"), endpointName: "iris-fast" }),
      ...Array.from({ length: 7 }, (_, n) => slot(n + 1)),
    ],
  },
];

export const boardModels: BoardModelSummary[] = (
  boardEntries as unknown as readonly {
    id: string;
    name: string;
    vendor: string;
    part: string;
  }[]
).map(({ id, name, vendor, part }) => ({
  id,
  name,
  vendor,
  part,
  family: "",
  bitstreamNeeds: id === "basys3" ? "Vivado" : null,
  resources: id === "cpu" ? {} : { lut: 5280, bramBlocks: 30, dsp: 8 },
  clockHz: 12e6,
  link: "uart",
  aliases: [],
  verifiedOnHardware: id === "cpu",
  kinds: id === "cpu" ? ["cpu"] : ["simulated", "physical"],
}));

export const engines: EngineSummary[] = [
  {
    id: "boardwalk",
    title: "Boardwalk",
    summary: "compiled to the board, proven bit for bit",
    kind: "fpga",
    formats: ["onnx"],
    forecasts: true,
    boards: ["icebreaker"],
    lacking: [],
    loads: ["boardwalk" as const],
    proves: true,
    firmwareBoards: ["icebreaker"],
    presets: [
      { id: "smallest", options: { weightWidth: 4, lanes: 1 } },
      { id: "fastest", options: { weightWidth: 4 } },
    ],
    optionsSchema: {
      type: "object",
      properties: {
        weightWidth: {
          type: "integer",
          minimum: 2,
          maximum: 8,
          default: 8,
          description: "Bits of a weight.",
        },
        lanes: {
          type: "integer",
          minimum: 1,
          maximum: 64,
          description: "Multipliers side by side; chosen to fit when left alone.",
        },
        clockHz: {
          type: "integer",
          enum: [12000000, 24000000, 48000000],
          description: "Highest clock to try.",
        },
        simulate: {
          type: "string",
          enum: ["core", "shell"],
          default: "core",
          description: "What a simulated board runs.",
        },
      },
    },
  },
  {
    id: "onnx",
    title: "ONNX",
    summary: "as it is, on a CPU",
    kind: "cpu",
    formats: ["onnx"],
    forecasts: false,
    boards: ["cpu"],
    lacking: [],
    loads: ["boardwalk" as const],
    proves: true,
    firmwareBoards: [],
    presets: [],
    optionsSchema: { type: "object", properties: {} },
  },
];

export const inspection: Inspection = {
  format: "onnx",
  sizeBytes: 14_336,
  digest: digest("model"),
  inputs,
  outputs,
  layers: [
    { name: "dense_1", operator: "Gemm", shape: [-1, 32], parameters: 2080 },
    { name: "relu_1", operator: "Relu", shape: [-1, 32], parameters: 0 },
    { name: "dense_2", operator: "Gemm", shape: [-1, 32], parameters: 1056 },
    { name: "dense_3", operator: "Gemm", shape: [-1, 10], parameters: 330 },
  ],
  parameters: 3466,
  engines: [
    { id: "boardwalk", ok: true },
    { id: "onnx", ok: true },
  ],
  opset: 17,
  outlines: {
    boardwalk: {
      version: 3,
      inputBytes: 64,
      outputBytes: 20,
      hasOwnBits: false,
      cores: {
        array: {
          layers: [
            { inputSize: 64, outputSize: 32, sumWidth: 20, table: null },
            { inputSize: 32, outputSize: 32, sumWidth: 19, table: null },
            { inputSize: 32, outputSize: 10, sumWidth: 19, table: null },
          ],
          refusal: null,
        },
      },
    },
  },
};
