import { z } from "zod";
import type { BoardModel } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { fail, fromErrorData } from "@/lib/common/errors";
import { ioOf, maxBatchSizeOf } from "./cpu-io";
import type { Engine, ParsedModel, Plan, PlanRequest, Verdict } from "./engine";
import { sealPlan } from "./seal-plan";
import { refused } from "./verdict";

/** What tells one engine for CPU boards from another: the files that it reads, and what it makes of them. */
export interface CpuEngine {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly formats: readonly string[];
  /** How to save a model so that this engine takes it. */
  readonly saveHint: string;
  /** What the report says of its artifacts. */
  readonly note: string;
  /** The ONNX file that the board's runtime loads. */
  readonly artifactOf: (
    model: ParsedModel & { readonly graph: NonNullable<ParsedModel["graph"]> },
  ) => Uint8Array;
}

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
  const { id, title, summary, formats, saveHint } = engine;
  const accepts = ({ format, graph }: ParsedModel): Verdict => {
    if (formats.includes(format) && graph) return { ok: true };
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
    accepts,
    supports,
    plan(request) {
      const { model, board, boardKind } = request;
      for (const verdict of [accepts(model), supports(board, boardKind)]) {
        if (!verdict.ok) throw fromErrorData(verdict.problem);
      }
      return planOf(engine, request);
    },
    timing: () => ({ met: true, achievedMhz: 0 }),
    report: ({ forecast }) => forecast,
  };
}

/** Plans nothing to be run: the artifact is made here. */
function planOf({ id, note, artifactOf }: CpuEngine, request: PlanRequest): Plan {
  const { model, card, board } = request;
  const { graph } = model;
  if (!graph) throw new RangeError("An accepted model has a graph.");
  return sealPlan(
    {
      schemaVersion: 1,
      engine: id,
      boardModel: board.id,
      kind: "model",
      platform: "onnx_onnxv1",
      io: ioOf(graph, card),
      maxBatchSize: maxBatchSizeOf(graph),
      core: undefined,
      runtime: optionsSchema.parse(request.options),
      files: new Map([[modelPath, artifactOf({ ...model, graph })]]),
      steps: [],
      variants: [],
      products: [{ role: "model", path: modelPath }],
      reference: null,
      taps: [],
      vectors: [],
      forecast: { resources: [], notes: [note] },
    },
    request,
  );
}
