import { type Graph, type Reference, runGraph } from "@/engines";
import type { Accuracy, ArtifactIo, Calibration } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { toBfloat16Bits } from "@/lib/common/tensor";
import { answerThread } from "@/lib/server/process";
import {
  type Agreement,
  answerRows,
  classReader,
  compareAnswers,
  ownClasses,
  plainClassOf,
} from "../../agreement";
import { batchOf, makeFeeds, takesRows, tensorsOfRows } from "../../rows";
import { checkImport, numbersOf } from "./check-import";
import { countClipping } from "./clipping";
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
      /** Whether the largest of several values names a class, and what classes are called. */
      readonly classes: boolean;
      readonly classNames: readonly string[] | null;
    }
  | {
      readonly kind: "answer";
      readonly model: Uint8Array;
      readonly graph: Graph;
      readonly rows: Rows | null;
      readonly classes: boolean;
    };

/** The same with all that is known of it. */
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
  const { graph, reference, io, classes } = task;
  const [output = { activation: "none", size: 1 }] = io.outputs;
  const float = await floatRows(session, graph, task.rows);
  const size = output.activation === "argmax" ? 1 : output.size;
  const { rows, classOf } = ownClasses(float, task.rows, {
    size,
    classOf: classReader(output, classes),
  });
  const clipped = countClipping(reference, io);
  const integer = answerRows(reference, io, rows, clipped.add);
  const agreement = compareAnswers(integer, float, { rows, size, classOf });
  const clipping = clipped.shares();
  return {
    agreement,
    accuracy: measureAccuracy({
      ...task,
      rows,
      float,
      integer,
      size,
      classOf,
      agreement,
      clipping,
    }),
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
      const float = await floatRows(session, graph, rows);
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

/** The first output for every row, through as many runs as a fixed batch needs. */
async function floatRows(session: FloatSession, graph: Graph, rows: Rows): Promise<number[]> {
  const [input] = graph.inputs;
  const [output] = graph.outputs;
  if (!input || !output) return [];
  const batch = batchOf(input, rows.count);
  const all: number[] = [];
  for (let first = 0; first < rows.count; first += batch) {
    const part = { ...rows, values: rows.values.subarray(first * rows.width) };
    const answers = await session.run(makeFeeds(graph.inputs, part, batch));
    const values = numbersOf(answers.get(output.name));
    const kept = Math.min(batch, rows.count - first);
    all.push(...values.slice(0, (values.length / batch) * kept));
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
