import { archOf, firmwareNameSchema } from "@/lib/common/bond";
import { canonicalJson } from "@/lib/common/contract";
import { fail, fromErrorData } from "@/lib/common/errors";
import { rowSize } from "@/lib/common/tensor";
import { cutText, showText } from "@/lib/common/text";
import { firmwareIo, origin } from "../bond-firmware";
import type { HostStep, Plan, PlanRequest, Verdict } from "../engine";
import { sealPlan } from "../seal-plan";
import { accepts, supports } from "./constraints";
import { type Judged, judgeTask } from "./judge";
import { optionsSchema } from "./options";
import { findToolkit, requireBoard } from "./toolkits";

/** The command that stands for a build server among the tools of a worker. */
export const hostCommand = "bond-build";

const limitS = { build: 7200, judge: 120 } as const;
/** A batch must not hold the board: nothing says how long a row takes. */
const maxBatchSize = 1;

/** The plan of a firmware that a build server makes of a network in its own store. */
export function plan(request: PlanRequest): Plan {
  const { model, board, boardKind } = request;
  require(accepts(model));
  require(supports(board, boardKind));
  const host = hostStepOf(request);
  const { nInputs, nOutputs } = host.asked;
  const { bit, hwh, json } = host.firmware;
  const name = bit.slice(0, -".bit".length);
  const metadata = `${name}.json`;
  const given: Judged = { board: board.id, inputs: nInputs, outputs: nOutputs };
  return sealPlan(
    {
      schemaVersion: 1,
      engine: "bond-host",
      boardModel: board.id,
      kind: "firmware",
      platform: `bondmachine_${board.part.family}`,
      io: firmwareIo({ n_inputs: nInputs, n_outputs: nOutputs }),
      maxBatchSize,
      core: undefined,
      files: new Map(),
      steps: [
        host,
        {
          kind: "derive",
          name: "judge the firmware",
          stage: "pack",
          task: judgeTask,
          given,
          timeoutS: limitS.judge,
          reads: [bit, hwh, json],
          produces: [metadata],
        },
      ],
      synthesis: [],
      variants: [],
      products: [
        { role: "bitstream", path: bit },
        { role: "hardware-handoff", path: hwh },
        { role: "metadata", path: metadata },
      ],
      origin,
      reference: null,
      taps: [],
      vectors: [],
      forecast: {
        resources: [],
        origin,
        notes: [
          `Made by a build server's ${host.asked.hlsToolkit}, which is not part of Boardwalk.`,
        ],
      },
    },
    request,
  );
}

function hostStepOf(request: PlanRequest): HostStep {
  const { model, board } = request;
  const toolkit = findToolkit(model);
  const graph = model.graph;
  if (!toolkit || !graph) throw new RangeError("An accepted model has a graph and a toolkit.");
  requireBoard(toolkit, board);
  const { flavor } = optionsSchema.parse(request.options);
  const [input] = graph.inputs;
  const [output] = graph.outputs;
  const name = networkNameOf(request);
  const uuid = uuidOf(request);
  const stem = `${uuid}_firmware`;
  const firmware = { bit: `${stem}.bit`, hwh: `${stem}.hwh`, json: "made.json" };
  return {
    kind: "host",
    name: "build server",
    stage: "synthesise",
    command: hostCommand,
    source: { bucket: toolkit.bucket, name, digest: model.digest },
    asked: {
      uuid,
      projectName: projectNameOf(uuid),
      hlsToolkit: toolkit.id,
      targetBoard: board.id,
      arch: archOf(board.id),
      projectType: "neuralnetwork",
      nInputs: input ? rowSize(input) : 0,
      nOutputs: output ? rowSize(output) : 0,
      flavor,
      sourceNeuralNetwork: name,
    },
    timeoutS: limitS.build,
    reads: [],
    firmware,
    produces: Object.values(firmware),
  };
}

/** The server finds the network in its own store by this name, and puts it into shell commands. */
function networkNameOf({ sourceName = "", model: { format } }: PlanRequest): string {
  const name = `${sourceName}.${format === "keras-h5" ? "h5" : "json"}`;
  if (firmwareNameSchema.safeParse(name).success) return name;
  throw fail(
    "SOURCE_NOT_ALLOWED",
    `A build server must not be given the name ${showText(cutText(name, 80))}: it puts names into commands.`,
    {
      field: "model.url",
      hint: "Give the file in its store a name of letters, digits, hyphens, underscores and single dots.",
    },
  );
}

/**
 * Of all that decides what is built: a build that is repeated after a crash asks for the same firmware, so that one that
 * was finished meanwhile is found and not made again.
 */
function uuidOf({ model, board, options, toolVersions, sourceName, sha256 }: PlanRequest): string {
  const text = canonicalJson({
    ...{ model: model.digest, board: board.id, options, toolVersions },
    sourceName: sourceName ?? "",
  });
  const hex = sha256(new TextEncoder().encode(text)).slice("sha256:".length);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** Eight letters, as the original's board server makes them up. */
const projectNameOf = (uuid: string): string =>
  Array.from(uuid.replaceAll("-", "").slice(0, 8), (digit) =>
    String.fromCharCode(97 + Number.parseInt(digit, 16)),
  ).join("");

function require(verdict: Verdict): void {
  if (!verdict.ok) throw fromErrorData(verdict.problem);
}
