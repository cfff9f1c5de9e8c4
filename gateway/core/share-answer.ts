import type { Timing } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";

/**
 * Cuts the outputs of a shared call along dimension 0 into those of each request, as views.
 *
 * @param rows Of each request, in the order in which they were joined.
 * @throws {AppError} `INTERNAL` for an output whose dimension 0 is not all the rows.
 */
export function shareAnswer(outputs: readonly Tensor[], rows: readonly number[]): Tensor[][] {
  const total = rows.reduce((sum, each) => sum + each, 0);
  for (const { name, shape } of outputs) {
    if (shape[0] !== total) {
      throw fail("INTERNAL", `output '${name}' has ${shape[0]} rows where ${total} were asked for`);
    }
  }
  let start = 0;
  return rows.map((count) => {
    const end = start + count;
    const shares = outputs.map((tensor) => rowsOf(tensor, { start, end, total }));
    start = end;
    return shares;
  });
}

function rowsOf(
  { name, datatype, shape, data }: Tensor,
  { start, end, total }: { readonly start: number; readonly end: number; readonly total: number },
): Tensor {
  const width = data.length / total;
  const [from, to] = [start * width, end * width];
  const share = ArrayBuffer.isView(data) ? data.subarray(from, to) : data.slice(from, to);
  return { name, datatype, shape: [end - start, ...shape.slice(1)], data: share };
}

/**
 * How many elements of each request's inputs were clipped.
 *
 * @param clipped Of each row of the call.
 * @param rows Of each request, in the order in which they were joined.
 */
export function shareClipped(clipped: readonly number[], rows: readonly number[]): number[] {
  // What is not batched counts as one row, whatever its rows.
  if (rows.length === 1) return [sumOf(clipped)];
  let start = 0;
  return rows.map((count) => {
    start += count;
    return sumOf(clipped.slice(start - count, start));
  });
}

/**
 * A request's own record of where the time of its call went: the cycles are divided, times are those of the whole call.
 *
 * Written out: V8 keeps what a spread with further properties makes, and so each answer's record, until the whole heap is collected.
 *
 * @param part Its rows among those of the call.
 */
export function shareTiming(timing: Timing, part: number): Timing {
  const { boardQueueNs, hostNs, computeNs, cycles, clockHz, simulated } = timing;
  const own: Timing = {};
  if (boardQueueNs !== undefined) own.boardQueueNs = boardQueueNs;
  if (hostNs !== undefined) own.hostNs = hostNs;
  if (computeNs !== undefined) own.computeNs = computeNs;
  if (cycles !== undefined) own.cycles = Math.round(cycles * part);
  if (clockHz !== undefined) own.clockHz = clockHz;
  if (simulated !== undefined) own.simulated = simulated;
  return own;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);
