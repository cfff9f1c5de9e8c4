import type { Manifest, Vectors } from "@/lib/common/contract";
import { AppError, fail, isAppError } from "@/lib/common/errors";
import { type Datatype, datatypes, readBlob, type Tensor } from "@/lib/common/tensor";
import { startThread } from "@/lib/server/process";
import { pickTestRows } from "../../host/self-test";
import { nowNs } from "../clock";
import type { LoadedModel } from "../device";
import type { SessionAnswer, SessionRequest } from "./session";

/** Sessions answer one by one; a few more wait in the thread, so that it never idles for a message. */
const parallel = 8;

/** How far an answer may lie from the recorded one: the last bits depend on the CPU's vector units. */
const tolerance = { relative: 1e-4, absolute: 1e-5 };

/** Loads an ONNX model into ONNX Runtime, in a thread of its own. */
export async function loadCpu(manifest: Manifest, modelPath: string): Promise<LoadedModel> {
  const thread = startThread("board-server/devices/cpu/session.thread");
  const outputs = manifest.io.outputs.map(({ name, datatype }) => ({ name, datatype }));
  const ask = (request: SessionRequest, transfer: ArrayBuffer[] = []) =>
    thread.run(request, { transfer });
  try {
    await ask({ kind: "load", path: modelPath });
  } catch (error) {
    await thread.close();
    throw fail("ARTIFACT_MISMATCH", "ONNX Runtime cannot load the artifact's model.", {
      cause: error,
    });
  }

  async function infer(inputs: readonly Tensor[]) {
    const start = nowNs();
    const answer = (await ask({ kind: "run", inputs, outputs }, buffersOf(inputs)).catch(
      (error: unknown) => {
        if (isAppError(error) && error.reason === "INFER_INVALID") throw error;
        throw new AppError("internal", "The model failed on this request.", {
          reason: "INTERNAL",
          cause: error,
        });
      },
    )) as SessionAnswer;
    const hostNs = Math.max(0, nowNs() - start - answer.computeNs);
    return { outputs: answer.outputs, timing: { hostNs, computeNs: answer.computeNs } };
  }

  return {
    parallel,
    infer,
    async selfTest(vectors) {
      const { inputs, expected } = testCase(manifest, vectors);
      const { outputs } = await infer(inputs);
      requireClose(outputs, expected);
    },
    close: () => thread.close(),
  };
}

/** The memory of tensors, to be handed over instead of copied. Small pieces of a shared pool are copied. */
function buffersOf(tensors: readonly Tensor[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { data } of tensors) {
    if (!ArrayBuffer.isView(data)) continue;
    if (data.buffer instanceof ArrayBuffer && data.byteLength * 2 > data.buffer.byteLength) {
      buffers.add(data.buffer);
    }
  }
  return [...buffers];
}

/** Rows of the vector file as tensors; without one, a row of zeros that must merely be answered. */
function testCase(
  manifest: Manifest,
  vectors: Vectors | null,
): { inputs: Tensor[]; expected: Tensor[] } {
  const rows = vectors ? pickTestRows(vectors) : null;
  const count = rows?.count ?? 1;
  const tensors = (specs: Manifest["io"]["inputs"], bytes: Uint8Array | undefined): Tensor[] => {
    let offset = 0;
    return specs.map(({ name, datatype, shape, size }) => {
      const known = datatype as Datatype;
      const rowBytes = size * datatypes[known].bytes;
      const data = readBlob(
        bytes ? columnOf(bytes, { count, offset, rowBytes }) : new Uint8Array(count * rowBytes),
        { datatype: known, count: count * size, label: name },
      );
      offset += rowBytes;
      const batched = shape.map((dimension, axis) =>
        dimension === -1 ? (axis === 0 ? count : 1) : dimension,
      );
      return { name, datatype: known, shape: batched, data };
    });
  };
  const { inputs, outputs } = manifest.io;
  return {
    inputs: tensors(inputs, rows?.inputs),
    expected: rows ? tensors(outputs as Manifest["io"]["inputs"], rows.outputs) : [],
  };
}

/** The bytes of one tensor out of rows that hold several. */
function columnOf(
  bytes: Uint8Array,
  { count, offset, rowBytes }: { count: number; offset: number; rowBytes: number },
): Uint8Array {
  const stride = bytes.length / count;
  const column = new Uint8Array(count * rowBytes);
  for (let row = 0; row < count; row++) {
    const start = row * stride + offset;
    column.set(bytes.subarray(start, start + rowBytes), row * rowBytes);
  }
  return column;
}

function requireClose(outputs: readonly Tensor[], expected: readonly Tensor[]): void {
  for (const { name, data } of expected) {
    const actual = outputs.find((output) => output.name === name)?.data ?? [];
    const close =
      actual.length === data.length &&
      Array.from(data as ArrayLike<number>).every((value, index) => {
        const distance = Math.abs(Number(value) - Number(actual[index]));
        return !(distance > tolerance.absolute + tolerance.relative * Math.abs(Number(value)));
      });
    if (!close) {
      throw fail(
        "SELF_TEST_FAILED",
        `The CPU's output '${name}' differs from what the build recorded.`,
      );
    }
  }
}
