import { type Graph, type Reference, runGraph } from "@/engines";
import type { Accuracy, ArtifactIo, Calibration } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { toBfloat16Bits } from "@/lib/common/tensor";
import { answerThread } from "@/lib/server/process";
import {
  type Agreement,
  answerRows,
  compareAnswers,
  ownClasses,
  plainClassOf,
} from "../../agreement";
import { batchOf, makeFeeds, takesRows, tensorsOfRows } from "../../rows";
import { checkImport, numbersOf } from "./check-import";
import { countClipping } from "./clipping";
import { compareOutputs } from "./compare-outputs";
import { arrayOf, type FloatData, type FloatSession, openSession } from "./float-session";
import { measureAccuracy } from "./measure-accuracy";

/** What ONNX Runtime is asked in a thread of its own. */
export type FloatTask =
  | {
      readonly kind: "check-import";
      readonly model: Uint8Array;
      readonly graph: Graph;
      readonly rows: Rows | null;
    }
  | {
      readonly kind: "agreement";
      readonly model: Uint8Array;
      readonly graph: Graph;
      readonly reference: Reference;
      readonly io: ArtifactIo;
      readonly rows: Rows;
      /** Whether the rows are made up. */
      readonly synthetic: boolean;
      readonly calibration: Calibration | null;
      readonly calibrationRows: Rows | null;
      /** What classes are called. */
      readonly classNames: readonly string[] | null;
    }
  | {
      readonly kind: "answer";
      readonly model: Uint8Array;
      readonly graph: Graph;
      readonly rows: Rows | null;
      readonly classes: boolean;
    };

/** How near the first output comes, and the report of all. */
export interface Measured {
  readonly agreement: Agreement;
  readonly accuracy: Accuracy;
}

/** Rows of a CPU artifact's vector file: tensor rows as binary V2 has them. */
export interface CpuAnswer {
  readonly rows: number;
  readonly inputs: Uint8Array;
  readonly outputs: Uint8Array;
  /** Distance of ONNX Runtime from our own float interpreter, where rows were given and it knows the operators. */
  readonly agreement: Agreement | null;
}

const sampleRows = 64;

answerThread(async (task: FloatTask) => {
  const session = await openSession(task.model, { asWritten: task.kind === "check-import" });
  try {
    if (task.kind === "check-import") return await checkImport(session, task);
    if (task.kind === "agreement") return await agreementOf(session, task);
    return await answer(session, task);
  } finally {
    await session.close();
  }
});

type TaskOf<Kind extends FloatTask["kind"]> = Extract<FloatTask, { kind: Kind }>;

const isBatched = ({ inputs, outputs }: Graph) =>
  [...inputs, ...outputs].every(({ shape }) => shape[0] === -1);

async function agreementOf(session: FloatSession, task: TaskOf<"agreement">): Promise<Measured> {
  const { graph, reference, io, rows } = task;
  const floats = await floatRows(session, graph, rows);
  const clipped = countClipping(reference, io, rows);
  const integers = answerRows(reference, io, rows, clipped.add);
  const outputs = compareOutputs({ ...task, outputs: io.outputs, floats, integers });
  return {
    agreement: outputs[0].agreement,
    accuracy: measureAccuracy({ ...task, outputs, clipping: clipped.shares() }),
  };
}

async function answer(
  session: FloatSession,
  { graph, rows, classes }: TaskOf<"answer">,
): Promise<CpuAnswer> {
  const wanted = takesRows(graph.inputs, rows) ? Math.min(rows.count, sampleRows) : 4;
  // Without a batch dimension everywhere, the whole tensors are the one row.
  const count = isBatched(graph) ? wanted : 1;
  const feeds = makeFeeds(graph.inputs, rows, count);
  const outputs = await session.run(feeds);
  const agreement = takesRows(graph.inputs, rows) ? await interpreterAgreement() : null;
  return {
    rows: count,
    inputs: interleave(
      [...feeds.values()].map((feed) => bytesOf(feed.datatype, arrayOf(feed))),
      count,
    ),
    outputs: interleave(
      graph.outputs.map(({ name, datatype }) =>
        bytesOf(datatype, outputs.get(name)?.data ?? new Uint8Array()),
      ),
      count,
    ),
    agreement,
  };

  async function interpreterAgreement(): Promise<Agreement | null> {
    if (!rows) return null;
    try {
      const [float = []] = await floatRows(session, graph, rows);
      const ours = runGraph(graph, tensorsOfRows(graph.inputs, rows, rows.count));
      const [output] = graph.outputs;
      const values = ours.get(output?.name ?? "")?.values ?? [];
      const size = Math.max(1, Math.round(values.length / rows.count));
      const read = { size, classOf: classes ? plainClassOf(size) : null };
      return compareAnswers(values, float, { size, ...ownClasses(float, rows, read) });
    } catch (error) {
      if (isAppError(error)) return null;
      throw error;
    }
  }
}

/** Each output for every row, through as many runs as a fixed batch needs. */
async function floatRows(session: FloatSession, graph: Graph, rows: Rows): Promise<number[][]> {
  const batch = batchOf(graph.inputs[0] ?? { shape: [] }, rows.count);
  const all = graph.outputs.map((): number[] => []);
  for (let first = 0; first < rows.count; first += batch) {
    const part = { ...rows, values: rows.values.subarray(first * rows.width) };
    const answers = await session.run(makeFeeds(graph.inputs, part, batch));
    const kept = Math.min(batch, rows.count - first);
    for (const [at, { name }] of graph.outputs.entries()) {
      const values = numbersOf(answers.get(name));
      for (const value of values.slice(0, (values.length / batch) * kept)) all[at]?.push(value);
    }
  }
  return all;
}

/** As binary V2 has them; where a model has bfloat16, its artifact has float32, whose upper halves count. */
function bytesOf(datatype: string, data: FloatData): Buffer {
  if (datatype === "BF16")
    return bufferOf(Uint16Array.from(data as Float32Array, (value) => toBfloat16Bits(value)));
  return bufferOf(ArrayBuffer.isView(data) ? data : binaryTexts(data as string[]));
}

/** BYTES elements of binary V2: a 32-bit little-endian length before each. */
function binaryTexts(texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

const bufferOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

/** Tensor by tensor becomes row by row: each row holds its part of every tensor, in their order. */
function interleave(tensors: readonly Buffer[], rows: number): Uint8Array {
  const parts = Array.from({ length: rows }, (_, row) =>
    tensors.map((bytes) => {
      const size = bytes.length / rows;
      return bytes.subarray(Math.floor(row * size), Math.floor((row + 1) * size));
    }),
  );
  return new Uint8Array(Buffer.concat(parts.flat()));
}
