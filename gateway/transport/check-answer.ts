import { timingSchema } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { Tensor } from "@/lib/common/tensor";
import { isCount } from "@/lib/server/board-protocol";
import type { ConnectionAnswer } from "./direct-connection";

/**
 * Takes of an answer what fits its form: a board server may be another host's, at the end of a tunnel.
 *
 * @throws {AppError} `UPSTREAM_MISMATCH` when its times or its tensors are none.
 */
export function checkAnswer(answer: ConnectionAnswer): ConnectionAnswer {
  const { revisionId, outputs, timing, clipped, memory, direct, totalNs } = answer;
  if (!outputs.every(isWhole)) {
    throw fail("UPSTREAM_MISMATCH", "a board server answered a tensor of another shape");
  }
  const times = timingSchema.safeParse(timing);
  if (!times.success) throw fail("UPSTREAM_MISMATCH", "a board server answered no times");
  return {
    outputs,
    totalNs,
    revisionId: typeof revisionId === "string" ? revisionId : null,
    timing: times.data,
    clipped: Array.isArray(clipped) && clipped.every(isCount) ? clipped : null,
    memory: memory && isCount(memory.bytes) ? memory : null,
    direct: typeof direct === "string" && direct.startsWith("/") ? direct : null,
  };
}

const isWhole = ({ name, shape, data }: Tensor): boolean =>
  typeof name === "string" &&
  Array.isArray(shape) &&
  shape.every(isCount) &&
  shape.reduce((product, each) => product * each, 1) === data.length;
