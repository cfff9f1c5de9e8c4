import type { Manifest, Vectors } from "@/lib/common/contract";
import { maxQuestionBytes } from "@/lib/common/emulation";
import { fail } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { nowNs } from "../clock";
import type { DeviceAnswer, LoadedModel } from "../device";
import { pickTestRows, requireSameRows } from "../self-test";
import { type Program, type ProgramOptions, startProgram } from "./program";
import { joinRows, splitRows } from "./row-tensors";

/** It answers one by one; a few more wait at the process, so that it never idles for a message. */
const parallel = 4;

const sumOf = (tensors: readonly { readonly size: number }[]) =>
  tensors.reduce((sum, { size }) => sum + size, 0);

/** Starts the program of an emulation, in a process of its own. One that dies is started again for the next request. */
export async function loadEmulation(
  { io }: Pick<Manifest, "io">,
  path: string,
  { memoryLimitBytes }: Pick<ProgramOptions, "memoryLimitBytes">,
): Promise<LoadedModel> {
  const sizes = { inputs: sumOf(io.inputs), outputs: sumOf(io.outputs) };
  const start = () => startProgram(path, { sizes, memoryLimitBytes });
  let program = await start();
  let starting: Promise<Program> | null = null;
  let closed = false;

  async function living(): Promise<Program> {
    if (!program.ended || closed) return program;
    starting ??= start().finally(() => {
      starting = null;
    });
    program = await starting;
    // It was unloaded meanwhile.
    if (closed) await program.close();
    return program;
  }

  async function ask(rows: Uint8Array) {
    if (rows.length > maxQuestionBytes) {
      throw fail("INFER_INVALID", `One call takes ${maxQuestionBytes} bytes of rows at most.`);
    }
    return await (await living()).ask(rows);
  }

  async function infer(inputs: readonly Tensor[]): Promise<DeviceAnswer> {
    const began = nowNs();
    const rows = joinRows(io.inputs, inputs);
    const { outputs, computeNs } = await ask(rows.bytes);
    const tensors = splitRows(io.outputs, outputs, rows.count);
    return {
      outputs: tensors,
      timing: { hostNs: Math.max(0, nowNs() - began - computeNs), computeNs },
    };
  }

  return {
    parallel,
    infer,
    memoryBytes: () => program.memoryBytes,
    async selfTest(vectors: Vectors | null) {
      if (!vectors) throw fail("ARTIFACT_MISMATCH", "The artifact has no vector file.");
      const rows = pickTestRows(vectors);
      const { outputs } = await ask(rows.inputs);
      requireSameRows(outputs, rows);
    },
    async close() {
      closed = true;
      await program.close();
    },
  };
}
