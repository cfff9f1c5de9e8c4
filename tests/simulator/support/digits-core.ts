import { readFileSync } from "node:fs";
import path from "node:path";
import { getBoardModel } from "@/boards";
import { type ArrayDesign, designArray, type IntegerGraph, lower, parseOnnx } from "@/compiler";

export interface DigitsCore {
  readonly graph: IntegerGraph;
  readonly design: ArrayDesign;
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
  const { name, part } = board;
  const design = designArray(
    {
      graph,
      board: { name, family: part.family, part: part.resources },
      lanes: part.resources.dsp,
      others: [],
    },
    "",
  );
  return { graph, design, vectors: vectors() };
}
