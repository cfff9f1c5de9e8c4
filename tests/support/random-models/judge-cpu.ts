import type { ParsedModel } from "@/engines";
import { inspectionSchema } from "@/lib/common/contract";
import { digestOf } from "@/lib/server/digest";
import { type FloatSession, openSession } from "@/workers/builds/stages/float-session";
import { inspectModel } from "@/workers/inspect/inspect-model";
import { batchOf } from "@/workers/rows";
import { drawFrom } from "./draw";
import { planOnCpu } from "./plan-on-cpu";
import type { Answers, RandomModel } from "./types";

/** Rows of each model that its runtime and ours answer. */
const rowCount = 8;

/**
 * Takes a model as an upload and a CPU deploy take it, and holds what is served against its own runtime.
 *
 * @returns The model as it was read.
 * @throws {Error} where it is not served, or answers otherwise.
 */
export async function judgeCpu(model: RandomModel): Promise<ParsedModel> {
  const { bytes } = model;
  const { inspection, graph } = await inspectModel(bytes, null);
  inspectionSchema.parse(JSON.parse(JSON.stringify(inspection)));
  if (!graph) throw new Error("the model was not read");
  const parsed = {
    format: inspection.format,
    bytes,
    digest: digestOf(bytes),
    graph,
    savedModel: null,
  };
  const [input] = graph.inputs;
  if (!input) throw new Error("the model has no input");
  const count = batchOf(input, rowCount);
  const rows =
    model.rows ??
    drawRows(
      model,
      count,
      input.shape.slice(1).reduce((a, b) => a * b, 1),
    );
  const session = await openSession(planOnCpu(parsed));
  try {
    const answers = await answersOf(session, input.name, rows, [count, ...input.shape.slice(1)]);
    await model.hold(answers, { values: rows, count, shape: [count, ...input.shape.slice(1)] });
  } finally {
    await session.close();
  }
  return parsed;
}

/** Ordinary rows, with zeros, huge, tiny and, where that is legal, missing values among them. */
function drawRows({ seed, categorical, missing }: RandomModel, count: number, width: number) {
  const draw = drawFrom(seed);
  return Float32Array.from({ length: count * width }, (_, at) => {
    if (missing && draw.chance(0.1)) return Number.NaN;
    if (categorical?.includes(at % width)) return draw.integer(0, 4);
    return draw.chance(0.05) ? draw.pick([0, -0, 1e4, -1e4, 1e-30, 1e-42]) : draw.normal();
  });
}

export async function answersOf(
  session: FloatSession,
  name: string,
  values: Float32Array,
  shape: readonly number[],
): Promise<Answers> {
  const answers = await session.run(new Map([[name, { datatype: "FP32", shape, values }]]));
  return [...answers].map(([output, { data, shape: dims }]) => ({
    output,
    shape: dims,
    values: Array.from(data as ArrayLike<number | bigint>, Number),
  }));
}
