import type { SimulationInterface } from "./interface";

/** The ports of a core besides its clock, with their widths: `docs/simulation-interface.md` says what they mean. */
const corePorts = {
  in: { rst: 1, in_valid: 1, in_data: 8, in_last: 1, out_ready: 1 },
  out: { in_ready: 1, out_valid: 1, out_data: 8, out_last: 1, cycles: 32 },
} as const;

/** A port of a core that a design has not, or not so. */
export interface MissingPort {
  readonly direction: "in" | "out";
  readonly name: string;
  readonly width: number;
}

/** The first port that a design lacks to be a core; undefined when it is one. */
export function missingCorePort(
  ports: readonly Pick<SimulationInterface["ports"][number], "name" | "direction" | "width">[],
): MissingPort | undefined {
  for (const direction of ["in", "out"] as const) {
    for (const [name, width] of Object.entries(corePorts[direction])) {
      const port = ports.find((candidate) => candidate.name === name);
      if (port?.direction !== direction || port.width !== width) return { direction, name, width };
    }
  }
  return undefined;
}
