/** A layer as a machine has it: one processor for each output. */
export interface MachineLayer {
  readonly inputSize: number;
  readonly outputSize: number;
  /** Row-major by output; null: the connection is left out. Every output and every input keeps one. */
  readonly weights: readonly (number | null)[];
  readonly bias: readonly number[];
  readonly relu: boolean;
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
