import { getBoardModel } from "@/boards";
import { getEngine, isIntegerGraph, type ParsedModel, type Plan, runReference } from "@/engines";
import { canonicalJson, ioSchema, reportSchema } from "@/lib/common/contract";
import { type AppError, isAppError } from "@/lib/common/errors";
import { digestOf } from "@/lib/server/digest";
import { answerRows, rowsOfVectors } from "@/workers/agreement";
import { checkImport } from "@/workers/builds/stages/check-import";
import { openSession } from "@/workers/builds/stages/float-session";
import { drawFrom } from "./draw";
import { planOnCpu } from "./plan-on-cpu";

/** How a model ends on an FPGA board: with a plan that holds, or refused by a reason. */
export type FpgaEnd =
  | { readonly plan: Plan; readonly refused?: never }
  | { readonly plan?: never; readonly refused: string };

/** One board of each family and link, small and large. */
const boards = [
  "icebreaker",
  "ice40-hx8k-evn",
  "icestick",
  "ulx3s-85f",
  "colorlight-i5",
  "tang-nano-9k",
  "tang-primer-25k",
  "crosslink-nx-evn",
  "pynq-z2",
  "de10-nano",
] as const;

const optionSets = [
  {},
  {},
  { architecture: "array" },
  { architecture: "unrolled" },
  { precision: "smallest" },
  { weightBits: 3, activationBits: 4 },
] as const;

/** What nobody can be told: a fault of ours, under whatever reason. */
const faults: ReadonlySet<string> = new Set(["INTERNAL", "IMPORT_MISMATCH", "VERIFICATION_FAILED"]);

/**
 * Builds a model up to what tools would be given, on a board and with options of its seed.
 *
 * @throws {Error} Whatever is neither a plan nor a refusal.
 */
export async function judgeFpga(model: ParsedModel, seed: number): Promise<FpgaEnd> {
  const draw = drawFrom(seed);
  const board = draw.pick(boards);
  const options = draw.pick(optionSets);
  try {
    return { plan: await planOf(model, board, options) };
  } catch (error) {
    if (isNamedRefusal(error)) return { refused: error.reason };
    throw new Error(`${board} ${JSON.stringify(options)}`, { cause: error });
  }
}

function isNamedRefusal(error: unknown): error is AppError {
  return isAppError(error) && !faults.has(error.reason) && error.message.length > 10;
}

async function planOf(
  model: ParsedModel,
  boardId: string,
  options: Readonly<Record<string, unknown>>,
): Promise<Plan> {
  const engine = getEngine("boardwalk");
  if (!model.graph) throw new Error("there is a graph");
  const plan = engine.plan({
    model,
    card: null,
    calibration: null,
    board: getBoardModel(boardId),
    boardKind: "simulated",
    options,
    toolVersions: { yosys: "0.55" },
    sourceDigest: digestOf("sources"),
    sha256: digestOf,
  });
  holdPlan(plan);
  const session = await openSession(planOnCpu(model), { asWritten: true });
  try {
    await checkImport(session, { graph: model.graph, rows: null });
  } finally {
    await session.close();
  }
  return plan;
}

/** What every plan must be, before any tool has run. @throws {Error} */
function holdPlan(plan: Plan): void {
  const { reference, vectors, io, core } = plan;
  if (!reference || !isIntegerGraph(reference) || !core || vectors.length === 0)
    throw new Error("the plan has no vectors");
  canonicalJson(reference);
  canonicalJson(plan.taps);
  ioSchema.parse(JSON.parse(canonicalJson(io)));
  reportSchema.parse(JSON.parse(canonicalJson(plan.forecast)));
  for (const [name, content] of plan.files) {
    if (typeof content !== "string" || !name.endsWith(".v")) continue;
    const odd = /\b(NaN|undefined|Infinity|null)\b|'d-|\[-\d/.exec(content);
    if (odd) throw new Error(`${name} says ${odd[0]}`);
  }
  const lists = reference.nodes.flatMap((node) => [
    "weights" in node ? node.weights : [],
    "bias" in node ? node.bias : [],
    "shift" in node ? node.shift : [],
    "values" in node ? node.values : [],
  ]);
  if (lists.flat().some((value) => !Number.isInteger(value))) throw new Error("no integer graph");
  const limit = 2 ** (reference.output.width - 1);
  for (const row of vectors) {
    const { output } = runReference(reference, row);
    if (output.length !== reference.output.size) throw new Error("outputs are missing");
    if (output.some((value) => value < -limit || value >= limit))
      throw new Error("a score overflows");
  }
  const rows = rowsOfVectors(vectors.slice(0, 8), io);
  if (rows && answerRows(reference, io, rows).some((each) => each.some(Number.isNaN))) {
    throw new Error("the host makes no numbers of the scores");
  }
}
