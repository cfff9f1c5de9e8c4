import { z } from "zod";
import type { BoardModel } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { fail, fromErrorData } from "@/lib/common/errors";
import { ioOf, maxBatchSizeOf } from "./cpu-io";
import type { Engine, ParsedModel, Plan, PlanRequest, Verdict } from "./engine";
import { refuseHgq } from "./refuse-hgq";
import { sealPlan } from "./seal-plan";
import { refused, verdictOf } from "./verdict";

/** What tells one engine for CPU boards from another: the files that it reads, and what it makes of them. */
export interface CpuEngine {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly formats: readonly string[];
  /** Further formats, which only a tool can turn into ONNX. */
  readonly converted?: {
    readonly formats: readonly string[];
    readonly tools: readonly string[];
    readonly plan: (model: ParsedModel) => Making;
  };
  /** How to save a model so that this engine takes it. */
  readonly saveHint: string;
  /** What the report says of its artifacts. */
  readonly note: string;
  /** The ONNX file that the board's runtime loads. */
  readonly artifactOf: (
    model: ParsedModel & { readonly graph: NonNullable<ParsedModel["graph"]> },
  ) => Uint8Array;
}

/** How a plan comes to its ONNX file. */
type Making = Pick<Plan, "files" | "steps" | "products" | "conversion">;

const modelPath = "model.onnx";

const optionsSchema = z.strictObject({
  threads: z
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .meta({ title: "Threads" })
    .describe("Processor cores that one call is spread over. 1 leaves the others to other models."),
  spin: z
    .boolean()
    .default(false)
    .meta({ title: "Spin" })
    .describe(
      "Whether those threads wait by turning round: quicker, and a core each even when idle.",
    ),
});

/** An engine whose artifact is an ONNX file, run in floating point on the processor of a board server. */
export function defineCpuEngine(engine: CpuEngine): Engine {
  const { id, title, summary, converted, saveHint } = engine;
  const isConverted = (format: string) => converted?.formats.includes(format) ?? false;
  const formats = [...engine.formats, ...(converted?.formats ?? [])];
  const accepts = ({ format, graph }: ParsedModel): Verdict => {
    if (formats.includes(format) && (graph || isConverted(format)))
      return verdictOf(() => graph && refuseHgq(id, graph));
    return refused(
      fail("FORMAT_HAS_NO_ENGINE", `The ${id} engine does not read ${format} files.`, {
        hint: saveHint,
      }),
    );
  };
  const supports = (board: BoardModel, kind: BoardKind): Verdict => {
    if (kind === "cpu" && board.part.flow.kind === "cpu") return { ok: true };
    return refused(
      fail("COMBINATION_UNSUPPORTED", `Engine ${id} runs on CPU boards, not on ${board.name}.`, {
        hint: "Choose the boardwalk engine for this board, or a CPU board.",
      }),
    );
  };
  return {
    id,
    title,
    summary,
    kind: "cpu",
    formats,
    optionsSchema,
    tools: (format) => (isConverted(format) ? (converted?.tools ?? []) : []),
    accepts,
    supports,
    plan(request) {
      const { model, board, boardKind } = request;
      for (const verdict of [accepts(model), supports(board, boardKind)]) {
        if (!verdict.ok) throw fromErrorData(verdict.problem);
      }
      const making =
        converted && isConverted(model.format) ? converted.plan(model) : makeNow(engine, model);
      return planOf(engine, request, making);
    },
    timing: () => ({ met: true, achievedMhz: 0 }),
    outcome: ({ forecast }) => ({ report: forecast, placement: null }),
  };
}

/** The artifact is made while planning: nothing is to be run. */
function makeNow({ artifactOf }: CpuEngine, model: ParsedModel): Making {
  const { graph } = model;
  if (!graph) throw new RangeError("An accepted model has a graph.");
  return {
    files: new Map([[modelPath, artifactOf({ ...model, graph })]]),
    steps: [],
    products: [{ role: "model", path: modelPath }],
  };
}

function planOf({ id, note }: CpuEngine, request: PlanRequest, making: Making): Plan {
  const { model, card, board } = request;
  const tensors = model.graph ?? model.savedModel?.signature;
  if (!tensors) throw new RangeError("An accepted model has inputs and outputs.");
  return sealPlan(
    {
      schemaVersion: 1,
      engine: id,
      boardModel: board.id,
      kind: "model",
      platform: "onnx_onnxv1",
      io: ioOf(tensors, card),
      maxBatchSize: maxBatchSizeOf(tensors),
      core: undefined,
      runtime: optionsSchema.parse(request.options),
      ...making,
      synthesis: [],
      variants: [],
      reference: null,
      taps: [],
      vectors: [],
      forecast: { resources: [], notes: [note] },
    },
    request,
  );
}
