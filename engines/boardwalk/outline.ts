import { type Graph, outlineOf } from "@/compiler";
import type { ModelCard, Outline } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";

/** As much of a model as the form forecasts from; null where the compiler refuses it once it sees its numbers. */
export function findOutline(graph: Graph, card: ModelCard | null): Outline | null {
  try {
    return outlineOf(graph, card?.inputRange);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
