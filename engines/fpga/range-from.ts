import { type Graph, saysOwnRange } from "@/compiler";
import { cardSaysRange, type ModelCard } from "@/lib/common/contract";

/**
 * What says which values the inputs of a model take, rows aside: the model itself, by the thresholds of its trees, its own
 * grids or its own scaling, or its card. Null: nothing does.
 *
 * @param graph One that the compiler accepts.
 */
export function rangeFrom(graph: Graph, card: ModelCard | null): "model" | "card" | null {
  if (cardSaysRange(card)) return "card";
  return saysOwnRange(graph) ? "model" : null;
}
