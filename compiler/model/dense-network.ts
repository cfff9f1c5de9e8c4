import { type ElementwiseProgram, evaluateElementwise } from "@/lib/common/elementwise";
import type { TensorSpec } from "@/lib/common/tensor";

/** `y = elementwise?(relu?(weights · x + bias))` in double precision. */
export interface DenseLayer {
  /** The name of the model's own node that multiplies. */
  readonly name: string;
  readonly inputSize: number;
  readonly outputSize: number;
  /** Row-major by output: `weights[o * inputSize + i]`. */
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  readonly relu: boolean;
  /** A function of each output by itself, in place of ReLU. */
  readonly elementwise?: ElementwiseProgram;
}

/** One of a model's outputs, as the host makes it of the last scores: the function first, then the activation. */
export interface NetworkOutput {
  readonly spec: TensorSpec;
  /** The scores that it is made of; left out: all of them. */
  readonly part?: { readonly first: number; readonly count: number };
  readonly elementwise?: ElementwiseProgram;
  readonly activation: "none" | "softmax" | "sigmoid" | "exp" | "argmax";
  /** What the largest score stands for, where a model says it. */
  readonly classes?: readonly number[];
}

/** What every supported model becomes first: dense layers in a row, and what the host does with the last scores. */
export interface DenseNetwork {
  /** A row has the values of all of them, one behind the other. */
  readonly inputs: readonly [TensorSpec, ...TensorSpec[]];
  readonly outputs: readonly [NetworkOutput, ...NetworkOutput[]];
  readonly layers: readonly DenseLayer[];
  /** How the model itself scales its input, which is part of the first layer: `(x − mean) / deviation`. */
  readonly scaling: { readonly mean: number[]; readonly deviation: number[] } | null;
}

/** Values of every layer after its activation, for one row. */
export function runDenseNetwork(
  layers: readonly DenseLayer[],
  row: ArrayLike<number>,
): Float64Array[] {
  const results: Float64Array[] = [];
  let values: Float64Array = Float64Array.from(row);
  for (const layer of layers) {
    values = runDenseLayer(layer, values);
    results.push(values);
  }
  return results;
}

function runDenseLayer(layer: DenseLayer, values: Float64Array): Float64Array {
  const { elementwise, relu } = layer;
  const sums = sumDenseLayer(layer, values);
  if (elementwise) return sums.map((sum) => evaluateElementwise(elementwise, sum));
  return relu ? sums.map((sum) => Math.max(0, sum)) : sums;
}

/** What a layer sums for one row, before its activation. */
export function sumDenseLayer(
  layer: Omit<DenseLayer, "relu">,
  values: ArrayLike<number>,
): Float64Array {
  const { weights, bias, inputSize } = layer;
  const sums = Float64Array.from(bias);
  for (let output = 0, at = 0; output < sums.length; output++) {
    let sum = sums[output] ?? 0;
    for (let input = 0; input < inputSize; input++, at++) {
      sum += (weights[at] ?? 0) * (values[input] ?? 0);
    }
    sums[output] = sum;
  }
  return sums;
}
