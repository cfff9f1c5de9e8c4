import { fail } from "@/lib/common/errors";
import type { Simulation } from "./simulation";

const corePorts = {
  in: { rst: 1, in_valid: 1, in_data: 8, in_last: 1, out_ready: 1 },
  out: { in_ready: 1, out_valid: 1, out_data: 8, out_last: 1, cycles: 32 },
} as const;

/** @throws {AppError} `ARTIFACT_MISMATCH` when the design has not the stream port of a core. */
export function checkCorePorts({ interface: description }: Simulation): void {
  for (const direction of ["in", "out"] as const) {
    for (const [name, width] of Object.entries(corePorts[direction])) {
      const port = description.ports.find((candidate) => candidate.name === name);
      if (port?.direction === direction && port.width === width) continue;
      throw fail(
        "ARTIFACT_MISMATCH",
        `${description.top} is not a core: it has no ${direction}put ${name} of ${width} bits.`,
      );
    }
  }
}
