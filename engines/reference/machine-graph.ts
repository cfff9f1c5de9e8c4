import { connectionsOf, type MachineLayer } from "./machine-layer";
import { constantOf, type NumberTypeId, numberTypeOf } from "./number-type";
import { softmaxWords } from "./softmax-words";

/** One end of a machine: a row of words. */
interface MachineEdge {
  readonly name: string;
  readonly size: number;
  readonly width: number;
  readonly fraction: number;
}

/** The weights and biases of a node are words, as the assembler makes them. */
export interface MachineNode extends MachineLayer {
  readonly name: string;
}

/**
 * The bit-exact software model of a BondMachine: dense layers of words, each of which wraps, floors or rounds as the
 * machine's own arithmetic does. Words are signed integers of the type's width; of floats, their bit patterns.
 */
export interface MachineGraph {
  readonly schemaVersion: 1;
  readonly machine: "bondmachine";
  readonly type: NumberTypeId;
  readonly input: MachineEdge;
  readonly nodes: readonly MachineNode[];
  readonly output: MachineEdge;
}

/** Layers of reals as a machine computes them. @param names Of input row and output row. */
export function machineGraph(
  layers: readonly (MachineLayer & { readonly name: string })[],
  type: NumberTypeId,
  names: { readonly input: string; readonly output: string },
): MachineGraph {
  const { width, fraction, ...number } = numberTypeOf(type);
  const wordOf = (value: number) => constantOf({ width, fraction, ...number }, value);
  const edge = (name: string, size = 0): MachineEdge => ({ name, size, width, fraction });
  return {
    schemaVersion: 1,
    machine: "bondmachine",
    type,
    input: edge(names.input, layers[0]?.inputSize),
    nodes: layers.map(({ weights, bias, ...layer }) => ({
      ...layer,
      weights: weights.map((weight) => (weight === null ? null : wordOf(weight))),
      bias: bias.map(wordOf),
    })),
    output: edge(names.output, layers.at(-1)?.outputSize),
  };
}

/**
 * Runs one row of words through a machine.
 *
 * @throws {RangeError} when the row has another size.
 */
export function runMachine(
  { type, input, nodes }: MachineGraph,
  row: ArrayLike<number>,
): { readonly output: Int32Array; readonly nodes: ReadonlyMap<string, readonly number[]> } {
  if (row.length !== input.size) {
    throw new RangeError(`The row has ${row.length} words, the machine takes ${input.size}.`);
  }
  const results = new Map<string, readonly number[]>();
  let values: readonly number[] = Array.from(row);
  for (const node of nodes) {
    values =
      node.softmaxTerms === undefined
        ? sumNode(node, values, type)
        : softmaxWords(values, { type, terms: node.softmaxTerms });
    results.set(node.name, values);
  }
  return { output: Int32Array.from(values), nodes: results };
}

function sumNode(node: MachineNode, values: readonly number[], type: NumberTypeId): number[] {
  const { addWords, multiplyWords } = numberTypeOf(type);
  return node.bias.map((bias, output) => {
    const sum = connectionsOf(node, output).reduce(
      (total, { from, weight }) => addWords(total, multiplyWords(values[from] ?? 0, weight)),
      bias,
    );
    return node.relu && sum < 0 ? 0 : sum;
  });
}
