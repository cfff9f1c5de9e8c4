import { findHgqLayer, type Graph, lower, ownBitsOf, precisions } from "@/compiler";
import { type ModelCard, type Outline, outlineVersion } from "@/lib/common/contract";
import { corePortOf } from "@/lib/common/core-io";
import type { AdderCount, AdderOutline } from "./adder-outline";
import { countNetwork } from "./count-network";
import { checkNetwork } from "./network";

/** Products that made-up rows may take while numbers are chosen: an inspection does not wait as long as a build. */
const mostProducts = 2e6;

/**
 * As much of a network as the form forecasts adders of it from; null where only da4ml reads it.
 *
 * @throws {AppError} where it becomes none.
 */
export function outlineOf(graph: Graph, card: ModelCard | null): Outline | null {
  if (findHgqLayer(graph)) return null;
  const { inputRange = null } = card ?? {};
  const counts: Record<string, AdderCount> = {};
  let port = { inputBytes: 0, outputBytes: 0 };
  for (const [name, precision] of Object.entries(precisions)) {
    const asked = { graph, inputRange, calibration: null, precision, mostProducts };
    const { integerGraph } = lower(asked);
    checkNetwork(integerGraph);
    counts[name] = countNetwork(integerGraph);
    port = corePortOf(integerGraph, 0);
  }
  const adders: AdderOutline = { precisions: counts };
  const { inputBytes, outputBytes } = port;
  const hasOwnBits = ownBitsOf(graph) !== null;
  return { version: outlineVersion, inputBytes, outputBytes, hasOwnBits, cores: { adders } };
}
