import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Manifest, Vectors } from "@/lib/common/contract";
import { AppError, fail, isAppError } from "@/lib/common/errors";
import { datatypes, numbersOf, readBlob, type Tensor, toDatatype } from "@/lib/common/tensor";
import { nowNs } from "../clock";
import type { LoadedModel } from "../device";
import { ownSocketPath } from "../own-socket";
import { pickTestRows } from "../self-test";
import type { SlotPlace } from "../slot-place";
import { type SessionProcess, startSessionProcess } from "./session-process";

/** Sessions answer one by one; a few more wait at the process, so that it never idles for a message. */
const parallel = 8;

/** How far an answer may lie from the recorded one: the last bits depend on the CPU's vector units. */
const tolerance = { relative: 1e-4, absolute: 1e-5 };

/** How long calls on a model's own socket may go on once it is unloaded. */
const leaveMs = 10_000;

/** What a board server allows where nothing is said. */
export const defaultCpuOptions: CpuOptions = { memoryLimitBytes: 4 * 2 ** 30 };
const defaultSettings = { threads: 1, spin: false };

/** What models on the CPU may use. */
export interface CpuOptions {
  /** Most memory that the process of one model may hold. */
  readonly memoryLimitBytes: number;
}

/** Loads an ONNX model into ONNX Runtime, in a process of its own. One that dies is started again for the next request. */
export async function loadCpu(
  manifest: Manifest,
  modelPath: string,
  { memoryLimitBytes }: CpuOptions = defaultCpuOptions,
  place: SlotPlace | null = null,
): Promise<LoadedModel> {
  const outputs = manifest.io.outputs.map(({ name, datatype }) => ({
    name,
    datatype: toDatatype(datatype),
  }));
  const settings = { ...defaultSettings, ...manifest.runtime };
  let closed = false;
  let direct: string | undefined;
  let session = await open();
  let opening: Promise<SessionProcess> | null = null;

  async function open(): Promise<SessionProcess> {
    const started = startSessionProcess(memoryLimitBytes);
    // A socket of a name that no other session ever had.
    const path = place ? ownSocketPath() : null;
    try {
      await started.ask({
        kind: "load",
        path: modelPath,
        settings,
        memoryLimitBytes,
        outputs,
        direct: place && path ? { ...place, path } : null,
      });
      direct = path ?? undefined;
      return started;
    } catch (error) {
      await started.close();
      if (isAppError(error) && error.reason === "SLOT_MEMORY") throw error;
      throw fail("ARTIFACT_MISMATCH", "ONNX Runtime cannot load the artifact's model.", {
        cause: error,
      });
    }
  }

  async function living(): Promise<SessionProcess> {
    if (!session.ended || closed) return session;
    opening ??= open().finally(() => {
      opening = null;
    });
    session = await opening;
    // It was unloaded meanwhile.
    if (closed) await session.close();
    return session;
  }

  async function infer(inputs: readonly Tensor[]) {
    const start = nowNs();
    const asked = session.ended ? await living() : session;
    const answer = await asked.ask({ kind: "run" }, inputs).catch((error: unknown) => {
      if (isAppError(error) && told.has(error.reason)) throw error;
      throw new AppError("internal", "The model failed on this request.", {
        reason: "INTERNAL",
        cause: error,
      });
    });
    const hostNs = Math.max(0, nowNs() - start - answer.computeNs);
    return { outputs: answer.outputs, timing: { hostNs, computeNs: answer.computeNs } };
  }

  return {
    parallel,
    infer,
    memoryBytes: () => session.memoryBytes,
    direct: () => (session.ended ? undefined : direct),
    async selfTest(vectors) {
      const { inputs, expected } = testCase(manifest, vectors);
      const answer = await infer(inputs);
      requireClose(answer.outputs, expected);
    },
    async close() {
      closed = true;
      const leaving = session.ask({ kind: "leave" }).catch(() => {});
      await Promise.race([leaving, delay(leaveMs, undefined, { ref: false })]);
      await session.close();
      if (direct) await rm(direct, { force: true });
    },
  };
}

/** What a caller is told in the session's own words. */
const told: ReadonlySet<string> = new Set(["INFER_INVALID", "SLOT_MEMORY", "CANCELLED"]);

/** Rows of the vector file as tensors; without one, a row of zeros or empty texts that must merely be answered. */
function testCase(
  manifest: Manifest,
  vectors: Vectors | null,
): { inputs: Tensor[]; expected: Tensor[] } {
  const rows = vectors ? pickTestRows(vectors) : null;
  const count = rows?.count ?? 1;
  const tensors = (specs: Manifest["io"]["inputs"], bytes: Uint8Array | undefined): Tensor[] => {
    let offset = 0;
    return specs.map(({ name, datatype, shape, size }) => {
      const known = toDatatype(datatype);
      const rowBytes = size * datatypes[known].bytes;
      const data =
        known === "BYTES"
          ? Array.from({ length: count * size }, () => new Uint8Array())
          : readBlob(
              bytes
                ? columnOf(bytes, { count, offset, rowBytes })
                : new Uint8Array(count * rowBytes),
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
    expected: rows ? tensors(outputs, rows.outputs) : [],
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
    // Texts lie at no distance from each other: only their number is compared.
    const numbers = ArrayBuffer.isView(data) ? numbersOf(data) : [];
    const close =
      actual.length === data.length &&
      numbers.every((value, index) => {
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
