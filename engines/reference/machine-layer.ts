/** A layer as a machine has it: one processor for each output. */
export interface MachineLayer {
  readonly inputSize: number;
  readonly outputSize: number;
  /** Row-major by output; null: the connection is left out. Every output and every input keeps one. */
  readonly weights: readonly (number | null)[];
  readonly bias: readonly number[];
  readonly relu: boolean;
  /**
   * Of a softmax, the terms of its exponential's series; left out: the layer sums. Its weights are 1 and its biases 0, and
   * every output reads all inputs.
   */
  readonly softmaxTerms?: number;
}

/** A softmax in hardware over so many scores, as a layer. */
export function softmaxLayer(size: number, terms: number): MachineLayer {
  return {
    ...{ inputSize: size, outputSize: size, relu: false, softmaxTerms: terms },
    weights: Array<number>(size * size).fill(1),
    bias: Array<number>(size).fill(0),
  };
}

/** What one processor reads: the outputs of the layer before that it is connected to, in order, each with its weight. */
export function connectionsOf(
  { inputSize, weights }: MachineLayer,
  output: number,
): { readonly from: number; readonly weight: number }[] {
  return weights
    .slice(output * inputSize, (output + 1) * inputSize)
    .flatMap((weight, from) => (weight === null ? [] : [{ from, weight }]));
}

/** Layers are counted from 1; 0 are the inputs. */
export const processorName = (layer: number, output: number): string => `n_${layer}_${output}`;
