import type { FloatModule } from "./float-module";
import { layout } from "./layout";

/** Values that are written at once: with the most text that each can become they fill half of the window. */
export const stepValues = 2048;

/**
 * Writes up to `stepValues` float32 values as JSON, each with a comma behind it.
 *
 * @returns The text, in memory of the module: it holds until the next call.
 */
export function writeFloat32Step(module: FloatModule, values: Float32Array): Uint8Array {
  module.float32Values.set(values);
  const end = module.writeFloat32(layout.values, layout.values + values.byteLength, layout.text);
  return module.memory.subarray(layout.text, end);
}
