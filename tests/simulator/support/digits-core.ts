import { readFileSync } from "node:fs";
import path from "node:path";
import { getBoardModel } from "@/boards";
import { type IntegerGraph, lower, parseOnnx, targetOf } from "@/compiler";
import { arrayDesign } from "@/tests/support/compiler/array-design";

export interface DigitsCore {
  readonly graph: IntegerGraph;
  readonly design: ReturnType<typeof arrayDesign>;
  readonly vectors: readonly Int8Array[];
}

/** The sample model `digits-mlp` compiled for the iCEBreaker; with a multiplier for each lane, so that it names no cell. */
export function digitsCore(): DigitsCore {
  const file = path.resolve(import.meta.dirname, "../../../public/samples/digits-mlp/model.onnx");
  const inputRange = { min: Array(64).fill(0), max: Array(64).fill(1) };
  const { integerGraph: graph, vectors } = lower({
    graph: parseOnnx(new Uint8Array(readFileSync(file))),
    inputRange,
    calibration: null,
  });
  const board = getBoardModel("icebreaker");
  const design = arrayDesign(graph, targetOf(board), board.part.resources.dsp);
  return { graph, design, vectors: vectors() };
}
