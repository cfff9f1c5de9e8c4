import { connectionsOf, type MachineLayer } from "../reference/machine-layer";
import type { MachineForm } from "./parts";

/** How large a layer of a machine is. */
export interface LayerSizes {
  readonly processors: number;
  readonly relu: boolean;
  /** Terms of the exponential of a softmax. */
  readonly softmaxTerms?: number;
  readonly connections: number;
  /** Connections of the processor that has the most of them. */
  readonly widest: number;
}

/** All that an estimate needs to know of a machine. */
export interface MachineSizes {
  readonly form: MachineForm;
  readonly inputs: number;
  readonly outputs: number;
  readonly layers: readonly LayerSizes[];
}

/** @param layers At least one. */
export function sizesOf(layers: readonly MachineLayer[], form: MachineForm): MachineSizes {
  return {
    form,
    inputs: layers[0]?.inputSize ?? 0,
    outputs: layers.at(-1)?.outputSize ?? 0,
    layers: layers.map((layer) => {
      const fanIns = layer.bias.map((_, at) => connectionsOf(layer, at).length);
      return {
        processors: fanIns.length,
        relu: layer.relu,
        ...(layer.softmaxTerms === undefined ? {} : { softmaxTerms: layer.softmaxTerms }),
        connections: fanIns.reduce((total, each) => total + each, 0),
        widest: Math.max(0, ...fanIns),
      };
    }),
  };
}
