import { z } from "zod";

/**
 * What a `simulation.wasm` says of itself, in its custom section `boardwalk.simulation` as JSON.
 * Each port and signal owns one aligned 64-bit little-endian slot of linear memory at `offset`; unused high bits are 0.
 * The page `docs/simulation-interface.md` describes it; the version grows with any change that a reader would notice.
 */
export const simulationInterfaceSchema = z.strictObject({
  schemaVersion: z.literal(1),
  top: z.string(),
  /** Name of the clock input; null for a purely combinational design. */
  clock: z.string().nullable(),
  ports: z.array(
    z.strictObject({
      name: z.string(),
      direction: z.enum(["in", "out"]),
      width: z.number().int().min(1).max(64),
      offset: z.number().int().nonnegative(),
    }),
  ),
  /** Inner signals kept visible. */
  signals: z.array(
    z.strictObject({
      name: z.string(),
      width: z.number().int().min(1).max(64),
      offset: z.number().int().nonnegative(),
    }),
  ),
  cells: z.number().int(),
});
export type SimulationInterface = z.infer<typeof simulationInterfaceSchema>;
