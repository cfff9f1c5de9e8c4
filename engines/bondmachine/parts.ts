import { connectionsOf, type MachineLayer, processorName } from "../reference/machine-layer";

/**
 * How a network becomes processors. `direct`: one for each neuron, by our own assembly. By neuralbond: `split`, one for each
 * input, weight, neuron and output; `fused`, each neuron with its weights in one.
 */
export type MachineForm = "direct" | "split" | "fused";

/** A processor: its name in the assembly, and which processors of the part before it reads, in order. */
export interface PartProcessor {
  readonly name: string;
  readonly from: readonly number[];
  /** Of its program, as recorded machines have them. */
  readonly instructions: number;
}

/** Processors that work side by side; the first part reads the machine's inputs. */
export interface MachinePart {
  readonly name: string;
  readonly relu: boolean;
  /** Terms of the exponential of a softmax. */
  readonly softmaxTerms?: number;
  readonly processors: readonly PartProcessor[];
}

/** Of programs: what each has, and what each input and ReLU add. */
const instructions = {
  direct: { fixed: 3, perInput: 4, relu: 4 },
  fused: { fixed: 3, perInput: 6, relu: 3 },
  neuron: { fixed: 3, perInput: 2, relu: 3 },
  softmax: { fixed: 7, perInput: { fused: 18, neuron: 14 } },
  weight: 5,
  terminal: 3,
} as const;

/** The parts of a machine, from the inputs on. @param layers At least one, each under its name in the model. */
export function partsOf(
  layers: readonly (MachineLayer & { readonly name: string })[],
  form: MachineForm,
): readonly MachinePart[] {
  if (form === "direct") {
    return layers.map((layer, at) => neuronsOf(layer, { at: at + 1, form, nameOf: processorName }));
  }
  const { inputSize = 0 } = layers[0] ?? {};
  const { outputSize = 0 } = layers.at(-1) ?? {};
  const last = layers.length;
  return [
    terminals("inputs", 0, inputSize),
    ...layers.flatMap((layer, at) =>
      form === "fused"
        ? [neuronsOf(layer, { at: at + 1, form, nameOf: fusedName(layer) })]
        : splitOf(layer, at + 1),
    ),
    {
      name: "weights of the outputs",
      relu: false,
      processors: range(outputSize).map((place) => ({
        name: weightName(last + 1, place, place),
        from: [place],
        instructions: instructions.weight,
      })),
    },
    terminals("outputs", last + 1, outputSize),
  ];
}

const range = (count: number) => Array.from({ length: count }, (_, at) => at);

/** As neuralbond calls the fragment of a node, and of a weight from one of the layer before. */
export const nodeName = (layer: number, place: number): string => `node_${layer}_${place}`;
export const weightName = (layer: number, to: number, from: number): string =>
  `weightfi_${layer - 1}_${from}__${layer}_${to}`;

/** The fragments that are fused into one processor: the weights of a neuron, in order, and then itself. */
export const fusedFragments = (layer: MachineLayer, at: number, output: number): string[] => [
  ...connectionsOf(layer, output).map(({ from }) => weightName(at, output, from)),
  nodeName(at, output),
];

const fusedName =
  (layer: MachineLayer) =>
  (at: number, output: number): string =>
    fusedFragments(layer, at, output).join("_");

function neuronsOf(
  layer: MachineLayer & { readonly name: string },
  {
    at,
    form,
    nameOf,
  }: {
    readonly at: number;
    readonly form: "direct" | "fused";
    readonly nameOf: (at: number, output: number) => string;
  },
): MachinePart {
  return {
    ...kindOf(layer),
    processors: range(layer.outputSize).map((output) => {
      const from = connectionsOf(layer, output).map((connection) => connection.from);
      return {
        name: nameOf(at, output),
        from,
        instructions: instructionsOf(layer, form, from.length),
      };
    }),
  };
}

const kindOf = ({ name, relu, softmaxTerms }: MachineLayer & { readonly name: string }) => ({
  ...{ name, relu },
  ...(softmaxTerms === undefined ? {} : { softmaxTerms }),
});

/** Of a processor that computes a neuron of so many inputs. */
function instructionsOf(
  { relu, softmaxTerms }: MachineLayer,
  form: "direct" | "fused" | "neuron",
  inputs: number,
): number {
  if (softmaxTerms !== undefined) {
    const { fixed, perInput } = instructions.softmax;
    return fixed + perInput[form === "fused" ? "fused" : "neuron"] * inputs;
  }
  const cost = instructions[form];
  return cost.fixed + cost.perInput * inputs + (relu ? cost.relu : 0);
}

/** A processor for each weight, and then one for each neuron, which reads those of its own. */
function splitOf(
  layer: MachineLayer & { readonly name: string },
  at: number,
): readonly MachinePart[] {
  const weights = range(layer.outputSize).flatMap((output) =>
    connectionsOf(layer, output).map(({ from }) => ({ output, from })),
  );
  return [
    {
      name: `weights of ${layer.name}`,
      relu: false,
      processors: weights.map(({ output, from }) => ({
        name: weightName(at, output, from),
        from: [from],
        instructions: instructions.weight,
      })),
    },
    {
      ...kindOf(layer),
      processors: range(layer.outputSize).map((output) => {
        const from = weights.flatMap((weight, place) => (weight.output === output ? [place] : []));
        return {
          name: nodeName(at, output),
          from,
          instructions: instructionsOf(layer, "neuron", from.length),
        };
      }),
    },
  ];
}

const terminals = (name: string, layer: number, count: number): MachinePart => ({
  name,
  relu: false,
  processors: range(count).map((place) => ({
    name: nodeName(layer, place),
    from: [place],
    instructions: instructions.terminal,
  })),
});
