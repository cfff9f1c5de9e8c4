import type { Tensor } from "@/lib/common/tensor";
import { askSlot } from "@/tests/support/ask-slot";

/** Asks the first slot of a board server for rows of five values. @param socket Where it listens. */
export async function inferRow(socket: string, row: readonly number[]) {
  const input: Tensor = {
    name: "x",
    datatype: "FP32",
    shape: [row.length / 5, 5],
    data: Float32Array.from(row),
  };
  const { status, answer, outputs } = await askSlot(socket, [input]);
  return {
    status,
    values: [...((outputs[0]?.data as Float32Array | undefined) ?? [])],
    timing: answer?.timing ?? {},
  };
}
