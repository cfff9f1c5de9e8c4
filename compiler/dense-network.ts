import type { TensorSpec } from "@/lib/common/tensor";

/** `y = relu?(weights · x + bias)` in double precision. */
export interface DenseLayer {
  /** The name of the model's own node that multiplies. */
  readonly name: string;
  readonly inputSize: number;
  readonly outputSize: number;
  /** Row-major by output: `weights[o * inputSize + i]`. */
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  readonly relu: boolean;
}

/** What every supported model becomes first: dense layers in a row, and what the host does with the last scores. */
export interface DenseNetwork {
  readonly input: TensorSpec;
  readonly output: TensorSpec;
  readonly layers: readonly DenseLayer[];
  readonly activation: "none" | "softmax" | "sigmoid" | "argmax";
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
  return layer.bias.map((bias, output) => {
    let sum = bias;
    const base = output * layer.inputSize;
    for (let input = 0; input < layer.inputSize; input++) {
      sum += (layer.weights[base + input] ?? 0) * (values[input] ?? 0);
    }
    return layer.relu ? Math.max(0, sum) : sum;
  });
}
