import { outlineOf } from "@/compiler";
import type { Outline } from "@/lib/common/contract";
import { denseGraph } from "./dense-graph";

/** The outline of a net with random weights: inputs, then the outputs of every dense layer. */
export function denseOutline([inputs = 1, ...outputs]: readonly number[]): Outline {
  return outlineOf(denseGraph([inputs, ...outputs]));
}
