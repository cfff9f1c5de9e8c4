import { fail } from "@/lib/common/errors";
import { missingCorePort } from "../core-ports";
import type { Simulation } from "./simulation";

/** @throws {AppError} `ARTIFACT_MISMATCH` when the design has not the stream port of a core. */
export function checkCorePorts({ interface: description }: Simulation): void {
  const missing = missingCorePort(description.ports);
  if (!missing) return;
  const { direction, name, width } = missing;
  throw fail(
    "ARTIFACT_MISMATCH",
    `${description.top} is not a core: it has no ${direction}put ${name} of ${width} bits.`,
  );
}
